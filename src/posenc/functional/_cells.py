"""Rows of tables by several coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from posenc._typing import Array, Namespace


def cells(positions: Array, sizes: Sequence[int], *, prefix: int, xp: Namespace) -> Array:
    """The row of each cell of a grid, the last coordinate fastest; -1 where there is none.

        row(r, c) = prefix + r * W + c

    Args:
        positions: ``(*batch, n, axes)``, integers.
        sizes: How many values each coordinate has.
        prefix: Rows in front of the first cell; row j of them is at ``(0, ..., 0, j - prefix)``.
        xp: The array namespace.

    Returns:
        Shape ``(*batch, n)``, the dtype of ``positions``.
    """
    *slower, last = (positions[..., axis] for axis in range(len(sizes)))
    row, known = last, (last >= 0) & (last < sizes[-1])
    front, stride = (last < 0) & (last >= -prefix), sizes[-1]
    for coordinate, size in zip(reversed(slower), reversed(sizes[:-1]), strict=True):
        row = row + coordinate * stride
        known = known & (coordinate >= 0) & (coordinate < size)
        front = front & (coordinate == 0)
        stride *= size
    return xp.where(known | front, row + prefix, xp.full_like(row, -1))
