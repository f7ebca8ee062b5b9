"""Trained frequencies against rotary-embedding-torch, Mochi, LightGlue and Mistral Large 4."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import rotary_embedding_torch
import torch
from diffusers.models.transformers.transformer_mochi import MochiRoPE
from torch import Tensor
from transformers import MistralLarge4TextConfig
from transformers.models.lightglue import modeling_lightglue
from transformers.models.mistral_large4 import modeling_mistral_large4

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS, DIM = 2, 3, 7, 10


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def test_rotary_embedding_torch() -> None:
    """The frequencies and what they learn from one step."""
    rotary = rotary_embedding_torch.RotaryEmbedding(DIM, learned_freq=True)
    module = posenc.torch.Encoding(posenc.LearnedRope(dim=DIM, layout="interleaved"))
    first = module.learned.arrays()["freqs"]
    torch.testing.assert_close(first[0, :, 0], rotary.freqs, atol=0, rtol=5e-7)
    freqs = drawn(DIM // 2, seed=1)
    rotary.freqs.data = freqs
    with torch.no_grad():
        first.copy_(freqs[None, :, None])
    x = drawn(BATCH, HEADS, TOKENS, DIM)
    theirs = rotary.rotate_queries_or_keys(x, offset=8)
    ours, _ = module(x, x, torch.arange(8, 8 + TOKENS))
    np.testing.assert_allclose(ours.detach(), theirs.detach(), atol=5e-6)
    weights = drawn(*x.shape, seed=2)
    for y in (theirs, ours):
        (y * weights).sum().backward()
    np.testing.assert_allclose(first.grad[0, :, 0], rotary.freqs.grad, rtol=1e-5, atol=1e-3)


@pytest.mark.filterwarnings("ignore:In CPU autocast")
def test_mochi_turns_each_head_by_three_coordinates() -> None:
    freqs = drawn(3, HEADS, DIM // 2)
    cos, sin = MochiRoPE()(freqs, 2, 3, 5, dtype=torch.float32)
    at = MochiRoPE()._get_positions(2, 3, 5, dtype=torch.float32)
    x = drawn(BATCH, 30, HEADS, DIM, seed=1)
    even, odd = x[..., 0::2], x[..., 1::2]
    theirs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)
    spec = posenc.LearnedRope(dim=DIM, layout="interleaved", heads=HEADS, coordinates=3)
    scheme = posenc.bind(spec, {"freqs": freqs.permute(1, 2, 0)})
    np.testing.assert_allclose(scheme.query(x, at, head_axis=-2), theirs, atol=1e-4)
    # The rest is the rounding of their float32 angles, up to some hundreds of radians.
    angle = torch.einsum("nd,dhf->nhf", at.double(), freqs.double())
    c, s = angle.cos(), angle.sin()
    exact = torch.stack([even * c - odd * s, even * s + odd * c], -1).flatten(-2)
    np.testing.assert_allclose(scheme.query(x, at, head_axis=-2), exact, atol=1e-6)


@pytest.mark.parametrize("start", [8, 70_001])
def test_lerope_of_mistral_large4(start: int) -> None:
    """YaRN over 512 tokens times exp(alpha), on the last half of the head, read interleaved.

    Its layers write halves where they read pairs side by side; scores are alike.
    """
    config = MistralLarge4TextConfig(num_hidden_layers=1, head_dim=DIM, qk_rope_head_dim=DIM)
    rotary = modeling_mistral_large4.MistralLarge4TextRotaryEmbedding(config)
    alpha = drawn(DIM // 2) / 2
    rotary.alpha.data = alpha
    q, k = drawn(BATCH, HEADS, TOKENS, DIM, seed=1), drawn(BATCH, 1, TOKENS, DIM, seed=2)
    at = torch.arange(start, start + TOKENS).expand(BATCH, -1)
    cos, sin = rotary(q, at)
    their_q, their_k = modeling_mistral_large4.apply_rotary_pos_emb_interleave(q, k, cos, sin)
    rule = posenc.Yarn(factor=2048, trained_length=512, attention_factor=1.0)
    spec = posenc.LearnedRope(dim=DIM, layout="interleaved", form="exponents", scaling=rule)
    scheme = posenc.bind(spec, {"alpha": alpha[None]})
    ours = scheme.query(q, at) @ scheme.key(k, at).mT
    theirs = (their_q @ their_k.mT).detach()
    np.testing.assert_allclose(ours, theirs, atol=1e-5 if start == 8 else 5e-2)
    near = scheme.query(q, at - start) @ scheme.key(k, at - start).mT
    np.testing.assert_allclose(ours, near, atol=2e-6)  # by distance alone, which theirs is not


def test_lightglue() -> None:
    torch.manual_seed(0)
    dim = 16
    given = SimpleNamespace(descriptor_dim=HEADS * dim, num_attention_heads=HEADS)
    made = modeling_lightglue.LightGluePositionalEncoder(given)
    keypoints = torch.rand(BATCH, TOKENS, 2) * 2 - 1
    q, k = drawn(2, BATCH, HEADS, TOKENS, dim)
    ((cos, sin),) = made(keypoints)
    theirs = torch.stack(modeling_lightglue.apply_rotary_pos_emb(q, k, cos, sin))
    spec = posenc.encodings()["rope-mixed-shared"].make(dim=dim)
    scheme = posenc.bind(spec, {"freqs": made.projector.weight[None]})
    ours = torch.stack([scheme.query(q, keypoints), scheme.key(k, keypoints)])
    torch.testing.assert_close(ours, theirs, atol=2e-6, rtol=0)
    ours.square().sum().backward()
    assert made.projector.weight.grad is not None
