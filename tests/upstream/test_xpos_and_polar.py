"""xPos and PoPE against x-transformers and rotary-embedding-torch."""

from __future__ import annotations

import numpy as np
import pytest
import rotary_embedding_torch
import torch
from torch import Tensor
from x_transformers import x_transformers

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS, DIM = 2, 3, 9, 10


def drawn(count: int, seed: int, heads: int = HEADS) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, heads, count, DIM, generator=generator)


@pytest.mark.parametrize("length", [9, 1024, 4097])
def test_xpos_of_x_transformers(length: int) -> None:
    """Its centre is half of the largest position and one; here the last nine tokens."""
    at = torch.arange(length)
    angles, scale = x_transformers.RotaryEmbedding(DIM, use_xpos=True)(at)
    q, k = drawn(TOKENS, 0), drawn(TOKENS, 1)
    theirs = [
        x_transformers.apply_rotary_pos_emb(q, angles, scale),
        x_transformers.apply_rotary_pos_emb(k, angles, scale**-1),
    ]
    spec = posenc.XPos(dim=DIM, layout="interleaved", centre=length // 2)
    scheme = posenc.bind(spec, arithmetic="float32")
    last = at[-TOKENS:]
    for got, due in zip((scheme.query(q, last), scheme.key(k, last)), theirs, strict=True):
        np.testing.assert_allclose(got, due, rtol=3e-5, atol=1e-6)
    np.testing.assert_allclose(
        scheme.query(q, last) @ scheme.key(k, last).mT, theirs[0] @ theirs[1].mT, atol=2e-5
    )


def test_xpos_of_rotary_embedding_torch() -> None:
    rotary = rotary_embedding_torch.RotaryEmbedding(DIM, use_xpos=True)
    q, k = drawn(17, 0), drawn(17, 1)
    theirs = rotary.rotate_queries_and_keys(q, k)
    scheme = posenc.bind(posenc.XPos(dim=DIM, layout="interleaved", centre=8))
    ours = scheme.query(q, torch.arange(17)), scheme.key(k, torch.arange(17))
    for got, due in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(got, due, atol=1e-6)


def test_its_cached_keys_have_another_centre_than_its_queries() -> None:
    """Its path for a cache centres queries on their own number: scores are off by a factor.

    The last of 17 queries alone has its centre at 0, half of one token, and keys have theirs at 8,
    half of 17. posenc gives what its own call over the whole text gives.
    """
    rotary = rotary_embedding_torch.RotaryEmbedding(DIM, use_xpos=True)
    q, k = drawn(17, 0), drawn(17, 1)
    whole_q, whole_k = rotary.rotate_queries_and_keys(q, k)
    due = whole_q[:, :, -1:] @ whole_k.mT
    last_q, cached_k = rotary.rotate_queries_with_cached_keys(q[:, :, -1:], k)
    theirs = last_q @ cached_k.mT
    scheme = posenc.bind(posenc.XPos(dim=DIM, layout="interleaved", centre=0))
    ours = scheme.query(q[:, :, -1:], torch.tensor([16])) @ scheme.key(k, torch.arange(17)).mT
    np.testing.assert_allclose(ours, due, atol=3e-6)
    assert (theirs - due).abs().max().item() == pytest.approx(0.088, rel=0.02)
    # Off by z^(8 / 512) in each pair: with that, its answer is right too.
    ratio = posenc.bind(posenc.XPos(dim=DIM, layout="interleaved", centre=8)).query(
        torch.ones(1, 1, DIM), torch.tensor([0])
    ) / posenc.bind(posenc.XPos(dim=DIM, layout="interleaved", centre=0)).query(
        torch.ones(1, 1, DIM), torch.tensor([0])
    )
    np.testing.assert_allclose((last_q * ratio) @ cached_k.mT, due, atol=3e-6)


@pytest.mark.parametrize("start", [8, 70_001])
def test_pope_of_x_transformers(start: int) -> None:
    """By pairs of positions: its widened vectors, our adjusted logits. Phases of either side."""
    module = x_transformers.PolarEmbedding(DIM, HEADS)
    phase = torch.randn(HEADS, 1, DIM, generator=torch.Generator().manual_seed(3)) * 4
    module.learned_bias.data = phase
    q, k = drawn(TOKENS, 0), drawn(TOKENS, 1)
    at = torch.arange(start, start + TOKENS)
    angles, bias = module(at)
    theirs_q = x_transformers.apply_polar_pos_emb(q, angles)
    theirs_k = x_transformers.apply_polar_pos_emb(k, (angles + bias)[None])
    theirs = theirs_q @ theirs_k.mT
    spec = posenc.Polar(dim=DIM, heads=HEADS)
    scheme = posenc.bind(spec, {"phase": phase[:, 0]}, arithmetic="float32")
    ours = scheme.adjust(q @ k.mT, q, k, at, at)
    np.testing.assert_allclose(ours, theirs.detach(), atol=5e-6 if start == 8 else 1e-2)
    exact = posenc.bind(spec, {"phase": phase[:, 0]})
    moved = exact.adjust(q @ k.mT, q, k, at - start, at - start)
    np.testing.assert_allclose(exact.adjust(q @ k.mT, q, k, at, at), moved, atol=5e-6)
