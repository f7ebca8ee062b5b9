"""Factors on logits by position, against installed transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from transformers.models.beam import modeling_beam
from transformers.models.inkling2 import modeling_inkling2
from transformers.models.llama4 import modeling_llama4
from transformers.models.ministral3 import modeling_ministral3
from transformers.models.mistral_large4 import modeling_mistral_large4

import posenc
from posenc.registry import entry

pytestmark = pytest.mark.upstream

BATCH, TOKENS, HEADS, KV_HEADS, DIM = 2, 7, 4, 2, 10
FAR = torch.tensor([0, 8, 2047, 8190, 8191, 8192, 16383, 16384, 70_001, 131_071, 1_000_000])


def heads(x: Tensor, count: int) -> Tensor:
    return x.view(BATCH, x.shape[1], count, -1).transpose(1, 2)


def causal(tokens: int) -> Tensor:
    ahead = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
    return torch.zeros(tokens, tokens).masked_fill(ahead, float("-inf"))[None, None]


def joined(y: Tensor) -> Tensor:
    return y.transpose(1, 2).reshape(BATCH, y.shape[-2], -1)


def llama4(floor_scale: int) -> Any:
    config = transformers.Llama4TextConfig(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        head_dim=DIM,
        num_hidden_layers=1,
        no_rope_layers=[0],
        floor_scale=floor_scale,
    )
    config._attn_implementation = "eager"
    return modeling_llama4.Llama4TextAttention(config, layer_idx=0).eval()


@pytest.mark.parametrize("backend", [None, "sdpa", "reference"])
def test_llama4_without_rotation(backend: Any) -> None:
    """Steps of 5 tokens, so that seven of them take two; and by every backend of ours."""
    torch.manual_seed(0)
    layer, x = llama4(5), torch.randn(BATCH, 13, HEADS * DIM)
    theirs, _ = layer(x, position_embeddings=None, attention_mask=causal(13))
    q, k, v = layer.q_proj(x), layer.k_proj(x), layer.v_proj(x)
    y = posenc.torch.attend(
        heads(q, HEADS),
        heads(k, KV_HEADS),
        heads(v, KV_HEADS),
        posenc.Temperature(rule="llama4", trained_length=5),
        q_positions=torch.arange(13),
        causal=True,
        backend=backend,
    )
    np.testing.assert_allclose(layer.o_proj(joined(y)).detach(), theirs.detach(), atol=5e-7)


def test_llama4_counts_padding_as_positions() -> None:
    """Its factor goes by index, not by position_ids: after padding in front a step comes early.

    Here the third token of the text is the fifth of the row, and is scaled as if it were.
    """
    torch.manual_seed(0)
    layer, x = llama4(5), torch.randn(1, 7, HEADS * DIM)
    spec = posenc.Temperature(rule="llama4", trained_length=5)
    by_index, by_position = (
        posenc.bind(spec).logit_scale(torch.arange(7) - pads)[0] for pads in (0, 2)
    )
    assert by_index.tolist() == pytest.approx([1, 1, 1, 1, 1.0693147, 1.0693147, 1.0693147])
    assert by_position.tolist() == pytest.approx([1, 1, 1, 1, 1, 1, 1.0693147])
    hidden = {"attention_mask": causal(7), "position_embeddings": None}
    ids = {n: torch.arange(7)[None] - pads for n, pads in (("none", 0), ("two", 2))}
    given = [layer(x, position_ids=at, **hidden)[0] for at in ids.values()]
    assert torch.equal(*given)


@pytest.mark.parametrize("start", [8, 16_380, 70_001])
def test_ministral3(start: int) -> None:
    """Every layer turns by YaRN, and is scaled by position: at 16 384 for the first time."""
    torch.manual_seed(1)
    config = transformers.Ministral3Config(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        head_dim=DIM,
        num_hidden_layers=1,
    )
    config._attn_implementation = "eager"
    layer = modeling_ministral3.Ministral3Attention(config, layer_idx=0).eval()
    x = torch.randn(BATCH, TOKENS, HEADS * DIM)
    at = torch.arange(start, start + TOKENS).expand(BATCH, -1)
    turn = modeling_ministral3.Ministral3RotaryEmbedding(config)(x, at)
    theirs, _ = layer(x, position_embeddings=turn, attention_mask=causal(TOKENS), position_ids=at)
    scheme = posenc.bind(entry("rope-ministral3").make(dim=DIM), arithmetic="float32")
    q, k, v = layer.q_proj(x), layer.k_proj(x), layer.v_proj(x)
    y = posenc.attend(
        heads(q, HEADS), heads(k, KV_HEADS), heads(v, KV_HEADS), scheme, q_positions=at, causal=True
    )
    np.testing.assert_allclose(layer.o_proj(joined(y)).detach(), theirs.detach(), atol=5e-7)


def test_ministral3_steps_at_the_trained_length() -> None:
    theirs = modeling_ministral3.get_llama_4_attn_scale(FAR[None], 0.1, 16_384)
    ours = posenc.bind(posenc.Temperature(rule="ministral", trained_length=16_384))
    np.testing.assert_allclose(ours.logit_scale(FAR)[0], theirs[0, 0, :, 0], rtol=1.2e-7)


def test_beam() -> None:
    theirs = modeling_beam.compute_attention_scaling(FAR[None])
    ours = posenc.bind(entry("nope-beam").make()).logit_scale(FAR)
    np.testing.assert_allclose(ours[0], theirs[0, 0, :, 0], rtol=2.4e-7)


@pytest.mark.parametrize("floor", [128_000, 8192])
def test_inkling(floor: int) -> None:
    config = transformers.Inkling2TextConfig(log_scaling_n_floor=floor)
    scale = modeling_inkling2.Inkling2LogScale(config)
    theirs = scale(torch.ones(1, len(FAR), 1, 1), FAR[None])
    spec = entry("temperature-inkling").make(trained_length=floor)
    ours = posenc.bind(spec).logit_scale(FAR)
    np.testing.assert_allclose(ours[0], theirs[0, :, 0, 0], rtol=1.2e-7)


def test_mistral_large4_learns_a_line_in_log_n() -> None:
    torch.manual_seed(2)
    scaling = modeling_mistral_large4.MistralLarge4TextSoftmaxScaling(HEADS)
    scale, bias = torch.randn(HEADS), torch.randn(HEADS)
    scaling.scale.data, scaling.bias.data = scale, bias
    theirs = scaling(torch.ones(1, HEADS, len(FAR), 1), FAR[None], head_dim_first=True)
    spec = posenc.ScalableSoftmax(heads=HEADS, bias=True)
    ours = posenc.bind(spec, {"scale": scale, "bias": bias}).logit_scale(FAR)
    np.testing.assert_allclose(ours, theirs[0, ..., 0].detach(), rtol=1e-6, atol=2e-6)


def test_float_division_puts_a_step_where_it_is_not() -> None:
    """float32(p) / L0 rounds 2^24 - 1 + 16 384 n up to the next step; integers do not."""
    at = torch.tensor([2**30 - 1])
    theirs = modeling_ministral3.get_llama_4_attn_scale(at[None].float(), 0.1, 16_384)
    ours = posenc.bind(posenc.Temperature(rule="ministral", trained_length=16_384))
    due = 1 + 0.1 * np.log(1 + (2**30 - 1) // 16_384)
    assert ours.logit_scale(at).item() == pytest.approx(due, abs=1e-7)
    assert theirs.item() - due > 1e-6
