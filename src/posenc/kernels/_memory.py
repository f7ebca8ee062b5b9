"""Arrays as addresses and strides, and fresh arrays that cost little to fill."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array
from posenc.kernels._workspace import reused

LINE = 64
"""Bytes that memory is read and written by."""

PAGE, HUGE = 1 << 12, 1 << 21
"""Bytes of a page as the system hands them out, and of one where it has large ones."""

LARGE = 1 << 22
"""Bytes from which NumPy asks for huge pages, which PyTorch does not."""


def address(array: Array) -> int:
    """Where the first number is."""
    if isinstance(array, np.ndarray):
        return int(array.__array_interface__["data"][0])
    return array.data_ptr()  # type: ignore[no-any-return]


def strides(array: Array) -> tuple[int, ...]:
    """Numbers per step along each axis."""
    if isinstance(array, np.ndarray):
        return tuple(s // array.itemsize for s in array.strides)
    return tuple(array.stride())


def extent(array: Array) -> tuple[int, int]:
    """The first byte of an array and the one past its last."""
    start = address(array)
    if array.flags.c_contiguous if isinstance(array, np.ndarray) else array.is_contiguous():
        return start, start + int(array.nbytes)
    size = int(array.itemsize)
    steps = [(n - 1) * s for n, s in zip(array.shape, strides(array), strict=True)]
    low, high = (sum(pick(s, 0) for s in steps) * size for pick in (min, max))
    return start + low, start + high + size


def apart(a: Array, b: Array) -> bool:
    """Whether no byte belongs to both."""
    (a0, a1), (b0, b1) = extent(a), extent(b)
    return a1 <= b0 or b1 <= a0


def overlap(a: Array, b: Array) -> bool:
    """Whether two arrays of one library share memory, where that can be told."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return _share_bytes(a, b)
    torch = sys.modules.get("torch")
    if torch is None or not all(isinstance(t, torch.Tensor) for t in (a, b)):
        return False
    if any(t.is_meta or t.layout is not torch.strided for t in (a, b)):
        return False
    if a.device != b.device or a.numel() == 0 or apart(a, b):
        return False
    near = a.device.type == "cpu" and not any(t.dtype is torch.bfloat16 for t in (a, b))
    return not near or _share_bytes(*(t.detach().resolve_neg().numpy() for t in (a, b)))


def _share_bytes(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Exactly, for columns of one buffer too, unless that takes too long to find out."""
    try:
        return bool(np.shares_memory(a, b, max_work=10_000))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def has_own_places(array: Array) -> bool:
    """Whether no place in memory stands for several numbers, as in an array that was expanded.

    Each axis has to step over all that those of smaller steps reach.
    """
    if isinstance(array, np.ndarray):
        reach, steps = array.itemsize, array.strides
    elif hasattr(array, "stride"):
        reach, steps = 1, tuple(array.stride())
    else:
        return True
    if 0 in array.shape:
        return True
    axes = sorted((abs(s), n) for s, n in zip(steps, array.shape, strict=True) if n > 1)
    for step, size in axes:
        if step < reach:
            return False
        reach += step * (size - 1)
    return True


def in_order(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of an array without gaps, the last axis fastest."""
    steps = [1]
    for size in reversed(shape[1:]):
        steps.append(steps[-1] * max(size, 1))
    return tuple(reversed(steps))


def overwritten(*arrays: Array) -> None:
    """Tell autograd that numbers changed: it may have saved those that stood there."""
    for array in arrays:
        if not isinstance(array, np.ndarray):
            sys.modules["torch"].autograd.graph.increment_version(array)


def fresh(shape: Sequence[int], like: Array, dtype: str | None = None) -> Array:
    """An array of the library of ``like`` whose numbers are still to be written.

    Where it is large the memory of a tensor comes from NumPy: touching it for the first time costs
    more than a rotation, and less in huge pages. It starts with a line of memory.
    """
    name = dtype or dtype_name(like)
    torch = None if isinstance(like, np.ndarray) else sys.modules["torch"]
    kind = np.dtype(name) if torch is None else getattr(torch, name)
    size = int(np.prod(shape, dtype=np.int64)) * int(kind.itemsize)
    found = reused(size + LINE)
    if found is None and size < LARGE:
        if torch is None:
            return np.empty(shape, kind)
        return torch.empty(tuple(shape), dtype=kind, device="cpu")
    if found is None:
        found = _pages(size)
    found = found[-address(found) % LINE :][:size]
    if torch is None:
        return found.view(kind).reshape(shape)
    # By its storage: a view of another tensor could not be written to under autograd.
    storage = torch.from_numpy(found).untyped_storage()
    held = torch.empty(0, dtype=kind, device="cpu")
    return held.set_(storage, 0, tuple(shape), in_order(shape))


def _pages(size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """So many bytes, from the start of a huge page on, which the system has handed out.

    Two threads that touch fresh pages at the same time wait for one another: on a virtual machine
    with two processors four times as long as one takes that touches them all.
    """
    room = np.empty((-(-size // HUGE) + 1) * HUGE, np.uint8)
    found = room[-address(room) % HUGE :][:size]
    found[::PAGE] = 0
    return found


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
