"""The sinusoidal code of a text, (length, dim), sine and cosine in turn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import posenc
from posenc.bench._case import Size
from posenc.bench.works import Call
from posenc.bench.works._filled import filling
from posenc.bench.works._given import compiled, frequencies, numpy_dtype, positions, torch_dtype


def embed(size: Size) -> Call:
    """``scheme.embed``."""
    import torch

    embed = posenc.bind(posenc.Sinusoidal(dim=size.dim)).embed
    at, kind = torch.from_numpy(positions(size)), torch_dtype(size)
    return Call(lambda: embed(at, dtype=kind))  # type: ignore[misc]


def fill(size: Size) -> Call:
    """One number into a buffer of that size."""
    wide = size.dtype == "float32"
    return filling([np.zeros((size.length, size.dim), np.float32 if wide else np.int16)])


def _eager(at: Any, freqs: Any, kind: Any) -> Any:
    """As in PyTorch's own tutorial."""
    import torch

    angles = torch.outer(at, freqs)
    code = torch.zeros(len(at), 2 * len(freqs), dtype=kind)
    code[:, 0::2], code[:, 1::2] = angles.sin(), angles.cos()
    return code


def _in_torch(size: Size) -> tuple[Any, Any, Any]:
    import torch

    at, freqs = positions(size), frequencies(size.dim)
    return torch.from_numpy(at).float(), torch.from_numpy(freqs).float(), torch_dtype(size)


def torch_eager(size: Size) -> Call:
    """A float32 product, its sin and its cos in every other column."""
    given = _in_torch(size)
    return Call(lambda: _eager(*given))


def torch_compile(size: Size) -> Call:
    """The same, compiled."""
    given, fused = _in_torch(size), compiled(_eager, size)
    return Call(lambda: fused(*given))


def numpy_vectorised(size: Size) -> Call:
    """The same in NumPy."""
    at, freqs = positions(size).astype(np.float32), frequencies(size.dim).astype(np.float32)
    kind = numpy_dtype(size)

    def run() -> Any:
        angles = np.outer(at, freqs)
        code = np.empty((len(at), 2 * len(freqs)), kind)
        code[:, 0::2], code[:, 1::2] = np.sin(angles), np.cos(angles)
        return code

    return Call(run)


def numpy_loops(size: Size) -> Call:
    """Position by position and pair by pair, as tutorials do."""
    at, freqs, kind = positions(size).tolist(), frequencies(size.dim).tolist(), numpy_dtype(size)

    def run() -> Any:
        code = np.zeros((len(at), 2 * len(freqs)), kind)
        for i, p in enumerate(at):
            for j, w in enumerate(freqs):
                code[i, 2 * j] = math.sin(p * w)
                code[i, 2 * j + 1] = math.cos(p * w)
        return code

    return Call(run)


def positional_encodings(size: Size) -> Call:
    """``PositionalEncoding1D``, which would otherwise answer from what it kept."""
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding1D

    module = PositionalEncoding1D(size.dim)
    like = torch.zeros(1, size.length, size.dim, dtype=torch_dtype(size))

    def run() -> Any:
        module.cached_penc = None
        return module(like)

    return Call(run, lambda code: code[0])


def jax_jit(size: Size) -> Call:
    """The same, compiled by JAX."""
    import jax
    import jax.numpy as jnp

    ready: Any = jax.block_until_ready
    at = jnp.asarray(positions(size), jnp.float32)
    freqs = jnp.asarray(frequencies(size.dim), jnp.float32)

    @jax.jit
    def code(at: Any, freqs: Any) -> Any:
        angles = jnp.outer(at, freqs)
        both = jnp.stack((jnp.sin(angles), jnp.cos(angles)), -1)
        return both.reshape(len(at), -1).astype(size.dtype)

    return Call(lambda: ready(code(at, freqs)))


SIDES = {
    "ours/embed": embed,
    "limit/fill": fill,
    "torch-eager": torch_eager,
    "torch-compile": torch_compile,
    "numpy": numpy_vectorised,
    "numpy-loops": numpy_loops,
    "positional-encodings": positional_encodings,
    "jax-jit": jax_jit,
}
