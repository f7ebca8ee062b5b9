"""CPM-Ant's bias: buckets within a segment of the text, and a table of pairs of segments."""

from __future__ import annotations

import pytest
import torch
from transformers import CpmAntConfig
from transformers.models.cpmant import modeling_cpmant

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS = 2, 3, 700


def test_cpm_ant() -> None:
    config = CpmAntConfig(num_attention_heads=HEADS, segment_types=4)
    layer = modeling_cpmant.CpmAntSegmentPositionEmbedding(config)
    torch.nn.init.normal_(layer.relative_attention_bias)
    draw = torch.Generator().manual_seed(0)
    segments = torch.randint(0, 4, (BATCH, TOKENS), generator=draw)
    at = torch.arange(TOKENS).expand(BATCH, -1)
    theirs = layer(at, at, segments, segments)

    table = layer.relative_attention_bias
    spec = posenc.T5Bias(heads=HEADS, bidirectional=True, buckets=512, max_distance=2048)
    within = posenc.bind(spec, {"table": table[:512]}).bias(at + 70_001)
    pairs = 512 + 4 * segments[:, :, None] + segments[:, None, :]
    between = table[pairs].movedim(-1, 1)
    same = (segments[:, :, None] == segments[:, None, :])[:, None]
    ours = torch.where(same, within, between)
    torch.testing.assert_close(ours, theirs, atol=0, rtol=0)
