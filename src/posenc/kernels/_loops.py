"""The rotation as compiled loops over memory: each number is read once and written once.

What makes them fast is how they are written: indices are unsigned, so that none is taken from the
end; half the width is a constant; rotation in place has one array, since a second one at the same
address could not be vectorised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numba import types

from posenc.kernels._bits import (
    at,
    lines,
    machine_code,
    stored,
    stream,
    streamed,
    wide,
)
from posenc.kernels._memory import LINE

Word = np.uintp
Two: TypeAlias = tuple[int, int]
Three: TypeAlias = tuple[int, int, int]
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


@cache
def turning(
    dtype: str, tables: str, half: int, interleaved: bool, in_place: bool, past_caches: bool
) -> Callable[..., Any]:
    """The loop over rows of one kind, in machine code once it is called.

    ``loop(x, out, cos, sin, first, last, sizes, x_by, out_by, by, around)`` turns pieces ``first``
    to ``last`` of an array of three leading axes, of these ``sizes``. The first four are addresses;
    the three numbers of each ``by`` say how far a step along each axis leads; ``around`` counts the
    channels before and after those that turn, which are copied. In place, ``out`` is not looked at.

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

    def apart_from(
        x: int, out: int, cos: int, sin: int, first: int, last: int,
        sizes: Three, x_by: Three, out_by: Three, by: Three, around: Two,
    ) -> None:  # fmt: skip
        written = lines(row) if past_caches else Word(out)
        xs, os, cs, ss = at(x, number), at(written, number), at(cos, wave), at(sin, wave)
        skipped, rest = Word(around[0]), Word(around[1])
        for piece in range(Word(first), Word(last)):
            i, j = piece // Word(sizes[1]) % Word(sizes[0]), piece % Word(sizes[1])
            start = piece // (Word(sizes[0]) * Word(sizes[1])) * _PIECE
            for k in range(start, min(start + _PIECE, Word(sizes[2]))):
                a = i * Word(x_by[0]) + j * Word(x_by[1]) + k * Word(x_by[2])
                o = i * Word(out_by[0]) + j * Word(out_by[1]) + k * Word(out_by[2])
                t = i * Word(by[0]) + j * Word(by[1]) + k * Word(by[2])
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

    def upon_itself(
        x: int, out: int, cos: int, sin: int, first: int, last: int,
        sizes: Three, x_by: Three, out_by: Three, by: Three, around: Two,
    ) -> None:  # fmt: skip
        xs, cs, ss = at(x, number), at(cos, wave), at(sin, wave)
        for piece in range(Word(first), Word(last)):
            i, j = piece // Word(sizes[1]) % Word(sizes[0]), piece % Word(sizes[1])
            start = piece // (Word(sizes[0]) * Word(sizes[1])) * _PIECE
            for k in range(start, min(start + _PIECE, Word(sizes[2]))):
                a = i * Word(x_by[0]) + j * Word(x_by[1]) + k * Word(x_by[2]) + Word(around[0])
                t = i * Word(by[0]) + j * Word(by[1]) + k * Word(by[2])
                for p in range(pairs):
                    u, v = wide(xs[a + p * step]), wide(xs[a + p * step + apart])
                    xs[a + p * step] = stored(u * cs[t + p] - v * ss[t + p], xs)
                    xs[a + p * step + apart] = stored(u * ss[t + p] + v * cs[t + p], xs)

    return machine_code(upon_itself if in_place else apart_from)
