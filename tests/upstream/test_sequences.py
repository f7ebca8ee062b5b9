"""Codes of places in a sequence, and Gemma 4's rotation, as transformers makes them.

Tables that the reference forms in float64 agree far out; those from float32 angles are as far from
the truth there as they are from ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor, nn
from transformers.models.bert import modeling_bert
from transformers.models.gemma4 import modeling_gemma4
from transformers.models.m2m_100 import modeling_m2m_100
from transformers.models.marian import modeling_marian
from transformers.models.opt import modeling_opt
from transformers.models.roberta import modeling_roberta
from transformers.models.whisper import modeling_whisper

import posenc
from posenc.positions import from_mask
from posenc.registry import entry

pytestmark = pytest.mark.upstream

DIM, ROWS, TOKENS = 10, 70_010, 9
STARTS = (8, ROWS - TOKENS)


def marian(rows: int) -> Tensor:
    return modeling_marian.MarianSinusoidalPositionalEmbedding(rows, DIM).create_weight()


TABLES: dict[str, tuple[str, Callable[[int], Tensor], bool]] = {
    "marian": ("sinusoidal-half", marian, True),
    "whisper": (
        "sinusoidal-tensor2tensor",
        lambda rows: modeling_whisper.sinusoids(rows, DIM),
        False,
    ),
    "m2m-100": (
        "sinusoidal-tensor2tensor",
        lambda rows: modeling_m2m_100.M2M100SinusoidalPositionalEmbedding.get_embedding(rows, DIM),
        False,
    ),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("model", TABLES)
def test_sinusoids(model: str, start: int) -> None:
    name, table, exact = TABLES[model]
    theirs = table(start + TOKENS)[start:]
    ours = posenc.bind(entry(name).make(dim=DIM)).embed(torch.arange(start, start + TOKENS))
    off = float((ours - theirs).abs().max())
    near = 5e-7 if exact or start == 8 else 2e-3  # float32 angles there are off by 5.8e-4
    assert off < near
    assert exact or start == 8 or off > 1e-4


def test_opt_counts_what_is_no_padding_and_starts_at_2() -> None:
    layer = modeling_opt.OPTLearnedPositionalEmbedding(30, DIM)
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0]])
    spec = entry("learned-offset").make(dim=DIM, length=30)
    scheme = posenc.bind(spec, {"table": layer.weight.detach()})
    ours = scheme.embed(posenc.positions.from_mask(mask.bool()).positions)
    theirs = layer(mask)
    assert torch.equal(ours[mask.bool()], theirs[mask.bool()])


def test_bert_reads_its_rows_in_order() -> None:
    config = transformers.BertConfig(
        hidden_size=DIM, num_attention_heads=1, max_position_embeddings=24, vocab_size=3
    )
    layer = modeling_bert.BertEmbeddings(config).eval()
    for other in (layer.word_embeddings, layer.token_type_embeddings):
        nn.init.zeros_(other.weight)
    layer.LayerNorm = nn.Identity()
    spec = entry("learned").make(dim=DIM, length=24)
    scheme = posenc.bind(spec, {"table": layer.position_embeddings.weight.detach()})
    at = torch.tensor([[8, 9, 13, 23]])
    assert torch.equal(scheme.embed(at), layer(torch.zeros(1, 4, dtype=int), position_ids=at))


@pytest.mark.parametrize("start", STARTS)
def test_gemma_4_turns_a_share_of_the_pairs_of_the_whole_head(start: int) -> None:
    kind = "full_attention"
    rule = {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}
    config = transformers.Gemma4TextConfig(
        num_hidden_layers=1,
        head_dim=16,
        global_head_dim=24,
        hidden_size=48,
        num_attention_heads=2,
        layer_types=[kind],
        rope_parameters={kind: rule},
    )
    at = torch.arange(start, start + TOKENS)[None]
    x = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 2, TOKENS, 24))).float()
    cos, sin = modeling_gemma4.Gemma4TextRotaryEmbedding(config)(x, at, kind)
    theirs = modeling_gemma4.apply_rotary_pos_emb(x, cos, sin)
    spec = entry("rope-proportional").make(dim=24, base=1e6)
    ours = posenc.bind(spec).query(x, at[0])
    off = float((ours - theirs).abs().max())
    assert off < (1e-6 if start == 8 else 5e-3)
    still = [*range(3, 12), *range(15, 24)]
    assert torch.equal(ours[..., still], x[..., still])


def test_roberta_by_its_positions_or_by_an_offset() -> None:
    """Not by both: that reads two rows further."""
    words = torch.tensor([[5, 6, 7, 1, 1], [5, 6, 7, 8, 9]])
    real = words != 1
    due = modeling_roberta.RobertaEmbeddings.create_position_ids_from_input_ids(words, 1)
    table = torch.randn(12, DIM, generator=torch.Generator().manual_seed(0))
    for name, first in (("learned", 2), ("learned-offset", 0)):
        spec = entry(name).make(dim=DIM, rows=12)
        at = from_mask(real, first=first).positions
        ours = posenc.bind(spec, {"table": table}).embed(at)
        torch.testing.assert_close(ours[real], table[due[real]], atol=0, rtol=0)
    both = posenc.bind(spec, {"table": table}).embed(from_mask(real, first=2).positions)
    torch.testing.assert_close(both[real], table[due[real] + 2], atol=0, rtol=0)


def test_float32_arithmetic_does_not_repeat_frequencies_that_whisper_forms() -> None:
    """As exponentials of float32, most of which are a last bit off the rounded ones."""
    dim = 1024
    spec = entry("sinusoidal-tensor2tensor").make(dim=dim)
    rates = torch.from_numpy(spec.constants(arithmetic="float32")["rates"])
    step = math.log(10_000) / (dim // 2 - 1)
    theirs = torch.exp(-step * torch.arange(dim // 2))
    assert 0.5 < (rates != theirs).double().mean() < 0.95
    torch.testing.assert_close(rates, theirs, atol=0, rtol=1e-6)
