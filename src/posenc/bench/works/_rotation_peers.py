"""The same rotation as others write it, the tables that they use being there."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.bench._case import Size
from posenc.bench.works import Call
from posenc.bench.works._given import (
    compiled,
    frequencies,
    numpy_dtype,
    numpy_tokens,
    positions,
    tokens,
    torch_angles,
    torch_dtype,
    torch_tokens,
)


def _doubled(size: Size) -> tuple[Any, Any]:
    """cos and sin for both halves of a head, in the dtype of the tokens, as models keep them."""
    import torch

    angles = torch_angles(size)
    both = torch.cat((angles, angles), -1)[None]
    return both.cos().to(torch_dtype(size)), both.sin().to(torch_dtype(size))


def transformers(size: Size) -> Call:
    """``apply_rotary_pos_emb`` of transformers' Llama."""
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    (q, k), (cos, sin) = torch_tokens(size), _doubled(size)
    return Call(lambda: apply_rotary_pos_emb(q, k, cos, sin))


def rotated(q: Any, k: Any, cos: Any, sin: Any) -> Any:
    """The operations of ``apply_rotary_pos_emb``."""
    import torch

    def half_turned(x: Any) -> Any:
        a, b = x.chunk(2, -1)
        return torch.cat((-b, a), -1)

    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
    return q * cos + half_turned(q) * sin, k * cos + half_turned(k) * sin


def torch_compile(size: Size) -> Call:
    """These operations, compiled."""
    (q, k), (cos, sin) = torch_tokens(size), _doubled(size)
    fused = compiled(rotated, size)
    return Call(lambda: fused(q, k, cos, sin))


def torch_out(size: Size) -> Call:
    """Two products and two sums of products, into halves of buffers that are there."""
    import torch

    (q, k), angles = torch_tokens(size), torch_angles(size)
    cos, sin = angles.cos().to(q.dtype), angles.sin().to(q.dtype)
    outs = torch.zeros_like(q), torch.zeros_like(k)

    def run() -> Any:
        for x, out in zip((q, k), outs, strict=True):
            (a, b), (c, d) = x.chunk(2, -1), out.chunk(2, -1)
            torch.mul(a, cos, out=c)
            c.addcmul_(b, sin, value=-1)
            torch.mul(a, sin, out=d)
            d.addcmul_(b, cos)
        return outs

    return Call(run)


def meta_complex(size: Size) -> Call:
    """Pairs as complex numbers, heads after tokens, as in Meta's Llama."""
    import torch

    q, k = (x.transpose(1, 2).contiguous() for x in torch_tokens(size))
    angles = torch_angles(size)
    turns = torch.polar(torch.ones_like(angles), angles)[None, :, None]

    def turned(x: Any) -> Any:
        paired = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(paired * turns).flatten(3).type_as(x)

    return Call(lambda: (turned(q), turned(k)), lambda xs: [x.transpose(1, 2) for x in xs])


def rotary_embedding_torch(size: Size) -> Call:
    """``RotaryEmbedding.rotate_queries_or_keys``."""
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    q, k = torch_tokens(size)
    turn = RotaryEmbedding(size.dim)
    # Its angles are kept from the first call. Kept from bfloat16 tokens they would be wrong, since
    # it counts positions in the dtype of the tokens.
    turn.rotate_queries_or_keys(torch.zeros(1, 1, size.offset + size.length, size.dim))
    return Call(
        lambda: tuple(turn.rotate_queries_or_keys(x, offset=size.offset) for x in (q, k)),
    )


def x_transformers(size: Size) -> Call:
    """``apply_rotary_pos_emb`` of x-transformers."""
    import torch
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    q, k = torch_tokens(size)
    angles, scale = RotaryEmbedding(size.dim)(torch.from_numpy(positions(size)))
    return Call(lambda: tuple(apply_rotary_pos_emb(x, angles, scale) for x in (q, k)))


def _numpy_angles(size: Size) -> np.ndarray:
    return np.outer(positions(size), frequencies(size.dim))


def in_numpy(size: Size) -> Call:
    """Halves of whole arrays, as NumPy is meant to be used."""
    (q, k), angles = numpy_tokens(size), _numpy_angles(size)
    cos, sin = (t.astype(numpy_dtype(size)) for t in (np.cos(angles), np.sin(angles)))

    def turned(x: np.ndarray) -> np.ndarray:
        a, b = np.split(x, 2, axis=-1)
        return np.concatenate((a * cos - b * sin, a * sin + b * cos), axis=-1)

    return Call(lambda: (turned(q), turned(k)))


def in_loops(size: Size) -> Call:
    """Position by position and pair by pair, as tutorials do; all heads at once."""
    q, k = numpy_tokens(size)
    angles, half = _numpy_angles(size), size.dim // 2

    def turned(x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        for p in range(x.shape[-2]):
            for i in range(half):
                c, s = np.cos(angles[p, i]), np.sin(angles[p, i])
                a, b = x[..., p, i], x[..., p, i + half]
                out[..., p, i], out[..., p, i + half] = a * c - b * s, a * s + b * c
        return out

    return Call(lambda: (turned(q), turned(k)))


def jax_jit(size: Size) -> Call:
    """The usual formula, compiled by JAX."""
    import jax
    import jax.numpy as jnp

    ready: Any = jax.block_until_ready
    q, k = (jnp.asarray(x, size.dtype) for x in tokens(size))
    angles = np.concatenate([_numpy_angles(size)] * 2, -1)
    cos, sin = (jnp.asarray(t, size.dtype) for t in (np.cos(angles), np.sin(angles)))

    @jax.jit
    def both(q: Any, k: Any, cos: Any, sin: Any) -> Any:
        def turned(x: Any) -> Any:
            a, b = jnp.split(x, 2, -1)
            return x * cos + jnp.concatenate((-b, a), -1) * sin

        return turned(q), turned(k)

    return Call(lambda: ready(both(q, k, cos, sin)))


SIDES = {
    "transformers": transformers,
    "torch-compile": torch_compile,
    "torch-out": torch_out,
    "meta-complex": meta_complex,
    "rotary-embedding-torch": rotary_embedding_torch,
    "x-transformers": x_transformers,
    "numpy": in_numpy,
    "numpy-loops": in_loops,
    "jax-jit": jax_jit,
}
