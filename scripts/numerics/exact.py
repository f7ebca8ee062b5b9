"""cos(p w) for whole p and the float64 number w, right to the last bits of float64.

It imports nothing of posenc. A frequency is a fraction of a turn of 128 bits, worked out by mpmath;
an integer product that wraps round at 2^128 takes whole turns off exactly. What is left is an angle
within half a turn, of which NumPy's float64 cosine is right to 1e-15. ``error`` proves it.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np

_LOW = np.uint64(2**32 - 1)
_32 = np.uint64(32)


def cosines(positions: np.ndarray, freqs: np.ndarray) -> np.ndarray:
    """cos(p w), float64 of shape (n, pairs), for whole positions below 2^31 in size."""
    p = np.abs(positions.astype(np.int64)).astype(np.uint64)[:, None]  # cos is even
    high, low = (np.array(words, np.uint64) for words in zip(*map(_words, freqs), strict=True))
    carried = (p * (low >> _32) + (p * (low & _LOW) >> _32)) >> _32  # below 2^63: nothing is lost
    phase = (p * high + carried).astype(np.int64)
    return np.asarray(np.cos(phase * (math.tau / 2.0**64)))


def error(positions: np.ndarray, freqs: np.ndarray) -> float:
    """How far ``cosines`` is from mpmath with 60 digits, at these few positions."""
    got = cosines(positions, freqs)
    with mpmath.workdps(60):
        due = [
            [float(mpmath.cos(mpmath.mpf(p) * mpmath.mpf(w))) for w in freqs.tolist()]
            for p in positions.tolist()
        ]
    return float(np.abs(got - np.array(due)).max())


def _words(w: float) -> tuple[int, int]:
    """w as a fraction of a turn, in units of 2^-128: its upper and its lower 64 bits."""
    with mpmath.workdps(90):
        turn = int(mpmath.nint(mpmath.mpf(float(w)) / (2 * mpmath.pi) * 2**128)) % 2**128
    return turn >> 64, turn % 2**64
