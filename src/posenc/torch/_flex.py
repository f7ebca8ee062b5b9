"""The forward pass by FlexAttention: one fused loop, in code that torch generates."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention

from posenc._attending import Seen
from posenc.torch._rows import Layer

_BLOCK = 128


def available() -> bool:
    """Whether torch can generate code for the CPU here: it needs a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))


def by_flex(q: Tensor, k: Tensor, v: Tensor, layer: Layer) -> Tensor:
    """The forward pass; as ``_rows.by_rows``."""
    queries, keys = q.shape[-2], k.shape[-2]
    shift, seen, by = keys - queries, layer.seen, layer.bias
    q_at, k_at, values, low = by.q_positions, by.k_positions, by.values.float(), by.low
    mask = seen.mask
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], queries, keys)

    def place(positions: Tensor, row: Tensor, token: Tensor) -> Tensor:
        return positions[token] if positions.ndim == 1 else positions[row, token]

    def biased(score: Tensor, row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        apart = place(q_at, row, i) - place(k_at, row, j)
        score = score + values[head, apart - low]
        return score if mask is None else torch.where(mask[row, head, i, j], score, -float("inf"))

    def visible(row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        ahead = j - i - shift
        inside = ahead <= 0 if seen.causal else ahead == ahead
        return inside if seen.window is None else inside & (ahead.abs() < seen.window)

    blocks = None
    if seen.causal or seen.window is not None:
        blocks = _blocks(queries, keys, seen, visible, q.device)
    return _compiled()(q, k, v, score_mod=biased, block_mask=blocks, scale=layer.scale)


@cache
def _compiled() -> Callable[..., Any]:
    return torch.compile(flex_attention, fullgraph=True, dynamic=True)


def _blocks(queries: int, keys: int, seen: Seen, visible: Any, device: torch.device) -> BlockMask:
    """Which blocks of keys a block of queries touches, by counting: never a mask of all pairs."""
    rows = torch.arange((queries + _BLOCK - 1) // _BLOCK, device=device)
    count = (keys + _BLOCK - 1) // _BLOCK
    shift = keys - queries
    last = (rows + 1) * _BLOCK - 1 + shift
    top = (last // _BLOCK + 1).clamp(0, count) if seen.causal else torch.full_like(rows, count)
    bottom = torch.zeros_like(rows)
    if seen.window is not None:
        bottom = ((rows * _BLOCK + shift - seen.window + 1) // _BLOCK).clamp(0, count)
        if not seen.causal:
            top = ((last + seen.window - 1) // _BLOCK + 1).clamp(0, count)
    number = (top - bottom).clamp(min=0)
    index = (bottom[:, None] + torch.arange(count, device=device)).clamp(max=max(count - 1, 0))
    return BlockMask.from_kv_blocks(
        number[None, None].int(),
        index[None, None].int(),
        BLOCK_SIZE=_BLOCK,
        mask_mod=visible,
        seq_lengths=(queries, keys),
        compute_q_blocks=False,
    )
