"""Arrays as addresses and strides, and fresh arrays that cost little to fill."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array

LARGE = 1 << 22
"""Bytes from which NumPy asks for huge pages, which PyTorch does not."""


def address(array: Array) -> int:
    """Where the first number is."""
    if isinstance(array, np.ndarray):
        return int(array.__array_interface__["data"][0])
    return int(array.data_ptr())


def strides(array: Array) -> tuple[int, ...]:
    """Numbers per step along each axis."""
    if isinstance(array, np.ndarray):
        return tuple(s // array.itemsize for s in array.strides)
    return tuple(array.stride())


def extent(array: Array) -> tuple[int, int]:
    """The first byte of an array and the one past its last."""
    size = int(array.itemsize)
    steps = [(n - 1) * s for n, s in zip(array.shape, strides(array), strict=True)]
    start = address(array)
    low, high = (sum(pick(s, 0) for s in steps) * size for pick in (min, max))
    return start + low, start + high + size


def apart(a: Array, b: Array) -> bool:
    """Whether no byte belongs to both."""
    (a0, a1), (b0, b1) = extent(a), extent(b)
    return a1 <= b0 or b1 <= a0


def fresh(shape: Sequence[int], like: Array, dtype: str | None = None) -> Array:
    """An array of the library of ``like`` whose numbers are still to be written.

    Where it is large the memory of a tensor comes from NumPy: touching it for the first time costs
    more than a rotation, and less in huge pages.
    """
    name = dtype or dtype_name(like)
    if isinstance(like, np.ndarray):
        return np.empty(shape, name)
    torch = sys.modules["torch"]
    kind = getattr(torch, name)
    count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    if count < LARGE:
        return torch.empty(shape, dtype=kind)
    return torch.from_numpy(np.empty(count, np.uint8)).view(kind).view(*shape)


def rows(
    shape: Sequence[int], each: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], list[tuple[int, ...]]] | None:
    """Leading axes folded into three, with the strides of every array along them.

    Args:
        shape: The leading axes.
        each: For each array its strides along them; 0 where it is the same for all.

    Returns:
        Three sizes, and three strides for each array; None if that many axes do not do.
    """
    axes = [(n, *s) for n, *s in zip(shape, *each, strict=True) if n != 1]
    folded: list[tuple[int, ...]] = []
    for size, *steps in axes:
        if folded and all(o == size * s for o, s in zip(folded[-1][1:], steps, strict=True)):
            folded[-1] = (folded[-1][0] * size, *steps)
        else:
            folded.append((size, *steps))
    if len(folded) > 3:
        return None
    filled = [(1, *[0] * len(each))] * (3 - len(folded)) + folded
    sizes, *back = zip(*filled, strict=True)
    return sizes, back
