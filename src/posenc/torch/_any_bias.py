"""A bias of any kind, made for one block of queries at a time and made again for the backward."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from posenc._attending import Seen, check_bias
from posenc.scheme import Scheme, require
from posenc.torch._rows import blocks, check_unchanged, softmax_of, version, wide


def attend_any(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scheme: Scheme,
    at: tuple[Tensor, Tensor],
    scale: float,
    seen: Seen,
) -> Tensor:
    """Attention under the bias of a scheme at positions, ``(batch, heads, n, dim)``.

    The gradients of what the bias is made of come out of the scheme's own arithmetic.
    """
    q_positions, k_positions = at

    def some(tokens: slice) -> tuple[Any, ...]:
        return (..., tokens) if scheme.coordinates == 1 else (..., tokens, slice(None))

    drawn = version(seen.mask)

    def block(q: Tensor, k: Tensor, v: Tensor, rows: slice, count: int) -> Tensor:
        check_unchanged(seen.mask, drawn)  # this runs again for the backward pass
        bias = require(scheme, "bias")(q_positions[some(rows)], k_positions[some(slice(count))])
        check_bias(bias.shape, (*q.shape[:-2], rows.stop - rows.start, count))
        logits = (wide(q[..., rows, :]) * scale) @ wide(k[..., :count, :]).mT + bias
        weights = softmax_of(logits, seen.allowed(q, k, xp, rows=rows, count=count))
        return (weights @ wide(v[..., :count, :])).to(v.dtype)

    parts = [
        checkpoint(block, q, k, v, rows, count, use_reentrant=False)
        for rows, count in blocks(q.shape[-2], k.shape[-2], seen)
    ]
    return torch.cat(parts, dim=-2)
