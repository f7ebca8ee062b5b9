"""Tables of cos and sin as one compiled loop: phases in 64-bit integers, then two polynomials."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types

from posenc.kernels._bits import at, machine_code

Word = np.uintp
_EIGHTH, _QUARTER_BITS = np.int64(1 << 61), np.int64(62)
_RADIANS = math.tau / 2.0**64

# Least largest errors within an eighth of a turn, in powers of r^2: 6e-11 of cos, 3e-12 of sin.
_COS = (-0.49999999725108013, 0.041666623324331006, -0.001388676379409346, 2.439045068560776e-05)
_SIN = (-0.16666666627999002, 0.008333328238707907, -0.0001983904376842878, 2.7160140000869436e-06)


@cache
def waves(narrow: bool, several: bool) -> Callable[..., Any]:
    """The loop over positions.

    ``loop(cos, sin, positions, steps, axis, first, last, pairs, coordinates)`` fills rows ``first``
    to ``last`` of two float32 tables of ``pairs`` columns. Column j of a row turns by ``steps[j]``,
    in units of 2^-64 turn, per unit of the row's coordinate ``axis[j]``. All are addresses but the
    last four, which count.

    Args:
        narrow: Whether positions are int32 rather than int64.
        several: Whether a row has several coordinates. Where it has one, ``axis`` is not looked
            at: a place that is looked up for every column costs more than the waves.
    """
    place = types.int32 if narrow else types.int64

    def loop(
        cos: int, sin: int, positions: int, steps: int, axis: int,
        first: int, last: int, pairs: int, coordinates: int,
    ) -> None:  # fmt: skip
        cs, ss = at(cos, types.float32), at(sin, types.float32)
        ps, ts, reads = at(positions, place), at(steps, types.int64), at(axis, types.int64)
        columns, width = Word(pairs), Word(coordinates)
        for row in range(Word(first), Word(last)):
            start, own = row * columns, row * width
            only = np.int64(ps[own])
            for j in range(columns):
                phase = (np.int64(ps[own + Word(reads[j])]) if several else only) * ts[j]
                quarter = (phase + _EIGHTH) >> _QUARTER_BITS
                r = np.float64(phase - (quarter << _QUARTER_BITS)) * _RADIANS
                s = r * r
                c = 1.0 + s * (_COS[0] + s * (_COS[1] + s * (_COS[2] + s * _COS[3])))
                d = r + r * s * (_SIN[0] + s * (_SIN[1] + s * (_SIN[2] + s * _SIN[3])))
                odd = (quarter & 1) != 0
                a, b = (d, c) if odd else (c, d)
                cs[start + j] = -a if ((quarter + 1) & 2) != 0 else a
                ss[start + j] = -b if (quarter & 2) != 0 else b

    return machine_code(loop)
