"""Cosines without any rounding before the last step: angles as Python's unbounded integers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from posenc.claims._codes import Matrix

_SCALE = 10**63
_TURN = 6283185307179586476925286766559005768394338798750211641949889185  # 2 pi * _SCALE


def angle(position: int, freq: float) -> float:
    """``position * freq`` less all whole turns, in [0, 2 pi); both taken as exact numbers."""
    numerator, denominator = freq.as_integer_ratio()
    return position * numerator * _SCALE // denominator % _TURN / _SCALE


def cosines(positions: Iterable[int], freqs: Any) -> Matrix:
    """The cosine of every frequency at every position, right to the last bit or two of float64."""
    rates = np.asarray(freqs, np.float64).tolist()
    return np.array([[math.cos(angle(p, w)) for w in rates] for p in map(int, positions)])
