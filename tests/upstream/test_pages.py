"""UDOP's three biases of words on a page, as transformers reads their boxes."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from transformers.models.udop import modeling_udop

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS = 2, 3, 150


def boxes() -> Tensor:
    """Corners in thousandths of a page, by rows of 20 words that are left to right."""
    draw = torch.Generator().manual_seed(4)
    corner = torch.randint(0, 900, (BATCH, TOKENS, 2), generator=draw)
    return torch.cat([corner, corner + torch.randint(1, 100, corner.shape, generator=draw)], -1)


def places(corners: Tensor, start: int) -> Tensor:
    """Index of each word, and twice the middle of its box."""
    index = torch.arange(start, start + TOKENS).expand(BATCH, -1)
    x0, y0, x1, y1 = corners.unbind(-1)
    return torch.stack([index, x0 + x1, y0 + y1], -1)


@pytest.mark.parametrize("start", [8, 70_001])
def test_udop(start: int) -> None:
    """Whole hundredths of a page may come out one short there, in float32; others are the same."""
    config = modeling_udop.UdopConfig(num_heads=HEADS)
    layer = modeling_udop.RelativePositionBiasAggregated(modeling_udop.create_relative_bias(config))
    tables = [
        torch.nn.init.normal_(b.relative_attention_bias.weight.detach()) for b in layer.biases
    ]
    corners = boxes()
    theirs = layer(torch.ones(BATCH, TOKENS), corners / 1000)
    spec = posenc.encodings()["t5-page-udop"].make(heads=HEADS)
    at = places(corners, start)
    scheme = posenc.bind(spec, {f"{i}.table": table for i, table in enumerate(tables)})
    apart = at[:, None, :, 1:] - at[:, :, None, 1:]
    plain = ((apart % 20 != 0) | (apart == 0)).all(-1)[:, None].expand_as(theirs)
    torch.testing.assert_close(scheme.bias(at)[plain], theirs[plain], atol=0, rtol=0)
    assert plain.double().mean() > 0.8


def test_udops_hundredths_fall_short_in_float32() -> None:
    """Of words at every hundredth of a page, a quarter of the pairs; 0.53 to 0 counts 52.

    Right is the bucket of 53, which is what whole numbers give.
    """
    layer = modeling_udop.RelativePositionBiasHorizontal(num_heads=1)
    shares = torch.arange(101.0)[None] / 100
    theirs = layer.get_relative_position(shares)[0]
    due = torch.arange(101)[None] - torch.arange(101)[:, None]
    assert (int(theirs[53, 0]), int(due[53, 0])) == (-52, -53)
    assert (theirs - due).abs().max() == 1
    assert (theirs != due).double().mean() > 0.2
    at = torch.stack([torch.zeros(101).long(), 20 * torch.arange(101), torch.zeros(101).long()], -1)
    table = {"table": torch.arange(32.0)[:, None]}
    across = {"bidirectional": True, "coordinates": 3, "axis": 1}
    ours = posenc.T5Bias(heads=1, max_distance=100, step=20, **across)
    whole = posenc.T5Bias(heads=1, max_distance=100, **across)
    found = posenc.bind(ours, table).bias(at)
    torch.testing.assert_close(found, posenc.bind(whole, table).bias(at // 20), atol=0, rtol=0)
