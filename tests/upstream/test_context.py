"""CoPE of x-transformers, and what it does to keys that are not there yet.

The authors of the remapping rules ship patches of old model files, which cannot be installed; those
rules are held to an independent score per pair in ``tests/unit/test_context.py``.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor
from x_transformers.x_transformers import CoPE

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, DIM, ROWS = 2, 3, 10, 4
LARGEST = 4e-6  # of logits up to 11; measured 1.5e-6


def theirs(q: Tensor, k: Tensor, table: Tensor, after: Tensor) -> Tensor:
    """Logits as their attention makes them: scaled, masked, and then CoPE."""
    module = CoPE(DIM, HEADS, ROWS)
    module.load_state_dict({"pos_emb": table})
    masked = (q @ k.mT * DIM**-0.5).masked_fill(after, -torch.finfo(torch.float32).max)
    with torch.no_grad():
        return masked + module(q, masked)


def ours(q: Tensor, k: Tensor, table: Tensor, q_at: Tensor, k_at: Tensor) -> Tensor:
    spec = posenc.Cope(dim=DIM, rows=ROWS, scale=DIM**-0.5)
    adjust = posenc.bind(spec, {"table": table * DIM**0.5}).adjust
    return adjust(q @ k.mT, q, k, q_at, k_at) * DIM**-0.5


@pytest.mark.parametrize("first", [8, 70_001])
@pytest.mark.parametrize(("queries", "keys"), [(7, 7), (3, 11)])
def test_logits_are_those_of_x_transformers(first: int, queries: int, keys: int) -> None:
    drawn = torch.Generator().manual_seed(first + queries)
    q, k, table = (
        torch.randn(*shape, generator=drawn)
        for shape in ((BATCH, HEADS, queries, DIM), (BATCH, HEADS, keys, DIM), (ROWS, DIM))
    )
    k_at = torch.arange(first, first + keys)
    q_at = k_at[-queries:]
    after = q_at[:, None] < k_at[None, :]
    got, due = ours(q, k, table, q_at, k_at), theirs(q, k, table, after)
    seen = ~after.expand_as(got)
    difference = (got - due)[seen].abs().max().item()
    assert difference < LARGEST
    assert (got - q @ k.mT * DIM**-0.5)[seen].abs().max() > 1  # the table does something


def test_attention_is_theirs_too() -> None:
    drawn = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(BATCH, HEADS, 9, DIM, generator=drawn) for _ in range(3))
    table = torch.randn(ROWS, DIM, generator=drawn)
    at = torch.arange(8, 17)
    due = theirs(q, k, table, at[:, None] < at[None, :]).softmax(-1) @ v
    got = posenc.attend(
        *(q, k, v, posenc.Cope(dim=DIM, rows=ROWS, scale=DIM**-0.5)),
        q_positions=at,
        causal=True,
        arrays={"table": table * DIM**0.5},
    )
    np.testing.assert_allclose(got, due, atol=3e-6)
