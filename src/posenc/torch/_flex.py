"""The forward pass by FlexAttention: one fused loop, in code that torch generates."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention
from torch.nn.functional import pad

from posenc._attending import Seen
from posenc.torch._rows import Layer

_BLOCK = 128
_KINDS = 512


def available() -> bool:
    """Whether torch can generate code for the CPU here: it needs a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))


def by_flex(q: Tensor, k: Tensor, v: Tensor, layer: Layer) -> Tensor:
    """The forward pass; as ``_rows.by_rows``.

    Code is generated for a length, so lengths are rounded up to a few, and what is beyond the real
    keys is masked.
    """
    queries, keys = q.shape[-2], k.shape[-2]
    rows, columns = rounded(queries), rounded(keys)
    seen, by = layer.seen, layer.bias
    q_at, k_at = _longer(by.q_positions, rows), _longer(by.k_positions, columns)
    values = _longer(by.values.float(), rounded(by.values.shape[-1]))
    # As tensors these are inputs of the code; as numbers they would be part of it.
    low, shift, count = q_at.new_tensor([by.low, keys - queries, keys]).unbind()
    most = values.shape[-1] - 1
    mask = seen.mask
    if mask is not None:
        *_, height, width = mask.shape  # an axis of one stays one: it is shared
        more = (columns - keys if width > 1 else 0, rows - queries if height > 1 else 0)
        mask = pad(mask, (0, more[0], 0, more[1]))

    def place(positions: Tensor, row: Tensor, token: Tensor) -> Tensor:
        return positions[token] if positions.ndim == 1 else positions[row, token]

    def biased(score: Tensor, row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        apart = place(q_at, row, i) - place(k_at, row, j) - low
        score = score + values[head, apart.clamp(0, most)]
        allowed = visible(row, head, i, j)
        if mask is not None:
            each = zip((row, head, i, j), mask.shape, strict=True)
            allowed = allowed & mask[tuple(n if size > 1 else n * 0 for n, size in each)]
        return torch.where(allowed, score, -float("inf"))

    def visible(row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        ahead = j - i - shift
        inside = j < count
        if seen.causal:
            inside = inside & (ahead <= 0)
        return inside if seen.window is None else inside & (ahead.abs() < seen.window)

    touched = _blocks(rows, columns, keys - queries, seen, q.device)
    padded = (_rows_to(q, rows), _rows_to(k, columns), _rows_to(v, columns))
    # Each kind of mask, size and dtype has code of its own, more than torch allows by default.
    with torch._dynamo.config.patch(recompile_limit=_KINDS):
        out = _compiled()(*padded, score_mod=biased, block_mask=touched, scale=layer.scale)
    cut: Tensor = out[..., :queries, :]
    return cut


def rounded(count: int) -> int:
    """``count`` rounded up to one of four sizes in every octave."""
    step = max(_BLOCK, 1 << max((count - 1).bit_length() - 3, 0))
    return -(-count // step) * step


def _longer(table: Tensor, length: int) -> Tensor:
    more = length - table.shape[-1]
    return pad(table, (0, more)) if more else table


def _rows_to(x: Tensor, rows: int) -> Tensor:
    more = rows - x.shape[-2]
    return pad(x, (0, 0, 0, more)) if more else x


@cache
def _compiled() -> Callable[..., Any]:
    return torch.compile(flex_attention, fullgraph=True, dynamic=False)


def _blocks(queries: int, keys: int, shift: int, seen: Seen, device: torch.device) -> BlockMask:
    """Which blocks of keys a block of queries touches, by counting: never a mask of all pairs.

    What is masked inside of a block, the score function masks.
    """
    first = torch.arange(0, queries, _BLOCK, device=device) + shift
    last = first + _BLOCK - 1
    count = keys // _BLOCK
    bottom, top = torch.zeros_like(first), torch.full_like(first, count)
    if seen.window is not None:
        bottom = ((first - seen.window + 1) // _BLOCK).clamp(0, count)
        top = ((last + seen.window - 1) // _BLOCK + 1).clamp(0, count)
    if seen.causal:
        top = torch.minimum(top, (last // _BLOCK + 1).clamp(0, count))
    index = (bottom[:, None] + torch.arange(count, device=device)).clamp(max=count - 1)
    return BlockMask.from_kv_blocks(
        (top - bottom).clamp(min=0)[None, None].int(),
        index[None, None].int(),
        BLOCK_SIZE=_BLOCK,
        seq_lengths=(queries, keys),
        compute_q_blocks=False,
    )
