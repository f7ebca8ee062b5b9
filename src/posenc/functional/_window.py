"""Which row of a table the offset between two cells of a window has."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc._typing import Array, Namespace


def window_rows(window: tuple[int, ...], *, signed: bool) -> int:
    """How many offsets there are between cells of a window."""
    return math.prod([2 * size - 1 if signed else size for size in window])


def window_index(
    apart: list[Array], window: tuple[int, ...], *, signed: bool, xp: Namespace
) -> Array:
    """The row of each offset, row by row through the window; -1 where there is none.

        signed:  ((dy + H - 1) (2W - 1) + (dx + W - 1)),  d = query - key
        else:    |dy| W + |dx|

    Args:
        apart: Query minus key on each axis, ``(*batch, q, k)``.
        window: Cells along each axis.
        signed: Whether offsets of either sign have rows of their own.
        xp: The array namespace.

    References:
        Liu et al. 2021, arXiv:2103.14030, section 3.2; Graham et al. 2021, arXiv:2104.01136,
        section 4.2.
    """
    index = xp.zeros_like(apart[0])
    inside = xp.ones_like(apart[0], dtype=xp.bool)
    for offset, size in zip(apart, window, strict=True):
        place, span = (offset + (size - 1), 2 * size - 1) if signed else (xp.abs(offset), size)
        inside = inside & (place >= 0) & (place < span)
        index = index * span + place
    return xp.where(inside, index, xp.full_like(index, -1))


def offsets(window: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Every signed offset in the order of the rows, ``(rows, axes)``; float64."""
    axes = np.meshgrid(*(np.arange(1 - size, size) for size in window), indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, len(window)).astype(np.float64)


def log_offsets(
    window: tuple[int, ...], pretrained: tuple[int, ...] | None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Every offset on Swin v2's logarithmic scale, ``(rows, axes)``; float64.

        sign(d) log2(1 + 8 |d| / (W - 1)) / log2(8)

    W is the window in which the network was trained. The largest is log2(9) / log2(8), not 1.

    References:
        Liu et al. 2021, arXiv:2111.09883, section 3.3, and the authors' code.
    """
    spans = np.maximum(np.asarray(pretrained or window) - 1, 1)
    share = 8 * offsets(window) / spans
    return np.asarray(np.sign(share) * np.log2(1 + np.abs(share)) / 3)


def natural_log_offsets(window: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Every offset as ``sign(d) ln(1 + |d|)``, ``(rows, axes)``; float64. timm's "cr"."""
    cells = offsets(window)
    return np.asarray(np.sign(cells) * np.log1p(np.abs(cells)))
