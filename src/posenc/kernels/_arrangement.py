"""Which loop turns given arrays, and by which strides it walks through them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from posenc._arrays import dtype_name
from posenc._tokens import broadcasts
from posenc._typing import Array, Layout
from posenc.kernels._memory import (
    LINE,
    address,
    apart,
    extent,
    has_own_places,
    in_order,
    rows,
    strides,
)

STREAMED = 1 << 23
"""Bytes from which a result is not kept in the caches, which others need, on its way to memory."""

LONGEST = 1 << 14
"""Bytes of a row that is: it is made in memory of the call's own, which is small."""

DTYPES = ("float32", "float64", "float16", "bfloat16")


class Arrangement(NamedTuple):
    """A loop and all of its arguments but the addresses of x and of what is written.

    Attributes:
        loop: From ``posenc.kernels._loops``.
        form: The numbers that it is told of the arrays; an address is all that it takes.
        pieces: How many there are to turn.
        held: The tables, which have to live as long as their addresses.
    """

    loop: Callable[..., Any]
    form: np.ndarray[Any, np.dtype[np.int64]]
    pieces: int
    held: tuple[Array, ...]

    def __call__(self, x: int, out: int, first: int, last: int) -> None:
        """Turn pieces ``first`` to ``last`` of the array at ``x`` into the one at ``out``."""
        self.loop(x, out, address(self.form), first, last)


def arrangement(
    x: Array, cos: Array, sin: Array, *, layout: Layout, start: int, out: Array = None
) -> Arrangement | None:
    """How ``x`` is turned into ``out``, or into a fresh array in order; None where no loop fits."""
    kind = dtype_name(x)
    if kind not in DTYPES or 0 in x.shape or not _fit(x, cos, sin, start, out):
        return None
    wide = "float64" if kind == "float64" else "float32"
    cos, sin = _as(cos, wide), _as(sin, wide)
    lead, channels = tuple(x.shape[:-1]), int(x.shape[-1])
    within = out is not None and extent(out) == extent(x) and strides(out) == strides(x)
    if out is not None:
        clear = (within or apart(out, x)) and apart(out, cos) and apart(out, sin)
        if not (clear and may_change(out) and has_own_places(out)):
            return None
    steps = in_order(x.shape) if out is None else strides(out)
    tables = [_stretched(t, lead) for t in (cos, sin)]
    folded = rows(lead, [strides(x)[:-1], steps[:-1], *tables])
    side_by_side = all(strides(t)[-1] == 1 or t.shape[-1] == 1 for t in (x, cos, sin))
    if folded is None or tables[0] != tables[1] or not side_by_side:
        return None
    if steps[-1] != 1 and channels > 1:
        return None
    (n0, n1, n2), (xs, os, ts, _) = folded
    pairs = int(cos.shape[-1])
    around = start, channels - start - 2 * pairs
    from posenc.kernels._bits import converts_halves
    from posenc.kernels._loops import PIECE, turning

    if kind == "float16" and not converts_halves():
        return None
    streams = around == (0, 0) and not within and whole_lines(x, out, steps)
    loop = turning(kind, wide, pairs, layout == "interleaved", within, streams)
    form = np.array([n0, n1, n2, *xs, *os, *ts, *around, address(cos), address(sin)], np.int64)
    return Arrangement(loop, form, n0 * n1 * -(-n2 // PIECE), (cos, sin))


def _fit(x: Array, cos: Array, sin: Array, start: int, out: Array) -> bool:
    """Whether a loop, which looks at no shape, stays within all of the arrays."""
    lead, columns = tuple(cos.shape[:-1]), int(cos.shape[-1])
    room = 0 <= start <= int(x.shape[-1]) - 2 * columns and columns > 0
    alike = tuple(cos.shape) == tuple(sin.shape) and broadcasts(lead, tuple(x.shape[:-1]))
    into = out is None or (tuple(out.shape) == tuple(x.shape) and out.dtype == x.dtype)
    return room and alike and into


def _as(table: Array, dtype: str) -> Array:
    if dtype_name(table) == dtype:
        return table
    numpy = isinstance(table, np.ndarray)
    return table.astype(dtype) if numpy else table.to(getattr(sys.modules["torch"], dtype))


def _stretched(table: Array, lead: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a table along the leading axes of x, 0 where it is the same for all."""
    own = [0 if n == 1 else s for n, s in zip(table.shape[:-1], strides(table)[:-1], strict=True)]
    return (*[0] * (len(lead) - len(own)), *own)


def whole_lines(x: Array, out: Array, steps: tuple[int, ...]) -> bool:
    """Whether what is written is large, and each of its rows some whole lines of memory."""
    size, start = int(x.itemsize), 0 if out is None else address(out)
    row = int(x.shape[-1]) * size
    whole = all(end % LINE == 0 for end in (start, row, *(s * size for s in steps[:-1])))
    return whole and int(x.nbytes) >= STREAMED and row <= LONGEST


def may_change(out: Array) -> bool:
    """Whether an array may be written now."""
    if isinstance(out, np.ndarray):
        return bool(out.flags.writeable)
    # What inference mode made, only it may change.
    return not out.is_inference() or bool(sys.modules["torch"].is_inference_mode_enabled())
