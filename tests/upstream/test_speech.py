"""Speech encoders of installed transformers whose logits meet sinusoids of distances, and ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import (
    FastSpeech2ConformerConfig,
    Phi4MultimodalAudioConfig,
    SeamlessM4TConfig,
)
from transformers.models.fastspeech2_conformer import modeling_fastspeech2_conformer
from transformers.models.gemma4 import modeling_gemma4
from transformers.models.phi4_multimodal import modeling_phi4_multimodal
from transformers.models.seamless_m4t import modeling_seamless_m4t

import posenc
import posenc.torch

pytestmark = pytest.mark.upstream

BATCH, HEADS, DIM = 2, 3, 10
WIDTH = HEADS * DIM
starts = pytest.mark.parametrize("start", [8, 70_001])


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def heads(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def projected(linear: Any, code: Tensor) -> Tensor:
    return linear(code).unflatten(-1, (HEADS, -1)).transpose(0, 1).detach()


def conformer(layer: Any, x: Tensor, start: int) -> Tensor:
    """What the entry makes of the layer's own projections."""
    tokens = x.shape[1]
    spec: Any = posenc.encodings()["conformer"].make(dim=DIM, heads=HEADS, length=tokens)
    code = posenc.bind(posenc.Sinusoidal(dim=WIDTH)).embed(torch.from_numpy(spec.distances()))
    table = projected(layer.linear_pos, code)
    arrays = {"u": layer.pos_bias_u, "v": layer.pos_bias_v, "table": table}
    q, k, v = (heads(f(x)) for f in (layer.linear_q, layer.linear_k, layer.linear_v))
    at = torch.arange(start, start + tokens)
    y = posenc.attend(q, k, v, spec, q_positions=at, arrays=arrays)
    return layer.linear_out(y.transpose(1, 2).flatten(2)).detach()


@starts
def test_fastspeech2_conformer(start: int) -> None:
    module = modeling_fastspeech2_conformer
    config = FastSpeech2ConformerConfig(hidden_size=WIDTH)
    own = {"num_attention_heads": HEADS, "attention_dropout_rate": 0, "positional_dropout_rate": 0}
    layer = module.FastSpeech2ConformerAttention(config, own).eval()
    nn.init.normal_(layer.pos_bias_u, std=0.7)
    nn.init.normal_(layer.pos_bias_v, std=0.7)
    x = torch.randn(BATCH, 13, WIDTH)
    code = module.FastSpeech2ConformerRelPositionalEncoding(config, own)(x)[1]
    theirs = layer(x, pos_emb=code)[0].detach()
    np.testing.assert_allclose(conformer(layer, x, start), theirs, atol=5e-7, rtol=0)


@starts
def test_seamless_m4t(start: int) -> None:
    module = modeling_seamless_m4t
    config = SeamlessM4TConfig(hidden_size=WIDTH, speech_encoder_attention_heads=HEADS)
    config._attn_implementation = "eager"
    layer = module.SeamlessM4TConformerSelfAttention(config).eval()
    nn.init.normal_(layer.pos_bias_u, std=0.7)
    nn.init.normal_(layer.pos_bias_v, std=0.7)
    x = torch.randn(BATCH, 13, WIDTH)
    code = module.SeamlessM4TConformerRelPositionalEmbedding(config)(x)
    theirs = layer(x, relative_position_embeddings=code)[0].detach()
    np.testing.assert_allclose(conformer(layer, x, start), theirs, atol=5e-7, rtol=0)


@starts
def test_gemma4_audio(start: int) -> None:
    """Three blocks of twelve; the soft cap and the scales of channels are the layer's."""
    tokens = 31
    config = modeling_gemma4.Gemma4AudioConfig(hidden_size=WIDTH, num_attention_heads=HEADS)
    layer = modeling_gemma4.Gemma4AudioAttention(config, 0).eval()
    nn.init.normal_(layer.per_dim_scale)
    x = torch.randn(BATCH, tokens, WIDTH)
    block, before = layer.chunk_size, layer.max_past_horizon
    assert (block, before, layer.max_future_horizon) == (12, 12, 0)
    query = torch.arange(3 * block).reshape(3, block, 1)
    key = block * torch.arange(3)[:, None, None] - before + torch.arange(layer.context_size)
    seen = (key >= 0) & (key < tokens) & (query >= key) & (query - key <= before)
    code = modeling_gemma4.Gemma4AudioRelPositionalEncoding(config)(x)
    theirs = layer(x, code, attention_mask=(~seen)[None, None])[0].detach()

    q, k, v = (heads(f(x)) for f in (layer.q_proj, layer.k_proj, layer.v_proj))
    q = q * layer.q_scale * nn.functional.softplus(layer.per_dim_scale)
    k = k * layer.k_scale
    ladder = posenc.Sinusoidal(dim=WIDTH, layout="half", ladder="tensor2tensor")
    table = projected(layer.relative_k_proj, posenc.bind(ladder).embed(torch.arange(12, -1, -1)))
    spec = posenc.encodings()["gemma3n-audio"].make(dim=DIM, heads=HEADS)
    at = torch.arange(start, start + tokens)
    logits = posenc.bind(spec, {"table": table}).adjust(q @ k.mT, q, k, at, at)
    logits = layer.softcap * torch.tanh(logits / layer.softcap)
    apart = at[:, None] - at
    logits = logits.masked_fill((apart < 0) | (apart > before), float("-inf"))
    ours = layer.post((logits.softmax(-1) @ v).transpose(1, 2).flatten(2)).detach()
    np.testing.assert_allclose(ours, theirs, atol=5e-7, rtol=0)


def test_phi_4_has_a_number_for_each_offset_of_frames() -> None:
    """A table of one row of cells; it counts from query to key, and clips from its ends on."""
    config = Phi4MultimodalAudioConfig(bias_max_distance=20, num_attention_heads=HEADS)
    layer = modeling_phi4_multimodal.Phi4MultimodalAudioRelativeAttentionBias(config)
    nn.init.normal_(layer.bias_values.weight)
    table = layer.bias_values.weight[1:].flip(0)
    scheme = posenc.bind(posenc.SwinBias(heads=HEADS, window=(1, 20)), {"table": table})
    frames = posenc.positions.grid(h=1, w=20, order="hw", xp="torch") + 8
    theirs = layer(torch.zeros(BATCH, 20, WIDTH))[0]
    torch.testing.assert_close(scheme.bias(frames), theirs, atol=0, rtol=0)
