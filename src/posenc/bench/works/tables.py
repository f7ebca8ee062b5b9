"""Tables of cos and sin, float32, two of (length, dim / 2)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import posenc
from posenc.bench._case import Size
from posenc.bench.works import Call
from posenc.bench.works._filled import filling
from posenc.bench.works._given import compiled, frequencies, positions, rope


def fresh(size: Size) -> Call:
    """``posenc.tables`` of a tensor."""
    import torch

    spec, at = rope(size), torch.from_numpy(positions(size))
    return Call(lambda: posenc.tables(spec, at))


def into(size: Size) -> Call:
    """``posenc.tables`` of a tensor into buffers."""
    import torch

    spec, at = rope(size), torch.from_numpy(positions(size))
    out = torch.zeros(size.length, size.dim // 2), torch.zeros(size.length, size.dim // 2)
    return Call(lambda: posenc.tables(spec, at, out=out))


def in_numpy(size: Size) -> Call:
    """``posenc.tables`` of an array of NumPy."""
    spec, at = rope(size), positions(size)
    return Call(lambda: posenc.tables(spec, at))


def in_numpy_into(size: Size) -> Call:
    """The same into buffers."""
    spec, at = rope(size), positions(size)
    shape = size.length, size.dim // 2
    out = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    return Call(lambda: posenc.tables(spec, at, out=out))


def fill(size: Size) -> Call:
    """One number into buffers of that size."""
    return filling([np.zeros((size.length, size.dim // 2), np.float32) for _ in range(2)])


def _in_torch(size: Size) -> tuple[Any, Any]:
    import torch

    at, freqs = positions(size), frequencies(size.dim)
    return torch.from_numpy(at).float(), torch.from_numpy(freqs).float()


def torch_eager(size: Size) -> Call:
    """A float32 product, its cos and its sin."""
    import torch

    at, freqs = _in_torch(size)

    def run() -> Any:
        angles = torch.outer(at, freqs)
        return angles.cos(), angles.sin()

    return Call(run)


def torch_compile(size: Size) -> Call:
    """The same, compiled."""
    import torch

    def both(at: Any, freqs: Any) -> Any:
        angles = torch.outer(at, freqs)
        return angles.cos(), angles.sin()

    given, fused = _in_torch(size), compiled(both, size)
    return Call(lambda: fused(*given))


def numpy_vectorised(size: Size) -> Call:
    """The same in NumPy."""
    at, freqs = positions(size).astype(np.float32), frequencies(size.dim).astype(np.float32)

    def run() -> Any:
        angles = np.outer(at, freqs)
        return np.cos(angles), np.sin(angles)

    return Call(run)


def numpy_loops(size: Size) -> Call:
    """Position by position and pair by pair, as tutorials do."""
    at, freqs = positions(size).tolist(), frequencies(size.dim).tolist()

    def run() -> Any:
        cos, sin = (np.empty((len(at), len(freqs)), np.float32) for _ in range(2))
        for i, p in enumerate(at):
            for j, w in enumerate(freqs):
                cos[i, j] = math.cos(p * w)
                sin[i, j] = math.sin(p * w)
        return cos, sin

    return Call(run)


def jax_jit(size: Size) -> Call:
    """The same, compiled by JAX."""
    import jax
    import jax.numpy as jnp

    ready: Any = jax.block_until_ready
    at = jnp.asarray(positions(size), jnp.float32)
    freqs = jnp.asarray(frequencies(size.dim), jnp.float32)

    @jax.jit
    def both(at: Any, freqs: Any) -> Any:
        angles = jnp.outer(at, freqs)
        return jnp.cos(angles), jnp.sin(angles)

    return Call(lambda: ready(both(at, freqs)))


SIDES = {
    "ours/into": into,
    "ours/fresh": fresh,
    "ours/numpy": in_numpy,
    "ours/numpy-into": in_numpy_into,
    "limit/fill": fill,
    "torch-eager": torch_eager,
    "torch-compile": torch_compile,
    "numpy": numpy_vectorised,
    "numpy-loops": numpy_loops,
    "jax-jit": jax_jit,
}
