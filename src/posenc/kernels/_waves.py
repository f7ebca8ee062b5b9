"""Tables of cos and sin as one compiled loop: phases in 64-bit integers, then two polynomials."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from posenc.kernels._bits import at, in_wide_vectors, lines, machine_code, negated, stream, streamed
from posenc.kernels._memory import LINE

Word = np.uintp
_EIGHTH, _QUARTER = Word(1 << 61), Word(1 << 62)


def _of_phases(*coefficients: float, first: int) -> tuple[float, ...]:
    """Coefficients of powers of an angle, two apart, as those of powers of four phases."""
    turn = math.tau / 2.0**66
    return tuple(c * turn ** (first + 2 * i) for i, c in enumerate(coefficients))


# Least largest errors within an eighth of a turn: 6e-11 of cos, 3e-12 of sin.
_COS = _of_phases(
    -0.49999999725108013, 0.041666623324331006, -0.001388676379409346, 2.439045068560776e-05,
    first=2,
)  # fmt: skip
_SIN = _of_phases(
    1.0, -0.16666666627999002, 0.008333328238707907, -0.0001983904376842878, 2.7160140000869436e-06,
    first=1,
)  # fmt: skip

WIDEST = 1024
"""Pairs of a row that is made in memory of the call's own, on its way past the caches."""

_ROOM = WIDEST * 4 // LINE


@register_jitable
def _wave(phase: Any) -> tuple[Any, Any]:
    """cos and sin, float64, of a phase in units of 2^-64 turn."""
    ahead = Word(phase) + _EIGHTH  # its upper two bits count quarters
    r = np.float64(np.int64(Word(phase) << Word(2)))  # past the nearest quarter, four times
    s = r * r
    c = 1.0 + s * (_COS[0] + s * (_COS[1] + s * (_COS[2] + s * _COS[3])))
    d = r * (_SIN[0] + s * (_SIN[1] + s * (_SIN[2] + s * (_SIN[3] + s * _SIN[4]))))
    a, b = (d, c) if ahead & _QUARTER else (c, d)
    return negated(a, ahead + _QUARTER), negated(b, ahead)


@register_jitable
def _send(table: int, row: Any, made: Any, columns: Any) -> None:
    """A row that was made elsewhere, to its place in a table, past the caches."""
    size = columns * Word(4)
    for byte in range(Word(0), size, Word(LINE)):
        stream(Word(table) + row * size + byte, made + byte)


@cache
def waves(narrow: bool, several: bool, past_caches: bool) -> Callable[..., Any]:
    """The loop over positions.

    ``loop(cos, sin, positions, steps, axis, first, last, pairs, coordinates)`` fills rows ``first``
    to ``last`` of two float32 tables of ``pairs`` columns. Column j of a row turns by ``steps[j]``,
    in units of 2^-64 turn, per unit of the row's coordinate ``axis[j]``. All are addresses but the
    last four, which count.

    Args:
        narrow: Whether positions are int32 rather than int64.
        several: Whether a row has several coordinates. Where it has one, ``axis`` is not looked
            at: a place that is looked up for every column costs more than the waves.
        past_caches: Whether rows go straight to memory, which spares reading what stood there.
            They are whole lines of memory, aligned, of no more than ``WIDEST`` pairs.
    """
    place = types.int32 if narrow else types.int64

    def loop(
        cos: int, sin: int, positions: int, steps: int, axis: int,
        first: int, last: int, pairs: int, coordinates: int,
    ) -> None:  # fmt: skip
        in_wide_vectors()
        made = lines(_ROOM), lines(_ROOM)
        of_cos, of_sin = made if past_caches else (Word(cos), Word(sin))
        cs, ss = at(of_cos, types.float32), at(of_sin, types.float32)
        ps, ts, reads = at(positions, place), at(steps, types.int64), at(axis, types.int64)
        columns, width = Word(pairs), Word(coordinates)
        for row in range(Word(first), Word(last)):
            start, own = Word(0) if past_caches else row * columns, row * width
            only = np.int64(ps[own])
            for j in range(columns):
                phase = (np.int64(ps[own + Word(reads[j])]) if several else only) * ts[j]
                cs[start + j], ss[start + j] = _wave(phase)
            if past_caches:
                _send(cos, row, of_cos, columns)
                _send(sin, row, of_sin, columns)
        if past_caches:
            streamed()

    return machine_code(loop, fused=True)
