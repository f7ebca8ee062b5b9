"""The rotation as compiled loops over memory: each number is read once and written once.

What makes them fast is how they are written: indices are unsigned, so that none is taken from the
end; half the width is a constant; rotation in place has one array, since a second one at the same
address could not be vectorised. A piece is far from the next, in another head, so that no processor
would guess where: while one is turned the next is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from posenc.kernels._bits import (
    at,
    lines,
    machine_code,
    prefetch,
    stored,
    stream,
    streamed,
    wide,
)
from posenc.kernels._memory import LINE

Word = np.uintp
_STORED = {
    "float32": types.float32,
    "float64": types.float64,
    "float16": types.int16,
    "bfloat16": types.uint16,
}

PIECE = 16
"""Rows of the last axis that are turned before the next along another: heads share tables, and so
many rows of them stay in the first cache."""
_PIECE = Word(PIECE)

FEW = 32
"""Lines of a row that are asked for before it is turned; the rest of a long one follows."""


@register_jitable
def _begin(piece: Any, n0: Any, n1: Any) -> tuple[Any, Any, Any]:
    """Where a piece begins along each axis."""
    return piece // n1 % n0, piece % n1, piece // (n0 * n1) * _PIECE


@cache
def turning(
    dtype: str, tables: str, half: int, interleaved: bool, in_place: bool, past_caches: bool
) -> Callable[..., Any]:
    """The loop over rows of one kind, in machine code once it is called.

    ``loop(x, out, form, first, last)`` turns pieces ``first`` to ``last`` of an array of three
    leading axes. The first three are addresses. At ``form`` stand sixteen int64: the sizes of the
    axes; how far a step along each leads in x, in what is written and in the tables; how many
    channels there are before and after those that turn, which are copied; the addresses of cos and
    sin. They stand in memory since a call takes the longer the more it is given. In place, ``out``
    is not looked at.

    Args:
        dtype: Of x and out.
        tables: Of cos and sin: float64 for float64 tokens alone.
        half: How many pairs there are.
        interleaved: Whether a pair is side by side.
        in_place: Whether x itself is turned.
        past_caches: Whether what is written goes straight to memory, which spares reading what
            stood there. Rows are whole lines, aligned, and all of their channels turn.
    """
    number, wave = _STORED[dtype], _STORED[tables]
    pairs, step, apart = Word(half), Word(2 if interleaved else 1), Word(1 if interleaved else half)
    size = number.bitwidth // 8
    row = max(2 * half * size // LINE, 1)
    asked = min(row, FEW)

    def apart_from(x: int, out: int, form: int, first: int, last: int) -> None:
        f = at(form, types.int64)
        n0, n1, n2 = Word(f[0]), Word(f[1]), Word(f[2])
        x0, x1, x2 = Word(f[3]), Word(f[4]), Word(f[5])
        o0, o1, o2 = Word(f[6]), Word(f[7]), Word(f[8])
        t0, t1, t2 = Word(f[9]), Word(f[10]), Word(f[11])
        skipped, rest = Word(f[12]), Word(f[13])
        written = lines(row) if past_caches else Word(out)
        xs, os, cs, ss = at(x, number), at(written, number), at(f[14], wave), at(f[15], wave)
        for piece in range(Word(first), Word(last)):
            i, j, start = _begin(piece, n0, n1)
            i_, j_, start_ = _begin(min(piece + Word(1), Word(last) - Word(1)), n0, n1)
            ahead = Word(x) + (i_ * x0 + j_ * x1 + start_ * x2 + skipped) * Word(size)
            for k in range(start, min(start + _PIECE, n2)):
                prefetch(ahead + (k - start) * x2 * Word(size), asked)
                a, t = i * x0 + j * x1 + k * x2, i * t0 + j * t1 + k * t2
                o = i * o0 + j * o1 + k * o2
                line = Word(out) + o * Word(size)
                o = Word(0) if past_caches else o
                for c in range(skipped):
                    os[o + c] = xs[a + c]
                a, o = a + skipped, o + skipped
                for p in range(pairs):
                    u, v = wide(xs[a + p * step]), wide(xs[a + p * step + apart])
                    os[o + p * step] = stored(u * cs[t + p] - v * ss[t + p], xs)
                    os[o + p * step + apart] = stored(u * ss[t + p] + v * cs[t + p], xs)
                a, o = a + Word(2) * pairs, o + Word(2) * pairs
                for c in range(rest):
                    os[o + c] = xs[a + c]
                if past_caches:
                    for c in range(Word(row)):
                        stream(line + c * Word(LINE), written + c * Word(LINE))
        if past_caches:
            streamed()

    def upon_itself(x: int, out: int, form: int, first: int, last: int) -> None:
        f = at(form, types.int64)
        n0, n1, n2 = Word(f[0]), Word(f[1]), Word(f[2])
        x0, x1, x2 = Word(f[3]), Word(f[4]), Word(f[5])
        t0, t1, t2 = Word(f[9]), Word(f[10]), Word(f[11])
        skipped = Word(f[12])
        xs, cs, ss = at(x, number), at(f[14], wave), at(f[15], wave)
        for piece in range(Word(first), Word(last)):
            i, j, start = _begin(piece, n0, n1)
            i_, j_, start_ = _begin(min(piece + Word(1), Word(last) - Word(1)), n0, n1)
            ahead = Word(x) + (i_ * x0 + j_ * x1 + start_ * x2 + skipped) * Word(size)
            for k in range(start, min(start + _PIECE, n2)):
                prefetch(ahead + (k - start) * x2 * Word(size), asked)
                a, t = i * x0 + j * x1 + k * x2 + skipped, i * t0 + j * t1 + k * t2
                for p in range(pairs):
                    u, v = wide(xs[a + p * step]), wide(xs[a + p * step + apart])
                    xs[a + p * step] = stored(u * cs[t + p] - v * ss[t + p], xs)
                    xs[a + p * step + apart] = stored(u * ss[t + p] + v * cs[t + p], xs)

    return machine_code(upon_itself if in_place else apart_from)
