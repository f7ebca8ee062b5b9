"""Rotary presets of shipped models, against the attention layers of installed transformers.

Raw q, k and v of the reference's own projections go through ``posenc.attend``. Positions from 8,
and from 70 001 with the references' float32 angles, so that only the last bits may differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from transformers.models.codegen import modeling_codegen
from transformers.models.deepseek_v2 import modeling_deepseek_v2
from transformers.models.deepseek_v3 import modeling_deepseek_v3
from transformers.models.gemma3 import modeling_gemma3
from transformers.models.glm import modeling_glm
from transformers.models.gpt_oss import modeling_gpt_oss
from transformers.models.gptj import modeling_gptj
from transformers.models.hunyuan_v1_dense import modeling_hunyuan_v1_dense
from transformers.models.mistral4 import modeling_mistral4
from transformers.models.modernbert import modeling_modernbert
from transformers.models.moonshine import modeling_moonshine
from transformers.models.nemotron import modeling_nemotron
from transformers.models.openai_privacy_filter import modeling_openai_privacy_filter
from transformers.models.phi import modeling_phi

import posenc
from posenc.registry import entry

pytestmark = pytest.mark.upstream

BATCH, TOKENS, HEADS, KV_HEADS, DIM = 2, 7, 4, 2, 20
STARTS = (8, 70_001)
NEAR = 1e-6  # the largest is 7.7e-7


def mask() -> Tensor:
    ahead = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    return torch.zeros(TOKENS, TOKENS).masked_fill(ahead, float("-inf"))[None, None]


def heads(x: Tensor, count: int) -> Tensor:
    return x.view(BATCH, TOKENS, count, -1).transpose(1, 2)


def drawn(width: int, seed: int = 0) -> Tensor:
    return torch.randn(BATCH, TOKENS, width, generator=torch.Generator().manual_seed(seed))


def ours(q: Tensor, k: Tensor, v: Tensor, spec: posenc.specs.Spec, start: int) -> Tensor:
    scheme = posenc.bind(spec, arithmetic="exact" if start == 8 else "float32")
    at = torch.arange(start, start + TOKENS)
    y = posenc.attend(q, k, v, scheme, q_positions=at, causal=True)
    return y.transpose(1, 2).reshape(BATCH, TOKENS, -1)


def at(start: int) -> Tensor:
    return torch.arange(start, start + TOKENS).expand(BATCH, -1)


def near(got: Tensor, due: Tensor, atol: float = NEAR) -> None:
    np.testing.assert_allclose(got.detach(), due.detach(), atol=atol, rtol=0)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", ["gptj", "codegen"])
def test_six_of_twenty_channels_adjacent(name: str, start: int) -> None:
    torch.manual_seed(0)
    module: Any = {"gptj": modeling_gptj, "codegen": modeling_codegen}[name]
    words = {"gptj": "GPTJ", "codegen": "CodeGen"}[name]
    config = getattr(module, f"{words}Config")(
        n_embd=HEADS * DIM, n_head=HEADS, n_layer=1, rotary_dim=6, n_positions=start + TOKENS
    )
    config._attn_implementation = "eager"
    layer = getattr(module, f"{words}Attention")(config, layer_idx=0).eval()
    x = drawn(HEADS * DIM)
    turn = getattr(module, f"{words}RotaryEmbedding")(config)(x, at(start))
    theirs, _ = layer(x, position_embeddings=turn, attention_mask=mask())
    if name == "gptj":
        q, k, v = (p(x) for p in (layer.q_proj, layer.k_proj, layer.v_proj))
    else:  # four shards, in each queries, values and keys
        shards = layer.qkv_proj(x).view(BATCH, TOKENS, 4, -1)
        q, v, k = (t.reshape(BATCH, TOKENS, -1) for t in shards.chunk(3, dim=-1))
    spec = posenc.Rope(dim=6, head_dim=DIM, layout="interleaved")
    near(layer.out_proj(ours(*(heads(t, HEADS) for t in (q, k, v)), spec, start)), theirs)


# Model, share of the head, layout, name of the output projection.
PARTIAL: dict[str, tuple[Any, str, float, posenc.Layout, str]] = {
    "glm": (modeling_glm, "Glm", 0.5, "interleaved", "o_proj"),
    "phi-1.5": (modeling_phi, "Phi", 0.5, "half", "dense"),
    "phi-2": (modeling_phi, "Phi", 0.4, "half", "dense"),
    "nemotron": (modeling_nemotron, "Nemotron", 0.5, "half", "o_proj"),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", PARTIAL)
def test_part_of_the_head(name: str, start: int) -> None:
    torch.manual_seed(1)
    module, words, share, layout, last = PARTIAL[name]
    config = getattr(module, f"{words}Config")(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=KV_HEADS,
        head_dim=DIM,
        num_hidden_layers=1,
        pad_token_id=0,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": share,
        },
    )
    config._attn_implementation = "eager"
    layer = getattr(module, f"{words}Attention")(config, layer_idx=0).eval()
    x = drawn(HEADS * DIM, 1)
    turn = getattr(module, f"{words}RotaryEmbedding")(config)(x, at(start))
    theirs = layer(x, position_embeddings=turn, attention_mask=mask())[0]
    q, k, v = layer.q_proj(x), layer.k_proj(x), layer.v_proj(x)
    spec = posenc.Rope(dim=int(DIM * share), head_dim=DIM, layout=layout)
    y = ours(heads(q, HEADS), heads(k, KV_HEADS), heads(v, KV_HEADS), spec, start)
    near(getattr(layer, last)(y), theirs)


@pytest.mark.parametrize("start", STARTS)
def test_moonshine_turns_eighteen_of_twenty(start: int) -> None:
    q, k = drawn(HEADS * DIM), drawn(KV_HEADS * DIM, 1)
    config = modeling_moonshine.MoonshineConfig(
        hidden_size=HEADS * DIM,
        encoder_num_attention_heads=HEADS,
        decoder_num_attention_heads=HEADS,
    )
    cos, sin = modeling_moonshine.MoonshineRotaryEmbedding(config)(q, at(start))
    theirs = modeling_moonshine.apply_rotary_pos_emb(heads(q, HEADS), heads(k, KV_HEADS), cos, sin)
    spec = entry("rope-moonshine").make(dim=DIM)
    assert spec.dim == 18
    scheme = posenc.bind(spec, arithmetic="exact" if start == 8 else "float32")
    near(scheme.query(heads(q, HEADS), at(start)), theirs[0])
    near(scheme.key(heads(k, KV_HEADS), at(start)), theirs[1])


MSCALES = {"none": {}, "one": (1.0, 1.0), "v2": (0.707, 0.707), "apart": (1.0, 0.5)}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("mscales", MSCALES)
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_deepseek_scales_logits_of_the_whole_head(version: str, mscales: str, start: int) -> None:
    """By the square of 0.1 m ln(factor) + 1, m being mscale_all_dim, content channels included."""
    torch.manual_seed(2)
    turned, content = 6, 14
    module: Any = {"V2": modeling_deepseek_v2, "V3": modeling_deepseek_v3}[version]
    named = dict(zip(("mscale", "mscale_all_dim"), MSCALES[mscales], strict=False))
    config = getattr(module, f"Deepseek{version}Config")(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        num_hidden_layers=1,
        q_lora_rank=None,
        kv_lora_rank=12,
        qk_rope_head_dim=turned,
        qk_nope_head_dim=content,
        v_head_dim=10,
        head_dim=turned,
        max_position_embeddings=4096,
        rope_parameters={
            "rope_type": "yarn",
            "rope_theta": 10_000.0,
            "factor": 40.0,
            "original_max_position_embeddings": 64,
            **named,
        },
    )
    config._attn_implementation = "eager"
    layer = getattr(module, f"Deepseek{version}Attention")(config, layer_idx=0).eval()
    x = drawn(HEADS * DIM, 2)
    turn = getattr(module, f"Deepseek{version}RotaryEmbedding")(config)(x, at(start))
    theirs, _ = layer(x, position_embeddings=turn, attention_mask=mask())

    q = heads(layer.q_proj(x), HEADS)
    latent, shared = layer.kv_a_proj_with_mqa(x).split([12, turned], dim=-1)
    k, v = heads(layer.kv_b_proj(layer.kv_a_layernorm(latent)), HEADS).split([content, 10], -1)
    k = torch.cat([k, shared[:, None].expand(-1, HEADS, -1, -1)], dim=-1)
    spec: posenc.specs.Spec = posenc.Rope(
        dim=turned,
        head_dim=DIM,
        at="back",
        layout="interleaved",
        scaling=posenc.Yarn(factor=40, trained_length=64, **named),
    )
    if mscales != "none":
        m = 0.1 * named["mscale_all_dim"] * np.log(40) + 1
        spec = posenc.Stack(spec, posenc.LogitScale(factor=m**2))
    y = ours(q, k, v, spec, start)
    near(layer.o_proj(y), theirs)
    if mscales != "none":  # on the turned channels alone it is another layer
        other = ours(q, k, v, spec.parts[0], start)
        assert (layer.o_proj(other) - theirs).abs().max() > 1e-3


@pytest.mark.parametrize("start", [8, 8190, 70_001])
def test_mistral_4(start: int) -> None:
    """YaRN's factor and the steps of 8192 positions are on the whole head."""
    torch.manual_seed(3)
    config = transformers.Mistral4Config(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        num_hidden_layers=1,
        q_lora_rank=None,
        kv_lora_rank=12,
        qk_rope_head_dim=DIM // 2,
        qk_nope_head_dim=DIM // 2,
        v_head_dim=10,
    )
    config._attn_implementation = "eager"
    layer = modeling_mistral4.Mistral4Attention(config, layer_idx=0).eval()
    x = drawn(HEADS * DIM, 3)
    turn = modeling_mistral4.Mistral4RotaryEmbedding(config)(x, at(start))
    theirs = layer(x, position_embeddings=turn, attention_mask=mask(), position_ids=at(start))[0]

    latent, shared = layer.kv_a_proj_with_mqa(x).split([12, DIM // 2], dim=-1)
    k, v = heads(layer.kv_b_proj(layer.kv_a_layernorm(latent)), HEADS).split([DIM // 2, 10], -1)
    k = torch.cat([k, shared[:, None].expand(-1, HEADS, -1, -1)], dim=-1)
    spec = entry("rope-mistral-4").make(dim=DIM)
    near(layer.o_proj(ours(heads(layer.q_proj(x), HEADS), k, v, spec, start)), theirs)


def test_deepseek_v3_by_name() -> None:
    rope, factor = entry("deepseek-v3").make(dim=192).parts
    assert (rope.dim, rope.head_dim, rope.at, rope.layout) == (64, 192, "back", "interleaved")
    assert rope.attention_factor() == 1
    due = modeling_deepseek_v3.yarn_apply_mscale(
        {"rope_type": "yarn", "factor": 40.0, "mscale_all_dim": 1.0}, 1.0
    )
    assert factor.factor == due


def of_layers(layer_types: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """What a config says of layers that have bases of their own, and some a linear factor."""
    return {
        kind: {"rope_type": "linear" if factor > 1 else "default", "rope_theta": base}
        | ({"factor": factor} if factor > 1 else {})
        for kind, (base, factor) in layer_types.items()
    }


LOCAL, GLOBAL = "sliding_attention", "full_attention"
BY_LAYER: dict[str, tuple[Any, str, dict[str, tuple[float, float]], dict[str, str]]] = {
    "gemma3": (
        modeling_gemma3.Gemma3RotaryEmbedding,
        "Gemma3TextConfig",
        {LOCAL: (10_000.0, 1.0), GLOBAL: (1_000_000.0, 8.0)},
        {LOCAL: "rope", GLOBAL: "rope-gemma3-global"},
    ),
    "modernbert": (
        modeling_modernbert.ModernBertRotaryEmbedding,
        "ModernBertConfig",
        {LOCAL: (10_000.0, 1.0), GLOBAL: (160_000.0, 1.0)},
        {LOCAL: "rope", GLOBAL: "rope-modernbert-global"},
    ),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", BY_LAYER)
def test_bases_by_layer(name: str, start: int) -> None:
    embedding, words, rules, names = BY_LAYER[name]
    config = getattr(transformers, words)(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_hidden_layers=2,
        head_dim=DIM,
        layer_types=[LOCAL, GLOBAL],
        rope_parameters=of_layers(rules),
    )
    rotary = embedding(config)
    for kind, preset in names.items():
        cos, sin = rotary(drawn(DIM), at(start), kind)
        spec = entry(preset).make(dim=DIM)
        arithmetic = "exact" if start == 8 else "float32"
        tables = posenc.tables(spec, at(start), arithmetic=arithmetic)
        for theirs, table in zip((cos, sin), tables, strict=True):
            near(table.repeat(1, 1, 2), theirs)


@pytest.mark.parametrize("start", STARTS)
def test_gpt_oss(start: int) -> None:
    config = transformers.GptOssConfig(
        hidden_size=HEADS * DIM, num_attention_heads=HEADS, head_dim=DIM
    )
    cos, sin = modeling_gpt_oss.GptOssRotaryEmbedding(config)(drawn(DIM), at(start))
    spec = entry("rope-gpt-oss").make(dim=DIM)
    factor = spec.attention_factor()
    arithmetic = "exact" if start == 8 else "float32"
    for theirs, table in zip(
        (cos, sin), posenc.tables(spec, at(start), arithmetic=arithmetic), strict=True
    ):
        near(table * factor, theirs, 1e-6 if start == 8 else 5e-4)
    truncated = posenc.Rope(
        dim=DIM,
        layout="half",
        base=150_000.0,
        scaling=posenc.Yarn(factor=32.0, trained_length=4096),
    )
    assert abs(truncated.frequencies() / spec.frequencies() - 1).max() > 0.05


@pytest.mark.parametrize("start", STARTS)
def test_the_privacy_filter_turns_adjacent_pairs_by_the_angles_of_gpt_oss(start: int) -> None:
    config = transformers.OpenAIPrivacyFilterConfig(
        hidden_size=HEADS * DIM, num_attention_heads=HEADS, head_dim=DIM
    )
    rotary = modeling_openai_privacy_filter.OpenAIPrivacyFilterRotaryEmbedding(config)
    q, k = (heads(drawn(HEADS * DIM), HEADS) for _ in range(2))
    turn = modeling_openai_privacy_filter.apply_rotary_pos_emb
    theirs = turn(q, k, *rotary(q, at(start)))
    arithmetic = "exact" if start == 8 else "float32"
    spec = entry("rope-gpt-oss-interleaved").make(dim=DIM)
    scheme = posenc.bind(spec, arithmetic=arithmetic)
    for ours, due in zip(
        (scheme.query(q, at(start)), scheme.key(k, at(start))), theirs, strict=True
    ):
        near(ours * spec.attention_factor(), due, 2e-6 if start == 8 else 2e-3)


def test_hunyuan_stretches_its_base_once() -> None:
    config = transformers.HunYuanDenseV1Config(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        head_dim=DIM,
        rope_parameters={
            "rope_type": "dynamic",
            "rope_theta": 10_000.0,
            "alpha": 1000.0,
            "factor": 1.0,
        },
    )
    rotary = modeling_hunyuan_v1_dense.HunYuanDenseV1RotaryEmbedding(config)
    due = entry("rope-hunyuan").make(dim=DIM).frequencies()
    np.testing.assert_allclose(rotary.inv_freq, due, rtol=4e-7)
