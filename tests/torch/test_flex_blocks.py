"""Which blocks FlexAttention visits, against a mask of all pairs; no code is generated for it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

from posenc._attending import Seen
from posenc.torch import _flex

SIZES = (1, 2, 127, 128, 129, 300, 640)
WINDOWS = (None, 1, 2, 128, 130, 257, 10_000)


def visits(size: _flex.Extent, seen: Seen) -> tuple[Any, Any]:
    """How often each block is visited with its pairs looked at, and without."""
    found = _flex.blocks(size, seen, torch.device("cpu"))
    part, whole = (np.zeros((size.rows // 128, size.columns // 128), int) for _ in range(2))
    for times, count, index in (
        (part, found.kv_num_blocks, found.kv_indices),
        (whole, found.full_kv_num_blocks, found.full_kv_indices),
    ):
        for i, row in enumerate(times):
            for j in index[0, 0, i, : count[0, 0, i]].tolist():
                row[j] += 1
    return part, whole


def pairs(size: _flex.Extent, seen: Seen) -> Any:
    """Who sees whom, by blocks: what stands in for the last queries sees as they would."""
    i, j = np.arange(size.rows)[:, None] + size.keys - size.queries, np.arange(size.columns)
    allowed = np.broadcast_to(j < size.keys, (size.rows, size.columns)).copy()
    if seen.causal:
        allowed &= j <= i
    if seen.window is not None:
        allowed &= abs(j - i) < seen.window
    return allowed.reshape(size.rows // 128, 128, size.columns // 128, 128).swapaxes(1, 2)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_every_pair_that_is_seen_is_visited_once(causal: bool, masked: bool) -> None:
    for queries, keys, window in itertools.product(SIZES, SIZES, WINDOWS):
        size = _flex.extent_of(queries, keys)
        mask = torch.ones(1, 1, queries, keys, dtype=torch.bool) if masked else None
        seen = Seen(causal, window, mask)
        part, whole = visits(size, seen)
        seen_by = pairs(size, seen)
        some, every = seen_by.any((2, 3)), seen_by.all((2, 3))
        assert (part + whole <= 1).all()
        assert (part + whole >= some).all(), "no pair is left out"
        assert (whole <= every).all(), "where nobody asks, every query sees every key"
        if window is None:  # else a block may be visited whose pairs just miss it
            assert (part + whole == some).all()
        assert masked or (whole == every).all(), "and nobody asks where that is so"
