"""What all sides of a work are given: the same numbers, in the library and dtype of each."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from posenc import Rope
from posenc.bench._case import Size
from posenc.bench.works import CannotError


def rope(size: Size) -> Rope:
    """The rotation of a size."""
    return Rope(dim=size.dim, layout=size.layout)


def frequencies(dim: int) -> np.ndarray:
    """The usual ladder, as peers write it."""
    return 10_000.0 ** (-np.arange(0, dim, 2) / dim)


def positions(size: Size) -> np.ndarray:
    """int64, (length,)."""
    found = np.arange(size.offset, size.offset + size.length)
    return found if size.order == "range" else np.random.default_rng(1).permutation(found)


def tokens(size: Size) -> tuple[np.ndarray, np.ndarray]:
    """q and k, (batch, heads, length, dim), float32."""
    draw = np.random.default_rng(0)
    q, k = (
        draw.standard_normal((size.batch, heads, size.length, size.dim), dtype=np.float32)
        for heads in (size.heads, size.k_heads)
    )
    return q, k


def numpy_tokens(size: Size) -> tuple[np.ndarray, np.ndarray]:
    """q and k in the dtype of the size, which NumPy may lack."""
    q, k = tokens(size)
    return q.astype(numpy_dtype(size)), k.astype(numpy_dtype(size))


def numpy_dtype(size: Size) -> Any:
    """The dtype of a size."""
    if size.dtype == "bfloat16":
        raise CannotError("NumPy has no bfloat16")
    return np.dtype(size.dtype)


def torch_dtype(size: Size) -> Any:
    """The dtype of a size."""
    import torch

    return getattr(torch, size.dtype)


def torch_tokens(size: Size) -> tuple[Any, Any]:
    """q and k as tensors."""
    import torch

    q, k = tokens(size)
    kind = torch_dtype(size)
    return torch.from_numpy(q).to(kind), torch.from_numpy(k).to(kind)


@lru_cache(1)
def torch_buffers(size: Size) -> tuple[Any, Any]:
    """q and k as tensors, and buffers like them: the same memory for ours and for the limit.

    How fast memory is depends on which pages a process was given, by a factor of two. Nobody
    writes to q and k.
    """
    import torch

    q, k = torch_tokens(size)
    return (q, k), (torch.zeros_like(q), torch.zeros_like(k))


def torch_angles(size: Size) -> Any:
    """Angles as models form them: a float32 product, (length, dim / 2)."""
    import torch

    at = torch.from_numpy(positions(size)).float()
    return torch.outer(at, torch.from_numpy(frequencies(size.dim)).float())


def compiled(function: Any, size: Size) -> Any:
    """``torch.compile`` of a function, unless everything is only tried."""
    import torch

    return torch.compile(function) if size.compile else function
