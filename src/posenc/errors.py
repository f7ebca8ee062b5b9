"""The exception tree, and the one sentence in which everything here refuses.

EncodingError(ValueError)          a description or a call that has no meaning
├── EncodingTypeError(TypeError)   a value of the wrong type
├── LayoutError                    channels paired in a way that cannot be meant
├── ReadError                      a file that cannot be read as what it claims to be
└── ConversionError                weights that cannot be rewritten
"""

from __future__ import annotations

import difflib
import operator
import reprlib
from collections.abc import Collection, Iterable

__all__ = [
    "ConversionError",
    "EncodingError",
    "EncodingTypeError",
    "LayoutError",
    "ReadError",
    "check",
    "check_index",
    "check_known",
    "nearest",
]


class EncodingError(ValueError):
    """An encoding was described or called in a way that has no meaning."""


class EncodingTypeError(EncodingError, TypeError):
    """A value has the wrong type: a string for a number, a list for an array."""


class LayoutError(EncodingError):
    """Channel pairs are laid out in a way that this call cannot mean."""


class ReadError(EncodingError):
    """A file or configuration cannot be read as what it claims to be."""


class ConversionError(EncodingError):
    """Weights cannot be rewritten from one convention into another."""


# A refused value is quoted, and a table of a million rows must not be quoted whole.
_short = reprlib.Repr()
_short.maxlevel, _short.maxlist, _short.maxtuple, _short.maxdict = 3, 8, 8, 6
_short.maxstring = _short.maxother = 80


def check(
    ok: bool,
    where: str,
    must: str,
    got: object,
    hint: str = "",
    *,
    error: type[EncodingError] = EncodingError,
) -> None:
    """Raise ``error`` in the house's one format unless ``ok``.

    Args:
        ok: The condition that has to hold.
        where: What is refused, as the caller wrote it: ``"Rope.dim"``, ``"rotate(): cos"``.
        must: What it has to be, continuing "must be".
        got: The value that was given; long values are shortened.
        hint: A full sentence that says what to do instead.
        error: The class to raise.

    Raises:
        EncodingError: Or the subclass that was asked for.

    Example:
        >>> check(0.25 >= 1, "Linear.factor", "at least 1", 0.25)
        Traceback (most recent call last):
        ...
        posenc.errors.EncodingError: Linear.factor must be at least 1; got 0.25.
    """
    if not ok:
        raise error(f"{where} must be {must}; got {_quoted(got)}. {hint}".rstrip())


def _quoted(value: object) -> str:
    try:
        text = " ".join(_short.repr(value).split())
    except ValueError:  # an integer of more digits than Python prints
        return "an integer of thousands of digits"
    return text if len(text) <= 160 else f"{text[:120]}... ({type(value).__name__})"


def check_index(where: str, value: object) -> int:
    """``value`` as an int, if it is an integer of any library; a bool or an array is not."""
    try:
        return operator.index(value if not isinstance(value, bool) else "")  # type: ignore[arg-type]
    except TypeError:
        message = f"{where} must be an integer; got {_quoted(value)}."
        raise EncodingTypeError(message) from None


def is_word(value: object, *known: str) -> bool:
    """Whether a value is one of these words; an array, asked the same, would answer by element."""
    return isinstance(value, str) and value in known


_LISTED = 12  # words that a hint names before it only counts


def check_known(
    value: object,
    known: Collection[str],
    where: str,
    must: str,
    *,
    error: type[EncodingError] = EncodingError,
) -> None:
    """Refuse a word that is not among the known ones, naming the nearest.

    Args:
        value: The word as given.
        known: The words there are.
        where: As for ``check``.
        must: As for ``check``.
        error: The class to raise.
    """
    if not (isinstance(value, str) and value in known):
        hint = nearest(value if isinstance(value, str) else "", known)
        check(False, where, must, value, hint, error=error)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or lists what there is.

    Example:
        >>> nearest("interleave", ["half", "interleaved"])
        "Did you mean 'interleaved'?"
    """
    options = sorted(known)
    close = difflib.get_close_matches(word.lower(), options, n=1)
    if close:
        return f"Did you mean {close[0]!r}?"
    if len(options) <= _LISTED + 1:
        return f"Known: {', '.join(options)}."
    return f"Known: {', '.join(options[:_LISTED])} and {len(options) - _LISTED} more."
