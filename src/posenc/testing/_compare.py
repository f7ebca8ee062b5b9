"""How a law compares: it raises with the numbers, or says nothing; it never returns a verdict."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._arrays import to_host
from posenc._typing import Array

Host = np.ndarray[Any, np.dtype[np.float64]]


class LawError(AssertionError):
    """An encoding breaks a law, or gives other numbers than it should."""


def require(ok: bool, what: str) -> None:
    """Raise ``LawError`` unless ``ok``."""
    if not ok:
        raise LawError(what)


def numbers(array: Array | float) -> Host:
    """The values of any library's array as float64, which holds every narrower one exactly."""
    return np.asarray(array if isinstance(array, float) else to_host(array), np.float64)


def same_shape(actual: Array, expected: tuple[int, ...], what: str) -> None:
    """Raise unless an array has this shape."""
    got = tuple(actual.shape)
    require(got == expected, f"{what}: shape {got} where {expected} is due")


def same(actual: Array, expected: Array, what: str) -> None:
    """Raise unless two arrays hold the same numbers, to the last bit."""
    close(actual, expected, what, atol=0.0)


def close(actual: Array, expected: Array, what: str, *, atol: Any, rtol: float = 0.0) -> None:
    """Raise unless shapes agree and every number is within ``atol + rtol * abs(expected)``.

    Infinities and NaN agree with themselves. ``atol`` may be an array that broadcasts.
    """
    a, b = numbers(actual), numbers(expected)
    require(a.shape == b.shape, f"{what}: shape {a.shape} where {b.shape} is due")
    equal = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        excess = np.where(equal, 0.0, np.abs(a - b) - (atol + rtol * np.abs(b)))
    bad = ~equal & ~(excess <= 0)
    if bad.any():
        at = np.unravel_index(
            np.argmax(np.where(bad, np.nan_to_num(excess, nan=np.inf), -1)), a.shape
        )
        place = [int(i) for i in at]
        raise LawError(
            f"{what}: {a[at]:.9g} where {b[at]:.9g} is due, off by {abs(a[at] - b[at]):.3g} at "
            f"{place}; {int(bad.sum())} of {a.size} numbers are off"
        )
