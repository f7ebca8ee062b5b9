"""Arrays as addresses and strides, and fresh arrays that cost little to fill."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array
from posenc.kernels._workspace import reused

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


def overwritten(*arrays: Array) -> None:
    """Tell autograd that numbers changed: it may have saved those that stood there."""
    for array in arrays:
        if not isinstance(array, np.ndarray):
            sys.modules["torch"].autograd.graph.increment_version(array)


def fresh(shape: Sequence[int], like: Array, dtype: str | None = None) -> Array:
    """An array of the library of ``like`` whose numbers are still to be written.

    Where it is large the memory of a tensor comes from NumPy: touching it for the first time costs
    more than a rotation, and less in huge pages.
    """
    name = dtype or dtype_name(like)
    numpy = isinstance(like, np.ndarray)
    kind = np.dtype(name) if numpy else getattr(sys.modules["torch"], name)
    size = int(np.prod(shape, dtype=np.int64)) * int(kind.itemsize)
    found = reused(size)
    if numpy:
        return np.empty(shape, kind) if found is None else found.view(kind).reshape(shape)
    torch = sys.modules["torch"]
    if found is None:
        if size < LARGE:
            return torch.empty(shape, dtype=kind)
        found = np.empty(size, np.uint8)
    return torch.from_numpy(found).view(kind).view(*shape)


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
