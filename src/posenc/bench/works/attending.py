"""Causal attention under ALiBi or T5's bias, alone or with the gradients of all that is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc import Alibi, T5Bias
from posenc.bench._case import Size
from posenc.bench.works import Call, CannotError
from posenc.bench.works._given import torch_dtype


def _encoding(size: Size) -> Any:
    import torch

    import posenc.torch

    torch.manual_seed(0)  # T5 draws its table, which has to be the same for all sides
    alibi = size.spec == "alibi"
    spec = Alibi(heads=size.heads) if alibi else T5Bias(heads=size.heads, bidirectional=False)
    return posenc.torch.Encoding(spec)


def _attention(size: Size, attended: Callable[..., Any], encoding: Any = None) -> Call:
    """The call of a function of q, k and v, and of what the encoding has learned."""
    import torch

    draw, shape = np.random.default_rng(0), (size.batch, size.heads, size.length, size.dim)
    drawn = (torch.from_numpy(draw.standard_normal(shape, dtype=np.float32)) for _ in range(4))
    q, k, v, upstream = (x.to(torch_dtype(size)) for x in drawn)
    if not size.backward:

        def forward() -> Any:
            with torch.no_grad():
                return (attended(q, k, v),)

        return Call(forward)
    learned = [] if encoding is None else list(encoding.parameters())
    leaves = [x.requires_grad_() for x in (q, k, v)] + learned

    def both() -> Any:
        out = attended(q, k, v)
        return (out, *torch.autograd.grad(out, leaves, upstream))

    return Call(both)


def attend(size: Size) -> Call:
    """``posenc.torch.attend``."""
    import torch

    import posenc.torch

    encoding, at = _encoding(size), torch.arange(size.length)

    def attended(q: Any, k: Any, v: Any) -> Any:
        return posenc.torch.attend(q, k, v, encoding, q_positions=at, causal=True)

    return _attention(size, attended, encoding)


def materialised(size: Size) -> Call:
    """The bias of every head, query and key as the mask of torch's attention."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention as sdpa

    encoding, at = _encoding(size), torch.arange(size.length)

    def attended(q: Any, k: Any, v: Any) -> Any:
        bias = encoding(at, at)
        ahead = torch.ones(size.length, size.length, dtype=torch.bool).triu_(1)
        return sdpa(q, k, v, attn_mask=bias.masked_fill(ahead, float("-inf")).to(q.dtype))

    return _attention(size, attended, encoding)


def flex_attention(size: Size) -> Call:
    """torch's own way to a bias that is never made whole, in code that it generates."""
    import torch
    from torch.nn.attention.flex_attention import create_block_mask
    from torch.nn.attention.flex_attention import flex_attention as flex

    if size.backward:
        raise CannotError("it has no backward pass on a CPU")
    at = torch.arange(size.length)
    with torch.no_grad():
        by_distance = _encoding(size)(at, at[:1])[..., 0]
    n = size.length
    seen = create_block_mask(lambda b, h, i, j: i >= j, None, None, n, n, device="cpu")
    fused = torch.compile(flex, dynamic=False) if size.compile else flex

    def biased(score: Any, b: Any, h: Any, i: Any, j: Any) -> Any:
        return score + by_distance[h, (i - j).abs()]

    return _attention(size, lambda q, k, v: fused(q, k, v, score_mod=biased, block_mask=seen))


def no_bias(size: Size) -> Call:
    """torch's attention without any bias, which does less."""
    from torch.nn.functional import scaled_dot_product_attention as sdpa

    made = _attention(size, lambda q, k, v: sdpa(q, k, v, is_causal=True))
    return made._replace(shown=None)


SIDES = {
    "ours/attend": attend,
    "materialised": materialised,
    "flex-attention": flex_attention,
    "limit/no-bias": no_bias,
}
