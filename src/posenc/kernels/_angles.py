"""Tables of cos and sin by whichever body is fastest for the positions given."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._arrays import (
    dtype_name,
    in_sight,
    is_concrete,
    is_integer,
    is_torch,
    namespace,
    to_host,
)
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.functional import _angles
from posenc.kernels._arrangement import may_change, whole_lines
from posenc.kernels._choice import compiled, in_memory
from posenc.kernels._memory import address, apart, fresh, in_order, overwritten
from posenc.kernels._range import consecutive, of_range
from posenc.kernels._threads import shared


def angles(
    positions: Array,
    rates: Array,
    *,
    xp: Namespace,
    float64: bool = False,
    axis: Array | None = None,
    fine: Array | None = None,
    stretch: Array | None = None,
    out: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """``posenc.functional``'s ``angles``, into ``out`` if given."""
    exact = dtype_name(rates) == "int64" and dtype_name(positions) in _WIDTHS and not float64
    given = (positions, *(out or ()))
    if exact and in_memory(*given):
        shape = tuple(positions.shape) if axis is None else tuple(positions.shape[:-1])
        fits = out is None or _fit((*shape, int(rates.shape[0])), positions, out)
        if fits and compiled():
            return _filled(shape, positions, rates, axis, out)
        if fits and axis is None and xp is np and consecutive(positions):
            size = len(positions), len(rates)
            cos, sin = out or tuple(fresh(size, positions, "float32") for _ in range(2))
            of_range(int(positions[0]), rates, (cos, sin))
            return cos, sin
    options = {"axis": axis, "fine": fine, "stretch": stretch}
    made = _angles.angles(positions, rates, xp=xp, float64=float64, **options)
    if out is None:
        return made
    for into, table in zip(out, made, strict=True):
        into[...] = table
    return out


_WIDTHS = {"int32": True, "int64": False}


def _filled(
    shape: tuple[int, ...],
    positions: Array,
    rates: Array,
    axis: Array | None,
    out: tuple[Array, Array] | None,
) -> tuple[Array, Array]:
    from posenc.kernels._waves import WIDEST, waves

    pairs, coordinates = int(rates.shape[0]), 1 if axis is None else int(positions.shape[-1])
    steps = np.ascontiguousarray(to_host(rates))
    if axis is not None:
        check_axis("angles(): axis", axis, coordinates)
    reads = np.zeros(pairs, np.int64) if axis is None else to_host(axis).astype(np.int64)
    held = np.ascontiguousarray(to_host(positions))
    cos, sin = out or tuple(fresh((*shape, pairs), positions, "float32") for _ in range(2))
    order = in_order((*shape, pairs))
    past_caches = pairs <= WIDEST and all(whole_lines(t, t, order) for t in (cos, sin))
    loop = waves(_WIDTHS[dtype_name(positions)], coordinates > 1, past_caches)
    arrays = cos, sin, held, steps, reads
    places = [address(a) for a in arrays]

    def part(first: int, last: int, held: Any = arrays) -> None:  # as long as anybody writes
        loop(*places, first, last, pairs, coordinates)

    count = int(np.prod(shape, dtype=np.int64))
    shared(part, count, size=count * pairs * 64)  # as long as it takes to move so many bytes
    if out is not None:
        overwritten(*out)
    return cos, sin


def check_axis(where: str, axis: Array, coordinates: int) -> None:
    """Refuse coordinates that positions have not: a loop would read what stands elsewhere.

    On a GPU they are not looked at, which would hold up the queue.
    """
    must = f"of whole numbers from 0 to {coordinates - 1}"
    check(is_integer(axis), where, must, dtype_name(axis), error=EncodingTypeError)
    near = getattr(getattr(axis, "device", None), "type", "cpu") == "cpu"
    if near and is_concrete(axis) and 0 not in axis.shape:
        seen = to_host(in_sight(axis))
        low, high = int(seen.min()), int(seen.max())
        check(low >= 0 and high < coordinates, where, must, (low, high))


def _fit(shape: tuple[int, ...], positions: Array, out: tuple[Array, Array]) -> bool:
    """Whether two tables can be filled from end to end, and nobody keeps a record of them."""
    own = apart(*out) and all(apart(table, positions) for table in out)
    return own and all(
        tuple(table.shape) == shape
        and dtype_name(table) == "float32"
        and _orderly(table)
        and may_change(table)
        for table in out
    )


def _orderly(table: Array) -> bool:
    if isinstance(table, np.ndarray):
        return bool(table.flags.c_contiguous)
    return bool(is_torch(namespace(table)) and table.is_contiguous() and not table.requires_grad)
