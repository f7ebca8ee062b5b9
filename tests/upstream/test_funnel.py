"""Funnel's layers, whose queries are pooled, beside the terms of Transformer-XL."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers.models.funnel import modeling_funnel

import posenc
import posenc.torch

pytestmark = pytest.mark.upstream

BATCH, HEADS, DIM, TOKENS = 3, 2, 10, 13
WIDTH = HEADS * DIM
AWAY = 2**20


def heads(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, DIM)).transpose(1, 2)


def layer_of(kind: str, *, separate: bool, block: int) -> tuple[Any, Any]:
    torch.manual_seed(block)
    config = modeling_funnel.FunnelConfig(
        d_model=WIDTH, n_head=HEADS, d_head=DIM, d_inner=8, vocab_size=4, block_sizes=[1, 1, 1],
        attention_type=kind, separate_cls=separate, hidden_dropout=0, attention_dropout=0,
    )  # fmt: skip
    layer = modeling_funnel.FunnelRelMultiheadAttention(config, block).eval()
    for parameter in (layer.r_w_bias, layer.r_r_bias, layer.r_kernel):
        nn.init.normal_(parameter, std=0.7)
    return layer, modeling_funnel.FunnelAttentionStructure(config).eval()


def pooled(places: list[int], block: int, *, separate: bool) -> list[int]:
    """What their tokens stand for after so many poolings; the last of them is cut off."""
    for _ in range(block):
        places = [places[0], *places[1:-1:2]] if separate else places[::2]
    return places


def learned(spec: posenc.TransformerXL, layer: Any) -> dict[str, Tensor]:
    code = posenc.bind(posenc.Sinusoidal(dim=WIDTH, layout="half"))
    apart = torch.from_numpy(spec.distances())
    table = torch.einsum("td,dnh->nth", code.embed(apart), layer.r_kernel)
    table[:, 0] = table[:, -1] = 0
    return {"u": layer.r_w_bias, "v": layer.r_r_bias, "table": table}


@pytest.mark.parametrize("start", [8, 70_001])
@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize("block", [0, 1, 2])
@pytest.mark.parametrize("kind", ["relative_shift", "factorized"])
def test_layers(kind: str, block: int, separate: bool, start: int) -> None:
    """The first layer of each block: its queries are pooled once more than its keys.

    Their class token has no term of distance: ours is too far from everything.
    """
    layer, structure = layer_of(kind, separate=separate, block=block)
    before = max(block - 1, 0)
    q_at, k_at = (pooled([*range(TOKENS)], n, separate=separate) for n in (block, before))
    query, key = (torch.randn(BATCH, len(at), WIDTH) for at in (q_at, k_at))
    inputs = structure.init_attention_inputs(torch.zeros(BATCH, TOKENS, WIDTH))
    for n in range(block):
        _, inputs = structure.pre_attention_pooling(torch.zeros(BATCH, 4, WIDTH), inputs)
        if n < before:
            inputs = structure.post_attention_pooling(inputs)
    theirs = layer(query, key, key, inputs)[0]

    spec = posenc.encodings()["funnel"].make(dim=DIM, heads=HEADS, length=TOKENS)
    assert isinstance(spec, posenc.TransformerXL)
    q_places, k_places = (torch.tensor(at) + start for at in (q_at, k_at))
    if separate:
        q_places[0], k_places[0] = AWAY, -AWAY
    ours = posenc.attend(
        heads(layer.q_head(query)),
        heads(layer.k_head(key)),
        heads(layer.v_head(key)),
        spec,
        q_positions=q_places,
        k_positions=k_places,
        arrays=learned(spec, layer),
    )
    ours = layer.layer_norm(query + layer.post_proj(ours.transpose(1, 2).flatten(2)))
    np.testing.assert_allclose(ours.detach(), theirs.detach(), atol=2e-6, rtol=0)


def test_positions_of_pooled_tokens_count() -> None:
    """Numbered anew after pooling, as their indices are, the same layer gives other numbers."""
    layer, structure = layer_of("relative_shift", separate=False, block=1)
    query, key = torch.randn(1, 7, WIDTH), torch.randn(1, TOKENS, WIDTH)
    inputs = structure.init_attention_inputs(key)
    theirs = layer(query, key, key, structure.pre_attention_pooling(key, inputs)[1])[0]
    spec = posenc.TransformerXL(heads=HEADS, head_dim=DIM, left=14, right=14, clip=True)

    def ours(step: int) -> Tensor:
        q, k, v = (
            f(x) for f, x in ((layer.q_head, query), (layer.k_head, key), (layer.v_head, key))
        )
        at = {"q_positions": step * torch.arange(7), "k_positions": torch.arange(TOKENS)}
        y = posenc.attend(*map(heads, (q, k, v)), spec, arrays=learned(spec, layer), **at)
        return layer.layer_norm(query + layer.post_proj(y.transpose(1, 2).flatten(2)))

    assert (ours(2) - theirs).abs().max() < 2e-6
    assert (ours(1) - theirs).abs().max() > 0.01
