"""Channels that turn behind those of content, as transformers turns them alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor
from transformers.models.hy_v4 import modeling_hy_v4
from transformers.models.hy_v4_vl import modeling_hy_v4_vl
from transformers.models.minicpm3 import modeling_minicpm3

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS = 2, 3, 5
STARTS = [(8, 1e-5), (70_001, 1.5e-2)]  # their angles are float32
PLACES = torch.tensor(
    [
        [[0, 0, 0], [1, 4, 22], [1, 5, 0], [23, 23, 23], [32, 3, 49]],
        [[2, 2, 2], [3, 6, 0], [3, 0, 13], [4, 1, 12], [25, 25, 25]],
    ]
)


def compared(
    spec: Any, places: Tensor, cos: Tensor, sin: Tensor, turn: Any, *, atol: float
) -> None:
    """The last channels as theirs, and those in front as they were."""
    drawn = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, BATCH, HEADS, TOKENS, spec.head_dim, generator=drawn)
    still = spec.head_dim - spec.dim
    theirs = torch.stack(turn(q[..., still:], k[..., still:], cos, sin))
    scheme = posenc.bind(spec, length=int(places.max()) + 1 if spec.needs_length else None)
    ours = torch.stack([scheme.query(q, places), scheme.key(k, places)])
    torch.testing.assert_close(ours[..., still:], theirs, atol=atol, rtol=0)
    assert torch.equal(ours[..., :still], torch.stack([q, k])[..., :still])


@pytest.mark.parametrize(("start", "atol"), STARTS)
def test_hy_v4_vl_turns_adjacent_pairs_by_three_coordinates(start: int, atol: float) -> None:
    config = transformers.HYV4VLTextConfig()
    spec = posenc.encodings()["mrope-mla"].make(dim=config.qk_nope_head_dim + config.head_dim)
    assert (spec.dim, spec.head_dim) == (64, 256)
    assert spec.axes.sizes == tuple(config.rope_parameters["mrope_section"])
    places = PLACES + start
    rotary = modeling_hy_v4_vl.HYV4VLRotaryEmbedding(config)
    cos, sin = rotary(torch.zeros(1), places.movedim(-1, 0))
    compared(spec, places, cos, sin, modeling_hy_v4_vl.apply_rotary_pos_emb, atol=atol)


@pytest.mark.parametrize(("start", "atol"), STARTS)
def test_hy_v4(start: int, atol: float) -> None:
    config = transformers.HYV4Config()
    spec = replace(posenc.encodings()["rope-mla-half"].make(dim=256), dim=64)
    assert spec.head_dim == config.qk_nope_head_dim + config.qk_rope_head_dim
    places = PLACES[..., 1] + start
    cos, sin = modeling_hy_v4.HYV4RotaryEmbedding(config)(torch.zeros(1), places)
    compared(spec, places, cos, sin, modeling_hy_v4.apply_rotary_pos_emb, atol=atol)


@pytest.mark.parametrize(("start", "atol"), STARTS)
def test_minicpm3_divides_by_the_factors_of_longrope(start: int, atol: float) -> None:
    short, long = ([1 + step * i for i in range(16)] for step in (0.01, 0.5))
    parameters = {
        "rope_type": "longrope",
        "rope_theta": 10_000.0,
        "short_factor": short,
        "long_factor": long,
        "original_max_position_embeddings": 4096,
        "factor": 8.0,
    }
    config = transformers.MiniCPM3Config(rope_parameters=parameters, max_position_embeddings=32_768)
    width = config.qk_nope_head_dim + config.qk_rope_head_dim
    scaling = posenc.LongRope(short=short, long=long, trained_length=4096, factor=8.0)
    spec = posenc.encodings()["rope-mla-half"].make(dim=width, scaling=scaling)
    assert (spec.dim, spec.head_dim) == (32, 96)
    places = PLACES[..., 1] + start
    cos, sin = modeling_minicpm3.MiniCPM3RotaryEmbedding(config)(torch.zeros(1), places)
    compared(spec, places, cos, sin, modeling_minicpm3.apply_rotary_pos_emb, atol=atol)
