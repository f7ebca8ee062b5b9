"""The tools that hold encodings to laws: what they say, and what they leave unloaded."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import Alibi, EncodingError, Rope, Sinusoidal, Stack, Yarn
from posenc.testing import LawError, laws
from posenc.testing._case import Case, parts
from posenc.testing._compare import close, same, same_shape
from posenc.testing._libraries import library
from posenc.testing._siblings import siblings

YARN = Yarn(factor=4.0, trained_length=4096)


def test_close_says_which_number_is_off_and_by_how_much() -> None:
    due = np.array([[1.0, 2.0], [3.0, 4.0]])
    close(due + 1e-9, due, "tables", atol=1e-8)
    with pytest.raises(LawError) as caught:
        close(np.add(due, [[0, 0], [0.25, 0.125]]), due, "tables", atol=1e-8)
    said = "tables: 3.25 where 3 is due, off by 0.25 at [1, 0]; 2 of 4 numbers are off"
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("actual", "due"), [([np.nan], [1.0]), ([1.0], [np.nan]), ([np.inf], [1.0]), ([1.0], [-np.inf])]
)
def test_nothing_is_close_to_nan_or_infinity_but_itself(actual: Any, due: Any) -> None:
    same(np.array(actual), np.array(actual), "it")
    with pytest.raises(LawError, match="it: "):
        close(np.array(actual), np.array(due), "it", atol=1e300)


def test_a_shape_that_would_broadcast_is_not_the_same() -> None:
    with pytest.raises(LawError, match=r"^it: shape \(1, 2\) where \(2,\) is due$"):
        same(np.ones((1, 2)), np.ones(2), "it")
    with pytest.raises(LawError, match=r"^it: shape \(2,\) where \(2, 1\) is due$"):
        same_shape(np.ones(2), (2, 1), "it")


def test_libraries_have_the_dtypes_that_they_have() -> None:
    dtypes = {xp: library(xp).dtypes for xp in ("numpy", "array-api-strict", "torch", "jax")}
    assert dtypes == {
        "numpy": ("float16", "float32", "float64"),
        "array-api-strict": ("float32", "float64"),
        "torch": ("float16", "bfloat16", "float32", "float64"),
        "jax": ("float16", "bfloat16", "float32"),
    }


def test_a_frozen_library_hands_out_what_cannot_be_written() -> None:
    made = library("numpy-readonly").array([1, 2], "int64")
    assert not made.flags.writeable
    assert library("numpy").array([1, 2], "int64").flags.writeable


def test_asking_which_laws_apply_leaves_the_compiler_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dropped: list[str] = []
    monkeypatch.setattr("torch.compiler.reset", lambda: dropped.append("graphs"))
    case = laws.case(posenc.Learned(rows=64, dim=6), xp="torch")
    assert laws.LAWS["compiled-equals-eager"] in laws.applicable(case)
    assert dropped == []
    laws.LAWS["compiled-equals-eager"].check(case)
    assert dropped == ["graphs"]


def test_a_library_without_a_compiler_says_so() -> None:
    assert [xp for xp in ("numpy", "torch", "jax") if library(xp).compiles] == ["torch", "jax"]
    with pytest.raises(EncodingError, match="library must be one that compiles; got 'numpy'"):
        library("numpy").compiled(len)


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(EncodingError, match=r"^xp must be 'numpy', 'torch' or 'jax'; got 'cupy'"):
        laws.case(Alibi(heads=3), xp="cupy")


@pytest.mark.parametrize(
    ("spec", "gain"),
    [
        (Rope(dim=6, layout="half"), 1.0),
        (Rope(dim=6, layout="half", scaling=YARN), 1.0),
        (Rope(dim=6, head_dim=10, layout="half", scaling=YARN), YARN.magnitude(None)),
        (Sinusoidal(dim=6), 1.0),
    ],
)
def test_the_factor_multiplies_channels_where_a_part_turns(spec: Any, gain: float) -> None:
    assert laws.case(spec).gain == gain


def test_a_case_reads_sizes_off_the_parts_that_have_them() -> None:
    rope = Rope(dim=6, head_dim=14, layout="half")
    spec = Stack(Sinusoidal(dim=20), Stack(rope, Alibi(heads=5)))
    case = Case(spec, library("numpy"))
    assert [type(part) for part in parts(spec)] == [Sinusoidal, Rope, Alibi]
    assert (case.heads, case.width, case.turning) == (5, 14, rope)


@pytest.mark.parametrize(("rows", "far"), [(64, 0), (964, 0), (965, 901), (10_000, 9_001)])
def test_far_is_where_the_encoding_still_answers(rows: int, far: int) -> None:
    assert laws.case(posenc.Learned(rows=rows, dim=2)).far == far


def test_an_encoding_without_room_is_told_so() -> None:
    with pytest.raises(LawError, match="Learned answers for none of the positions 0 to 63"):
        posenc.testing.check_encoding(posenc.Learned(rows=63, dim=2))


def test_the_slightest_turns_are_told_apart() -> None:
    """Squeezed so far that adding one channel of a pair to the other loses it in float32."""
    squeezed = Rope(dim=4, layout="half", base=1e6, scaling=posenc.Linear(factor=1e9))
    laws.LAWS["different-specs-differ"].check(laws.case(squeezed))


def test_siblings_change_one_field() -> None:
    rope = Rope(dim=6, layout="half", scaling=YARN)
    found = list(siblings(rope))
    assert Rope(dim=6, layout="interleaved", scaling=YARN) in found
    assert Rope(dim=12, layout="half", scaling=YARN) in found
    assert Rope(dim=6, layout="half", scaling=Yarn(factor=8.0, trained_length=4096)) in found
    assert rope not in found


@pytest.mark.parametrize("law", laws.LAWS.values(), ids=repr)
def test_a_law_states_itself_in_one_line(law: laws.Law) -> None:
    assert law.statement.endswith(".")
    assert "\n" not in law.statement


def test_importing_it_loads_no_framework_and_no_test_tool() -> None:
    code = (
        "import sys, posenc.testing, posenc.testing.laws, posenc.testing.golden;"
        "print({'hypothesis', 'jax', 'pytest', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
