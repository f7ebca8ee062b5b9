"""The forward pass by FlexAttention: one fused loop, in code that torch generates."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention
from torch.nn.functional import pad

from posenc._attending import Seen
from posenc.torch._distance import Distances
from posenc.torch._rows import Layer

_BLOCK = 128
_KINDS = 512


def available() -> bool:
    """Whether torch can generate code for the CPU here: it needs a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))


class Extent(NamedTuple):
    """How many queries and keys there are, and how many with what fills the last blocks up."""

    queries: int
    keys: int
    rows: int
    columns: int


def extent_of(queries: int, keys: int) -> Extent:
    """Code is generated for a length, so lengths are rounded up to a few."""
    return Extent(queries, keys, rounded(queries), rounded(keys))


def by_flex(q: Tensor, k: Tensor, v: Tensor, layer: Layer) -> Tensor:
    """The forward pass; as ``_rows.by_rows``."""
    size = extent_of(q.shape[-2], k.shape[-2])
    longer = (_rows_to(q, size.rows), *(_rows_to(x, size.columns) for x in (k, v)))
    # Each kind of mask, size and dtype has code of its own, more than torch allows by default.
    with torch._dynamo.config.patch(recompile_limit=_KINDS):
        out: Tensor = _compiled()(
            *longer,
            score_mod=_biased(size, layer.bias),
            block_mask=blocks(size, layer.seen, q.device),
            scale=layer.scale,
        )
    return out[..., : size.queries, :]


def _biased(size: Extent, by: Distances) -> Callable[..., Tensor]:
    """The bias of a pair, added to its logit."""
    values = by.values.float()
    if by.straight:  # then indices tell the distance
        line = pad(values, (size.columns - size.keys, size.rows - size.queries))

        def by_index(score: Tensor, row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
            return score + line[head, i - j + (size.columns - 1)]

        return by_index

    q_at, k_at = _longer(by.q_positions, size.rows), _longer(by.k_positions, size.columns)
    values = _longer(values, rounded(values.shape[-1]))
    low = q_at.new_tensor(by.low)  # a tensor is an input of the code; a number is part of it
    most = values.shape[-1] - 1

    def place(positions: Tensor, row: Tensor, token: Tensor) -> Tensor:
        return positions[token] if positions.ndim == 1 else positions[row, token]

    def by_position(score: Tensor, row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        apart = place(q_at, row, i) - place(k_at, row, j) - low
        return score + values[head, apart.clamp(0, most)]

    return by_position


def _sees(size: Extent, seen: Seen, device: torch.device) -> Callable[..., Tensor]:
    """Whether a query sees a key; what stands in for keys that there are not, nobody sees."""
    shift, count = torch.tensor([size.keys - size.queries, size.keys], device=device).unbind()
    mask = seen.mask
    if mask is not None:
        *_, height, width = mask.shape  # an axis of one stays one: it is shared
        right = size.columns - size.keys if width > 1 else 0
        mask = pad(mask, (0, right, 0, size.rows - size.queries if height > 1 else 0))

    def sees(row: Tensor, head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        ahead, allowed = j - i - shift, j < count
        if seen.causal:
            allowed = allowed & (ahead <= 0)
        if seen.window is not None:
            allowed = allowed & (ahead.abs() < seen.window)
        if mask is not None:
            each = zip((row, head, i, j), mask.shape, strict=True)
            allowed = allowed & mask[tuple(n if many > 1 else n * 0 for n, many in each)]
        return allowed

    return sees


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


def blocks(size: Extent, seen: Seen, device: torch.device) -> BlockMask:
    """Which blocks of keys a block of queries visits, by counting: never a mask of all pairs.

    Where every query of a block sees every key, nobody asks.
    """
    first = torch.arange(0, size.rows, _BLOCK, device=device) + size.keys - size.queries
    last, count = first + (_BLOCK - 1), size.columns // _BLOCK
    # Some query of the block sees keys from start to stop, each sees those from low to high.
    start = low = torch.zeros_like(first)
    stop = high = torch.full_like(first, size.keys)
    if seen.window is not None:
        start, low = first - seen.window + 1, last - seen.window + 1
        stop, high = (t + seen.window for t in (last, first))
    if seen.causal:
        stop, high = torch.minimum(stop, last + 1), torch.minimum(high, first + 1)
    stop, high = stop.clamp(max=size.keys), high.clamp(max=size.keys)
    start, stop = (start // _BLOCK).clamp(0, count), (-(-stop // _BLOCK)).clamp(0, count)
    low, high = (-(-low // _BLOCK)).clamp(0, count), (high // _BLOCK).clamp(0, count)
    stop = torch.maximum(start, stop)
    high = torch.maximum(low, high) if seen.mask is None else low
    whole = high - low
    each = torch.arange(count, device=device)
    others = start[:, None] + each
    others = torch.where(others < low[:, None], others, others + whole[:, None])

    def shaped(numbers: Tensor) -> Tensor:
        return numbers.clamp(max=max(count - 1, 0) if numbers.ndim > 1 else count)[None, None].int()

    return BlockMask.from_kv_blocks(
        shaped(stop - start - whole),
        shaped(others),
        shaped(whole),
        shaped(low[:, None] + each),
        BLOCK_SIZE=_BLOCK,
        mask_mod=_sees(size, seen, device),
        seq_lengths=(size.rows, size.columns),
        compute_q_blocks=False,
    )
