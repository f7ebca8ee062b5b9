"""Biases of grids taken apart into rows and columns, beside those of installed transformers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers.models.sam import modeling_sam
from transformers.models.vitdet import modeling_vitdet

import posenc

pytestmark = [pytest.mark.upstream, pytest.mark.usefixtures("seeded")]

BATCH, HEADS, DIM = 2, 3, 10
WIDTH = HEADS * DIM


@pytest.fixture
def seeded() -> None:
    torch.manual_seed(0)


def heads(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def joined(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)


def filled(*parameters: Tensor) -> None:
    for parameter in parameters:
        nn.init.normal_(parameter, std=0.7)


@pytest.mark.parametrize("corner", [(8, 8), (70_001, 9)])
@pytest.mark.parametrize("model", ["vitdet", "sam"])
def test_grids(model: str, corner: tuple[int, int]) -> None:
    rows, columns = 5, 7
    if model == "vitdet":
        config = modeling_vitdet.VitDetConfig(
            hidden_size=WIDTH, num_attention_heads=HEADS, use_relative_position_embeddings=True
        )
        layer = modeling_vitdet.VitDetAttention(config, input_size=(rows, columns))
    else:
        config = modeling_sam.SamVisionConfig(hidden_size=WIDTH, num_attention_heads=HEADS)
        layer = modeling_sam.SamVisionAttention(config, window_size=7)
        rows = columns = 7
    filled(layer.rel_pos_h, layer.rel_pos_w)
    x = torch.randn(BATCH, rows, columns, WIDTH)
    theirs = layer(x)[0].detach()
    cells = posenc.positions.grid(h=rows, w=columns, order="hw", xp="torch")
    q, k, v = (heads(y) for y in layer.qkv(x.flatten(1, 2)).chunk(3, dim=-1))
    ours = posenc.attend(
        q,
        k,
        v,
        posenc.Decomposed(head_dim=DIM, sizes=(rows, columns)),
        q_positions=cells + torch.tensor(corner),
        arrays={"axis0": layer.rel_pos_h, "axis1": layer.rel_pos_w},
    )
    ours = layer.proj(joined(ours)).unflatten(1, (rows, columns)).detach()
    np.testing.assert_allclose(ours, theirs, atol=4e-6, rtol=0)


@pytest.mark.parametrize("pooled", ["keys", "queries"])
def test_pooled_grids_of_vitdet(pooled: str) -> None:
    """Keys pooled by r are at r i + r - 1, pooled queries at r i."""
    full, few, r = (6, 4), (3, 2), 2
    q_size, k_size = (full, few) if pooled == "keys" else (few, full)
    tables = [torch.randn(2 * size - 1, DIM) for size in full]
    q, k = (torch.randn(BATCH, h * w, DIM) for h, w in (q_size, k_size))
    theirs = modeling_vitdet.add_decomposed_relative_positions(
        DIM**-0.5 * q @ k.mT, q, *tables, q_size, k_size
    )
    q_cells, k_cells = (
        posenc.positions.grid(h=h, w=w, order="hw", xp="torch") for h, w in (q_size, k_size)
    )
    if pooled == "keys":
        k_cells = r * k_cells + r - 1
    else:
        q_cells = r * q_cells
    scheme = posenc.bind(
        posenc.Decomposed(head_dim=DIM, sizes=full), {"axis0": tables[0], "axis1": tables[1]}
    )
    q, k = q[:, None], k[:, None]
    ours = DIM**-0.5 * scheme.adjust(q @ k.mT, q, k, q_cells, k_cells)
    np.testing.assert_allclose(ours[:, 0], theirs, atol=4e-6, rtol=0)
