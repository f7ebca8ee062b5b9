"""Attention over blocks of queries: no matrix of all queries and keys for every head.

Forward and backward hold the logits of one block at a time. The backward makes them again from
q, k and the bias, so that nothing but the output is kept in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import array_api_compat.torch as xp
import torch
from torch import Tensor

from posenc._arrays import undisturbed
from posenc._attending import Seen
from posenc.errors import check
from posenc.torch._distance import Distances

_ROWS = 64


class Layer(NamedTuple):
    """What attention depends on besides q, k, v and the values of the bias."""

    scale: float
    seen: Seen
    bias: Distances


Forward = Callable[[Tensor, Tensor, Tensor, Layer], Tensor]


class Attention(torch.autograd.Function):
    """Attention under a bias by distance, ``(batch, heads, q, dim)``; each head has its own keys.

    The forward pass is anybody's; the backward is by blocks, has the gradient of the bias, and
    refuses to be differentiated again.
    """

    @staticmethod
    def forward(
        ctx: Any, q: Tensor, k: Tensor, v: Tensor, values: Tensor, layer: Layer, run: Forward
    ) -> Tensor:
        layer = layer._replace(bias=layer.bias.with_values(values.detach()))
        out = run(q.detach(), k.detach(), v.detach(), layer)
        ctx.save_for_backward(q, k, v, out)
        ctx.layer, ctx.drawn = layer, version(layer.seen.mask)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        # Zeros would come back where a gradient's own gradient is asked for, not an error.
        hint = "Pass backend='sdpa' where gradients are differentiated in turn."
        again = torch.is_grad_enabled()
        check(
            not again,
            "attend(): backend",
            "'sdpa' with create_graph=True",
            "one that goes by rows",
            hint,
        )
        check_unchanged(ctx.layer.seen.mask, ctx.drawn)
        with undisturbed(grads[0]):
            return _backward(ctx, grads[0])


def version(mask: Tensor | None) -> int:
    """How often a mask has been written to."""
    return 0 if mask is None else mask._version


def check_unchanged(mask: Tensor | None, drawn: int) -> None:
    """Refuse a backward pass under another mask than the forward pass had."""
    same = version(mask) == drawn
    check(same, "attend(): mask", "as it was until the backward pass", "one written to since")


def _backward(ctx: Any, grad: Tensor) -> Any:
    q, k, v, out = ctx.saved_tensors
    layer = ctx.layer
    keys, held = wide(k), wide(v)
    d_q, d_k, d_v = torch.empty_like(q), torch.zeros_like(keys), torch.zeros_like(held)
    d_values = torch.zeros_like(layer.bias.values) if ctx.needs_input_grad[3] else None
    for rows, count, p in _weights(q, keys, layer):
        d_out, near = wide(grad[..., rows, :]), keys[..., :count, :]
        inner = (d_out * wide(out[..., rows, :])).sum(-1, keepdim=True)
        d_logits = (d_out @ held[..., :count, :].mT).sub_(inner).mul_(p)
        d_v[..., :count, :] += p.mT @ d_out
        d_q[..., rows, :] = (d_logits @ near).mul_(layer.scale)
        d_k[..., :count, :] += d_logits.mT @ (wide(q[..., rows, :]) * layer.scale)
        if d_values is not None:
            layer.bias.add_grad(d_values, d_logits, rows)
    return d_q, d_k.to(k.dtype), d_v.to(v.dtype), d_values, None, None


def by_rows(q: Tensor, k: Tensor, v: Tensor, layer: Layer) -> Tensor:
    """The forward pass, one block of rows after another."""
    out = v.new_empty((*q.shape[:-1], v.shape[-1]))
    held = wide(v)
    for rows, count, p in _weights(q, wide(k), layer):
        out[..., rows, :] = p @ held[..., :count, :]
    return out


def blocks(queries: int, keys: int, seen: Seen) -> Iterator[tuple[slice, int]]:
    """The rows of each block, and how many keys from the first on they can see."""
    for first in range(0, queries, _ROWS):
        rows = slice(first, min(first + _ROWS, queries))
        count = keys - queries + rows.stop if seen.causal else keys
        yield rows, min(max(count, 0), keys)


def _weights(q: Tensor, k: Tensor, layer: Layer) -> Iterator[tuple[slice, int, Tensor]]:
    """The attention weights of each block; a row that sees nothing is zeros."""
    for rows, count in blocks(q.shape[-2], k.shape[-2], layer.seen):
        logits = (wide(q[..., rows, :]) * layer.scale) @ k[..., :count, :].mT
        logits += layer.bias.rows(rows, count)
        allowed = layer.seen.allowed(q, k, xp, rows=rows, count=count)
        if allowed is None:
            yield rows, count, torch.softmax(logits, -1)
            continue
        p = torch.softmax(logits.masked_fill_(~allowed, float("-inf")), -1)
        blind = ~allowed.any(-1, keepdim=True)
        yield rows, count, p.masked_fill_(blind, 0.0) if bool(blind.any()) else p


def softmax_of(logits: Tensor, allowed: Tensor | None) -> Tensor:
    """Weights of those that are allowed, out of place; zeros where nothing is."""
    if allowed is None:
        return torch.softmax(logits, -1)
    weights = torch.softmax(logits.masked_fill(~allowed, float("-inf")), -1)
    return weights.masked_fill(~allowed, 0.0)


def wide(x: Tensor) -> Tensor:
    """``x`` in float32, or as it is if it is wider."""
    return x if x.dtype == torch.float64 else x.float()
