"""One figure as a matplotlib object; pyplot and its global state are never touched."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from posenc.errors import EncodingTypeError, check
from posenc.figures import _fonts
from posenc.figures._registry import PICTURES, Picture, find
from posenc.figures._style import INK, Words, settings
from posenc.specs import Spec
from posenc.text import LANGUAGES, Language

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def names() -> list[str]:
    """What can be drawn, in the order of the chapters.

    ``"wavelengths"`` shows a rotary spec and needs one.
    """
    return list(PICTURES)


def available() -> bool:
    """Whether matplotlib is installed; it is not imported."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(
    name: str,
    *,
    language: Language = "en",
    spec: Spec | None = None,
    trained_length: int | None = None,
) -> Figure:
    """One figure, drawn from numbers that the library computes now.

    Args:
        name: One of ``names()``.
        language: "en" or "zh"; in "zh" the labels are English where no Chinese font is installed.
        spec: The rotary spec that ``"wavelengths"`` shows.
        trained_length: Tokens that its model was trained on, where its scaling does not say.

    Returns:
        A ``matplotlib.figure.Figure``, not registered with pyplot; ``savefig`` writes it.

    Raises:
        EncodingError: If the name or language is unknown, matplotlib is missing, or a spec is.

    Example:
        >>> draw("curves").axes[0].get_title(loc="left")
        'channel 0: 10.03 turns'
    """
    picture = find("draw()", name)
    check_language("draw()", language)
    check_available()
    if picture.of_spec:
        check_spec("draw()", spec, trained_length)
    with styled(language) as words:
        return painted(picture, words, spec=spec, trained_length=trained_length)


def painted(
    picture: Picture, words: Words, *, spec: Spec | None, trained_length: int | None
) -> Figure:
    """The figure, under the settings that are in force."""
    from matplotlib.figure import Figure

    width, height = picture.size
    figure = Figure(figsize=picture.size)
    subject = {"spec": spec, "trained_length": trained_length} if picture.of_spec else {}
    picture.paint(figure, words, **subject)
    title = words(picture.name)
    left, top = 0.14 / width, 1 - 0.13 / height  # the same margin in every figure
    figure.text(left, top, title, va="top", color=INK, fontsize=10.5, fontweight="bold")
    return figure


@contextmanager
def styled(language: Language) -> Iterator[Words]:
    """Our settings in place of the reader's own while the block runs, and the labels to use.

    The labels are English where there is no font to set Chinese in.
    """
    import matplotlib

    chinese = _fonts.chinese_font() if language == "zh" else None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        for name, value in settings(chinese).items():
            matplotlib.rcParams[name] = value  # type: ignore[index]
        yield Words("zh" if chinese else "en")


def check_language(where: str, language: object) -> None:
    """Refuse a language that has no texts."""
    listed = " or ".join(map(repr, LANGUAGES))
    check(language in LANGUAGES, f"{where}: language", listed, language)


def check_available() -> None:
    """Refuse to draw without matplotlib, and say how to get it."""
    check(available(), "matplotlib", "installed", None, "Run pip install 'posenc[plot]'.")


def check_spec(where: str, spec: object, trained_length: object) -> None:
    """Refuse what has no rotary pairs, or was trained on no tokens."""
    from posenc.specs._rope import Rope

    hint = "Build one, such as posenc.Rope(dim=128, layout='half')."
    error = EncodingTypeError
    check(isinstance(spec, Rope), f"{where}: spec", "a rotary spec", spec, hint, error=error)
    counted = trained_length is None or (type(trained_length) is int and trained_length >= 1)
    check(counted, f"{where}: trained_length", "an integer of at least 1", trained_length)
