"""Attention layers of installed transformers, and the same layer through ``posenc.attend``.

Only the projections are theirs on our side: raw q, k and v go into the reference attention with
the spec that the layer's config means. Positions start at 8, B != S, heads != key heads.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers.models.bloom import modeling_bloom
from transformers.models.llama import modeling_llama
from transformers.models.phi3 import modeling_phi3

import posenc

pytestmark = pytest.mark.upstream

BATCH, TOKENS, HEADS, KV_HEADS, DIM = 2, 7, 4, 2, 16
SCALINGS = {
    "default": ({"rope_type": "default"}, posenc.Unscaled()),
    "linear": ({"rope_type": "linear", "factor": 4.0}, posenc.Linear(factor=4)),
    "yarn": (
        {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 64},
        posenc.Yarn(factor=8, trained_length=64),
    ),
    "yarn-two-mscales": (
        {
            "rope_type": "yarn",
            "factor": 8.0,
            "original_max_position_embeddings": 64,
            "mscale": 0.8,
            "mscale_all_dim": 0.5,
        },
        posenc.Yarn(factor=8, trained_length=64, mscale=0.8, mscale_all_dim=0.5),
    ),
    "llama3": (
        {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        },
        posenc.Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, trained_length=64),
    ),
    "dynamic": (
        {"rope_type": "dynamic", "factor": 2.0},
        posenc.DynamicNtk(factor=2, trained_length=512),
    ),
}


def heads(x: torch.Tensor, count: int) -> torch.Tensor:
    return x.view(BATCH, TOKENS, count, -1).transpose(1, 2)


def causal_mask(dtype: torch.dtype = torch.float32) -> torch.Tensor:
    ahead = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    return torch.zeros(TOKENS, TOKENS, dtype=dtype).masked_fill(ahead, float("-inf"))[None, None]


@pytest.mark.parametrize("start", [8, 501])
@pytest.mark.parametrize("name", SCALINGS)
def test_llama(name: str, start: int) -> None:
    torch.manual_seed(0)
    block, scaling = SCALINGS[name]
    config = modeling_llama.LlamaConfig(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        max_position_embeddings=512,
        rope_parameters={"rope_theta": 10_000.0, **block},
        attn_implementation="eager",
    )
    layer = modeling_llama.LlamaAttention(config, layer_idx=0)
    hidden = torch.randn(BATCH, TOKENS, HEADS * DIM)
    positions = torch.arange(start, start + TOKENS)
    turn = modeling_llama.LlamaRotaryEmbedding(config)(hidden, positions[None].expand(BATCH, -1))
    theirs, _ = layer(hidden, position_embeddings=turn, attention_mask=causal_mask())

    ours = posenc.attend(
        heads(layer.q_proj(hidden), HEADS),
        heads(layer.k_proj(hidden), KV_HEADS),
        heads(layer.v_proj(hidden), KV_HEADS),
        posenc.Rope(dim=DIM, layout="half", scaling=scaling),
        q_positions=positions,
        causal=True,
        length=start + TOKENS,
    )
    ours = layer.o_proj(ours.transpose(1, 2).reshape(BATCH, TOKENS, -1))
    np.testing.assert_allclose(ours.detach(), theirs.detach(), atol=2e-6)


@pytest.mark.parametrize("start", [8, 70])  # before and past the trained length of 64
def test_phi3_partial_longrope(start: int) -> None:
    torch.manual_seed(1)
    turned = DIM // 2
    short, long = [1.0, 1.1, 1.3, 1.5], [1.0, 2.0, 4.0, 8.0]
    config = modeling_phi3.Phi3Config(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        max_position_embeddings=512,
        original_max_position_embeddings=64,
        pad_token_id=0,
        rope_parameters={
            "rope_type": "longrope",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": 0.5,
            "short_factor": short,
            "long_factor": long,
            "factor": 8.0,
            "original_max_position_embeddings": 64,
        },
        attn_implementation="eager",
    )
    layer = modeling_phi3.Phi3Attention(config, layer_idx=0)
    hidden = torch.randn(BATCH, TOKENS, HEADS * DIM)
    positions = torch.arange(start, start + TOKENS)
    turn = modeling_phi3.Phi3RotaryEmbedding(config)(hidden, positions[None].expand(BATCH, -1))
    theirs, _ = layer(hidden, position_embeddings=turn, attention_mask=causal_mask())

    q, k, v = layer.qkv_proj(hidden).split([HEADS * DIM, KV_HEADS * DIM, KV_HEADS * DIM], -1)
    rule = posenc.LongRope(short=short, long=long, trained_length=64, factor=8)
    ours = posenc.attend(
        heads(q, HEADS),
        heads(k, KV_HEADS),
        heads(v, KV_HEADS),
        posenc.Rope(dim=turned, head_dim=DIM, layout="half", scaling=rule),
        q_positions=positions,
        causal=True,
        length=start + TOKENS,
    )
    ours = layer.o_proj(ours.transpose(1, 2).reshape(BATCH, TOKENS, -1))
    np.testing.assert_allclose(ours.detach(), theirs.detach(), atol=2e-6)


def test_bloom() -> None:
    torch.manual_seed(2)
    count = 6  # not a power of two
    config = modeling_bloom.BloomConfig(hidden_size=count * DIM, n_head=count)
    layer = modeling_bloom.BloomAttention(config, layer_idx=0).eval()
    hidden = torch.randn(BATCH, TOKENS, count * DIM)
    alibi = modeling_bloom.build_alibi_tensor(torch.ones(BATCH, TOKENS), count, torch.float32)
    blocked = causal_mask().expand(BATCH, 1, -1, -1)
    theirs, _ = layer(hidden, torch.zeros_like(hidden), alibi=alibi, attention_mask=blocked)[:2]

    q, k, v = layer._reshape(layer.query_key_value(hidden))
    positions = torch.arange(8, 8 + TOKENS)
    spec = posenc.Alibi(heads=count)
    ours = posenc.attend(q, k, v, spec, q_positions=positions, causal=True)
    ours = layer.dense(ours.transpose(1, 2).reshape(BATCH, TOKENS, -1))
    np.testing.assert_allclose(ours.detach(), theirs.detach(), atol=2e-6)


@pytest.mark.parametrize("name", ["default", "linear", "yarn", "llama3"])
def test_float32_arithmetic_rounds_as_transformers_does(name: str) -> None:
    block, scaling = SCALINGS[name]
    config = modeling_llama.LlamaConfig(
        hidden_size=HEADS * 64,
        num_attention_heads=HEADS,
        max_position_embeddings=512,
        rope_parameters={"rope_theta": 10_000.0, **block},
    )
    theirs = modeling_llama.LlamaRotaryEmbedding(config)
    spec = posenc.Rope(dim=64, layout="half", scaling=scaling)
    rates = spec.constants(arithmetic="float32")["rates"]
    # They divide and mix in another order for some rules: a last bit, on few frequencies.
    np.testing.assert_array_max_ulp(rates, theirs.inv_freq.numpy(), maxulp=2)
    same = rates == theirs.inv_freq.numpy()
    assert same.mean() >= (1.0 if name in ("default", "linear") else 0.6)

    positions = torch.tensor([0, 1, 8, 4095, 70_001, 131_071])
    cos, sin = theirs(torch.zeros(1), positions[None])
    ours = posenc.tables(spec, positions, arithmetic="float32")
    for a, b in zip(ours, (cos, sin), strict=True):
        given = (a * theirs.attention_scaling).numpy()[:, same]
        np.testing.assert_array_equal(given, b[0, :, :32].numpy()[:, same])
