"""Frequencies as fractions of a turn in 64-bit integers, where wrapping is the modulus.

A phase counted in units of 2^-64 turn wraps round exactly when an integer does. So the phase of
position p is p * step in wrapping integers: exact for every integer p of either sign, with no
angle that grows, no table and no length limit. Only this file divides by two pi, once per
frequency, in Python's own unbounded integers.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from posenc.errors import check

_ONE_OVER_TWO_PI = 0x28BE60DB9391054A7F09D5F47D4D377036D8A5664F10E4107F9458EAF7AEF158
_BITS = 256  # of the constant above: round(2**256 / (2 * pi))

_STEEPEST = math.pi * 2.0**30

RADIANS = math.tau / 2**64
"""Radians in one unit of phase."""


def steps(freqs: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """What ``angles`` takes for these frequencies: steps, and finer ones where they are steep.

    Whole positions need a step modulo one turn. It says how far to go between two of them only
    where that is below half a turn. Steeper ladders, for coordinates from -1 to 1, have a second
    step for what is left of a position, a power of two s smaller: w p = (w / s)(s p), s p exact.

    Raises:
        EncodingError: If a pair turns more often per position than JAX's 32 bits can count.
    """
    largest = float(np.abs(freqs).max()) if freqs.size else 0.0
    rates = {"rates": turns_per_position(freqs)}
    if largest < math.pi:
        return rates
    must = f"below {_STEEPEST:.3g} radians per position"
    check(largest < _STEEPEST, "Frequencies", must, largest, "Take a smaller base.")
    stretch = 2.0 ** math.ceil(math.log2(largest / math.pi) + 1e-9)
    fine = turns_per_position(freqs / stretch)
    return {**rates, "fine": fine, "stretch": np.asarray(stretch, np.float32)}


def turns_per_position(freqs: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Each frequency as a signed 64-bit fraction of a turn per position.

    Args:
        freqs: Radians per position, float64 of any shape; each taken as the exact real number
            that it is.

    Returns:
        int64 of the same shape: round(w / 2 pi * 2^64), wrapped. Reading it as signed makes it
        w itself whenever abs(w) < pi, which is what fractions of a position need.

    Example:
        >>> turns_per_position(np.array([math.pi])).item() / 2**64
        0.5
    """
    steps = [_step(w) for w in np.asarray(freqs, np.float64).ravel().tolist()]
    return np.array(steps, np.int64).reshape(np.shape(freqs))


@lru_cache(maxsize=4096)  # a call of tables() asks for those of the call before
def _step(w: float) -> int:
    numerator, denominator = w.as_integer_ratio()  # the denominator is a power of two
    shift = _BITS - 64 + denominator.bit_length() - 1
    step = (numerator * _ONE_OVER_TWO_PI + (1 << (shift - 1))) >> shift
    return (step + 2**63) % 2**64 - 2**63
