"""torch's own attention."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc._attending import Seen, check_bias
from posenc.torch._rows import wide


def by_sdpa(
    q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, scale: float, seen: Seen
) -> Tensor:
    """Attention by ``scaled_dot_product_attention``; a query that sees nothing gets zeros."""
    options: dict[str, Any] = {"scale": scale}
    if q.shape[-3] != k.shape[-3]:  # a branch: a comparison of open sizes is no bool
        options["enable_gqa"] = True
    # A program that is exported takes any two lengths: it may not depend on those of its example.
    square = not torch.compiler.is_exporting() and q.shape[-2] == k.shape[-2]
    if scale <= 0:  # torch multiplies its own mask by it: minus infinity times zero
        q, options["scale"] = q * scale, 1.0
    if bias is None and seen.mask is None and seen.window is None and (square or not seen.causal):
        return scaled_dot_product_attention(q, k, v, is_causal=seen.causal, **options)
    mask = allowed = seen.allowed(q, k, xp)
    if bias is not None:  # in float32: half precision would round it to whole steps
        check_bias(bias.shape, (*q.shape[:-1], k.shape[-2]))
        q, k, v, mask = wide(q), wide(k), wide(v), bias.to(wide(q).dtype)
        mask = mask if allowed is None else mask.masked_fill(~allowed, float("-inf"))
    out = scaled_dot_product_attention(q, k, v, attn_mask=mask, **options)
    if allowed is None:
        return out
    return out.masked_fill(~allowed.any(-1, keepdim=True), 0.0)
