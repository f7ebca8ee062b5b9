"""Sinusoids of one coordinate as installed models ship them: how loud, and from where on.

Positions are near the origin and far out, where float32 tables are off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import PatchTSTConfig, TimesFmConfig
from transformers.models.canary import modeling_canary
from transformers.models.fun_asr_nano import modeling_fun_asr_nano
from transformers.models.kimi_k25 import modeling_kimi_k25
from transformers.models.musicgen import modeling_musicgen
from transformers.models.patchtst import modeling_patchtst
from transformers.models.speecht5 import modeling_speecht5
from transformers.models.timesfm import modeling_timesfm
from transformers.models.videomae import modeling_videomae
from x_transformers import x_transformers

import posenc
from posenc.positions import arange, grid

pytestmark = pytest.mark.upstream

NEAR = torch.arange(8, 40)
FAR = torch.arange(70_001, 70_006)


def code(name: str, dim: int, at: Tensor, **arrays: Tensor) -> Tensor:
    spec = posenc.encodings(plugins=False)[name].make(dim=dim)
    found: Any = posenc.bind(spec, arrays or None).embed
    return found(at)  # type: ignore[no-any-return]


def off(got: Tensor, due: Tensor) -> float:
    assert got.shape == due.shape
    return (got.double() - due.double()).abs().max().item()


@pytest.mark.parametrize("dim", [6, 10, 96])
def test_speecht5_learns_how_loud_it_is(dim: int) -> None:
    layer = modeling_speecht5.SpeechT5ScaledPositionalEncoding(0.0, dim, 70_010)
    layer.alpha.data.fill_(-0.625)
    theirs = layer(torch.zeros(2, 70_010, dim))[1].detach()
    for at, bound in ((NEAR, 3e-6), (FAR, 4e-3)):
        ours = code("sinusoidal-scaled", dim, at, scale=layer.alpha.data[None])
        assert off(ours, theirs[at]) < bound


@pytest.mark.parametrize("dim", [6, 10, 96])
def test_x_transformers(dim: int) -> None:
    layer = x_transformers.ScaledSinusoidalEmbedding(dim)
    spec = posenc.encodings()["sinusoidal-scaled-half"].make(dim=dim)
    fresh = spec.init(np.random.default_rng(0))
    np.testing.assert_allclose(fresh["scale"], layer.scale.detach(), rtol=1e-7)
    layer.scale.data.fill_(2.5)
    for at, bound in ((NEAR, 6e-6), (FAR, 1.2e-2)):
        theirs = layer(torch.zeros(1, len(at), dim), pos=at.float()).detach()
        ours = code("sinusoidal-scaled-half", dim, at, scale=layer.scale.data)
        assert off(ours, theirs) < bound


@pytest.mark.parametrize("dim", [6, 10, 96])
def test_canary_writes_the_ladder_of_the_paper_in_other_words(dim: int) -> None:
    layer = modeling_canary.CanaryPositionalEmbedding(70_010, dim)
    for at, bound in ((NEAR, 5e-7), (FAR, 1e-3)):
        assert off(code("sinusoidal-canary", dim, at), layer(at)) < bound


def test_fun_asr_starts_at_one() -> None:
    layer = modeling_fun_asr_nano.FunAsrNanoPositionEmbedding(64, 10)
    theirs = layer(torch.zeros(2, 40, 10))
    at = arange(40, offset=1, xp="torch")
    assert off(code("sinusoidal-tensor2tensor", 10, at), theirs) < 1e-6
    assert off(code("sinusoidal-tensor2tensor", 10, at - 1), theirs) > 0.5


@pytest.mark.parametrize("dim", [6, 10, 96])
def test_timesfm_on_the_ladder_of_tensor2tensor(dim: int) -> None:
    layer = modeling_timesfm.TimesFmPositionalEmbedding(TimesFmConfig(hidden_size=dim))
    for at, bound in ((NEAR, 3e-6), (FAR, 5e-3)):
        theirs = layer(position=at.float()[None])[0]
        assert off(code("sinusoidal-tensor2tensor", dim, at), theirs) < bound


def test_timesfm_of_an_odd_width_is_a_token_too_long_and_a_channel_too_narrow() -> None:
    """What is missing to 7 channels is added along the tokens. Right is a channel of zeros."""
    layer = modeling_timesfm.TimesFmPositionalEmbedding(TimesFmConfig(hidden_size=7))
    theirs = layer(position=NEAR.float()[None])[0]
    ours = code("sinusoidal-tensor2tensor", 7, NEAR)
    assert (tuple(theirs.shape), tuple(ours.shape)) == ((33, 6), (32, 7))
    assert off(ours[:, :6], theirs[:32]) < 1e-6
    assert theirs[32].abs().max() == ours[:, 6].abs().max() == 0


@pytest.mark.parametrize("dim", [6, 7, 10])
def test_musicgen_has_cosines_first(dim: int) -> None:
    table = modeling_musicgen.MusicgenSinusoidalPositionalEmbedding.get_embedding(70_010, dim)
    for at, bound in ((NEAR, 1e-6), (FAR, 2e-3)):
        assert off(code("sinusoidal-cos-first", dim, at), table[at]) < bound


def test_videomae_numbers_its_tubes_through() -> None:
    """In float64 on the host, rounded once."""
    theirs = modeling_videomae.get_sinusoid_encoding_table(3 * 5 * 7, 10)[0]
    assert off(code("sinusoidal", 10, torch.arange(105)), theirs) < 5e-7


@pytest.mark.parametrize("patches", [1, 13])
def test_patchtst_normalises_a_table_of_its_length(patches: int) -> None:
    """So it is a table, and another for every number of patches."""
    config = PatchTSTConfig(d_model=10, positional_encoding_type="sincos")
    theirs = modeling_patchtst.PatchTSTPositionalEncoding._init_pe(config, patches)
    table = code("sinusoidal", 10, torch.arange(patches))
    table = (table - table.mean()) / (10 * table.std())
    ours = posenc.bind(posenc.Learned(rows=patches, dim=10), {"table": table})
    assert off(ours.embed(torch.arange(patches)), theirs) < 1e-7


def test_kimi_k25_adds_no_time_to_an_image() -> None:
    """Its row of zeros is for clips of one frame; frame f of others has the code of f."""
    config = modeling_kimi_k25.Kimi_K25VisionConfig(
        hidden_size=12, pos_emb_height=5, pos_emb_width=5, pos_emb_time=4
    )
    layer = modeling_kimi_k25.Kimi_K25VisionPositionEmbeddings(config)
    torch.nn.init.normal_(layer.position_embeddings)
    clips = [(1, 5, 5), (3, 4, 6), (4, 5, 5)]
    total = sum(t * h * w for t, h, w in clips)
    theirs = layer(torch.zeros(total, 12), torch.tensor(clips)).detach()
    ours = []
    for t, h, w in clips:
        trained = layer.position_embeddings.detach().flatten(0, 1)
        table = posenc.resize.grid(trained, old=(5, 5), new=(h, w), method="cubic")
        cells = torch.from_numpy(grid(t=t, h=h, w=w, order="thw"))
        space = posenc.bind(posenc.LearnedGrid(sizes=(h, w), dim=12), {"table": table})
        both = space.embed(cells[:, 1:])
        ours.append(both + code("sinusoidal-half", 12, cells[:, 0]) if t > 1 else both)
    assert off(torch.cat(ours), theirs) < 3e-6
