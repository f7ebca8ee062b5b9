"""The public surface is short, explicit and described."""

import pytest

import posenc

# What users and documentation rely on. Dropping a name from here is a breaking change.
PROMISED = {
    *("NoPE", "Integer", "NormalizedInteger", "Binary", "Gray", "OneHot", "RandomDirections"),
    *("Sinusoidal", "Learned", "Rope", "Alibi", "T5Bias", "Stack"),
    *("Unscaled", "Linear", "Ntk", "DynamicNtk", "Yarn", "LongRope", "Llama3", "Proportional"),
    *("bind", "combine", "tables", "rotate", "attend", "from_dict", "encodings"),
    *("claims", "positions", "EncodingError"),
}


def test_names_are_sorted() -> None:
    assert list(posenc.__all__) == sorted(posenc.__all__)


def test_no_name_is_missing() -> None:
    assert set(posenc.__all__) >= PROMISED


def test_every_name_resolves_and_no_other_is_shown() -> None:
    for name in posenc.__all__:
        getattr(posenc, name)
    shown = {name for name in dir(posenc) if not name.startswith("_")}
    assert shown == {name for name in posenc.__all__ if not name.startswith("_")}


@pytest.mark.parametrize("name", [name for name in posenc.__all__ if not name.startswith("__")])
def test_name_is_described(name: str) -> None:
    value = getattr(posenc, name)
    text = value.__doc__ or ""
    # A dataclass without a docstring is given its signature for one.
    assert text.strip(), f"{name} has no docstring"
    assert not text.startswith(f"{name}("), f"{name} has no docstring of its own"
