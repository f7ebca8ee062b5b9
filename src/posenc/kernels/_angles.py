"""Tables of cos and sin by whichever body is fastest for the positions given."""

from __future__ import annotations

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array, Namespace
from posenc.functional import _angles
from posenc.kernels._choice import compiled, in_memory
from posenc.kernels._memory import address, fresh
from posenc.kernels._threads import shared


def angles(
    positions: Array,
    rates: Array,
    *,
    xp: Namespace,
    float64: bool = False,
    axis: Array | None = None,
    stretch: Array | None = None,
    out: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """``posenc.functional``'s ``angles``, into ``out`` if given."""
    plain = float64 or stretch is not None or dtype_name(rates) != "int64"
    if not plain and in_memory(positions) and compiled() and dtype_name(positions) in _WIDTHS:
        return _filled(positions, rates, axis, out)
    made = _angles.angles(positions, rates, xp=xp, float64=float64, axis=axis, stretch=stretch)
    if out is None:
        return made
    for into, table in zip(out, made, strict=True):
        into[...] = table
    return out


_WIDTHS = {"int32": True, "int64": False}


def _filled(
    positions: Array, rates: Array, axis: Array | None, out: tuple[Array, Array] | None
) -> tuple[Array, Array]:
    from posenc.kernels._waves import waves

    steps, pairs = _on_host(rates), int(rates.shape[0])
    reads = np.zeros(pairs, np.int64) if axis is None else _on_host(axis).astype(np.int64)
    shape = tuple(positions.shape) if axis is None else tuple(positions.shape[:-1])
    coordinates = 1 if axis is None else int(positions.shape[-1])
    held = (
        np.ascontiguousarray(positions)
        if isinstance(positions, np.ndarray)
        else positions.contiguous()
    )
    cos, sin = out or tuple(fresh((*shape, pairs), positions, "float32") for _ in range(2))
    loop = waves(_WIDTHS[dtype_name(positions)])
    places = [address(a) for a in (cos, sin, held, steps, reads)]

    def part(first: int, last: int) -> None:
        loop(*places, first, last, pairs, coordinates)

    count = int(np.prod(shape, dtype=np.int64))
    shared(part, count, size=count * pairs * 64)
    return cos, sin


def _on_host(array: Array) -> np.ndarray:
    return np.ascontiguousarray(array if isinstance(array, np.ndarray) else array.numpy())
