"""Models that turn something other than q and k, another way, or by numbers of their own making.

What `docs/not-covered.md` and `docs/howto/positions.md` say to do instead gives what they give.
"""

from __future__ import annotations

import math
import types

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from transformers.models.clvp import modeling_clvp
from transformers.models.deepseek_v4 import modeling_deepseek_v4
from transformers.models.musicflamingo import modeling_musicflamingo
from transformers.models.nanochat import modeling_nanochat
from transformers.models.sam2_video import modeling_sam2_video
from transformers.models.wav2vec2_conformer import modeling_wav2vec2_conformer

import posenc
from posenc.positions import grid
from posenc.registry import entry

pytestmark = pytest.mark.upstream

BATCH, TOKENS, HEADS, DIM = 2, 7, 4, 20
STARTS = (8, 70_001)


def heads(x: Tensor, count: int) -> Tensor:
    return x.view(BATCH, TOKENS, count, -1).transpose(1, 2)


def drawn(width: int, seed: int = 0) -> Tensor:
    return torch.randn(BATCH, TOKENS, width, generator=torch.Generator().manual_seed(seed))


def at(start: int) -> Tensor:
    return torch.arange(start, start + TOKENS).expand(BATCH, -1)


def near(got: Tensor, due: Tensor, atol: float = 1e-6) -> None:
    np.testing.assert_allclose(got.detach(), due.detach(), atol=atol, rtol=0)


@pytest.mark.parametrize("start", STARTS)
def test_deepseek_v4_turns_the_last_channels(start: int) -> None:
    spec = posenc.Rope(dim=6, head_dim=DIM, at="back", layout="interleaved", base=160_000.0)
    x = heads(drawn(HEADS * DIM), HEADS)
    angles = at(start)[..., None].float() * torch.from_numpy(
        spec.constants(arithmetic="float32")["rates"]
    )
    theirs = modeling_deepseek_v4.apply_rotary_pos_emb(x, angles.cos(), angles.sin())
    scheme = posenc.bind(spec, arithmetic="exact" if start == 8 else "float32")
    near(scheme.query(x, at(start)), theirs)
    # What comes out of attention is turned back: by minus the position of the query.
    back = modeling_deepseek_v4.apply_rotary_pos_emb(x, angles.cos(), -angles.sin())
    near(scheme.query(x, -at(start)), back)


@pytest.mark.parametrize("start", STARTS)
def test_clvp_turns_values_too(start: int) -> None:
    q, k, v = (heads(drawn(HEADS * DIM, seed), HEADS) for seed in range(3))
    spec = posenc.Rope(dim=DIM, layout="half")
    rates = torch.from_numpy(spec.constants(arithmetic="float32")["rates"])
    angles = (torch.arange(start, start + TOKENS).float()[:, None] * rates).repeat(1, 2)
    ids = torch.arange(TOKENS).expand(BATCH, -1)
    theirs = modeling_clvp.apply_rotary_pos_emb(q, k, v, angles.cos(), angles.sin(), ids)
    scheme = posenc.bind(spec, arithmetic="exact" if start == 8 else "float32")
    for x, due in zip((q, k, v), theirs, strict=True):
        near(scheme.key(x, at(start)), due, 2e-6)


def test_wav2vec2_conformer_turns_tokens_before_they_are_projected() -> None:
    config = transformers.Wav2Vec2ConformerConfig(
        hidden_size=HEADS * DIM, num_attention_heads=HEADS, position_embeddings_type="rotary"
    )
    module = modeling_wav2vec2_conformer
    rotary = module.Wav2Vec2ConformerRotaryPositionalEmbedding(config)
    layer = module.Wav2Vec2ConformerSelfAttention(config).eval()
    x = drawn(30 * HEADS * DIM).reshape(-1, 30, HEADS * DIM)
    turned = layer._apply_rotary_embedding(x, rotary(x))
    split = x.unflatten(-1, (HEADS, DIM))
    scheme = posenc.bind(posenc.Rope(dim=DIM, layout="half"))
    near(scheme.query(split, torch.arange(30), head_axis=-2).flatten(-2), turned, 4e-6)


def test_music_flamingo_turns_audio_by_products_of_times() -> None:
    """Two windows of 13 frames, whose seconds multiply both of their numbers."""
    frames, step, width = 13, 0.04, 40
    given = types.SimpleNamespace(
        max_position_embeddings=1200.0,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 1200.0,
            "partial_rotary_factor": 0.2,
        },
        head_dim=width,
        audio_frame_step=step / 4,
    )
    rotary = modeling_musicflamingo.MusicFlamingoRotaryEmbedding(given)
    frame, window = torch.arange(frames), torch.tensor([[5], [6]])
    seconds = (window * frames + frame) * step
    x = torch.randn(2, frames, width, generator=torch.Generator().manual_seed(0))
    theirs = modeling_musicflamingo.apply_rotary_time_emb(x, *rotary(seconds, frames))

    numbers = torch.stack([window.expand(2, frames), math.tau * frame.expand(2, frames)], dim=-1)
    places = -math.tau * seconds[..., None] * numbers / 1200
    scheme = posenc.bind(entry("rope-music-flamingo").make(dim=width))
    near(scheme.query(x, places, head_axis=None), theirs, 2e-6)


def test_chatglm_6b_turns_each_half_by_a_number_of_its_own() -> None:
    """The formula of its own code: a rotary encoding of each half of the head."""
    x = drawn(2 * DIM)
    places = torch.tensor([[8, 0], [9, 0], [70_001, 0], [5, 1], [5, 2], [5, 300], [5, 70_001]])
    halves = posenc.bind(posenc.Rope(dim=DIM, layout="half"))
    due = [halves.query(x[..., n * DIM :][..., :DIM], places[:, n], head_axis=None) for n in (0, 1)]
    spec = entry("rope-2d-apart").make(dim=2 * DIM, base=10_000.0)
    near(posenc.bind(spec).query(x, places, head_axis=None), torch.cat(due, dim=-1))


@pytest.mark.parametrize("start", STARTS)
def test_nanochat_turns_the_other_way(start: int) -> None:
    """Its rotation by -p is ours at position -p; or ours at p with the halves of heads swapped."""
    spec = posenc.Rope(dim=DIM, layout="half")
    scheme = posenc.bind(spec, arithmetic="exact" if start == 8 else "float32")
    q, k = heads(drawn(HEADS * DIM), HEADS), heads(drawn(HEADS * DIM, 1), HEADS)
    rates = torch.from_numpy(spec.constants(arithmetic="float32")["rates"])
    angles = (at(start)[..., None].float() * rates).repeat(1, 1, 2)
    theirs = modeling_nanochat.apply_rotary_pos_emb(q, k, angles.cos(), angles.sin())
    for x, due, turn in ((q, theirs[0], scheme.query), (k, theirs[1], scheme.key)):
        near(turn(x, -at(start)), due)
        near(turn(x.roll(DIM // 2, -1), at(start)).roll(DIM // 2, -1), due)
    standard = scheme.query(q, at(start)) @ scheme.key(k, at(start)).mT
    assert (standard - theirs[0] @ theirs[1].mT).abs().max() > 1


def test_memories_of_sam_2_are_at_the_places_of_the_frame() -> None:
    """Three frames cell by cell, and four pointers, which do not turn: they are at 0."""
    cells = grid(h=3, w=4, order="wh")
    dim, generator = 16, torch.Generator().manual_seed(0)
    q = torch.randn(BATCH, HEADS, 12, dim, generator=generator)
    k = torch.randn(BATCH, HEADS, 3 * 12 + 4, dim, generator=generator)
    width = HEADS * dim
    given = transformers.Sam2VideoConfig(
        memory_attention_hidden_size=width, memory_attention_num_attention_heads=HEADS
    )
    rotary = modeling_sam2_video.Sam2VideoVisionRotaryEmbedding(given)
    cos, sin = rotary(q, torch.tensor(cells))
    turn = modeling_sam2_video.apply_rotary_pos_emb_2d
    theirs = turn(q, k, cos, sin, num_k_exclude_rope=4, repeat_freqs_k=True)
    memory = np.concatenate([np.tile(cells, (3, 1)), np.zeros((4, 2), int)])
    scheme = posenc.bind(entry("rope-2d-interleaved").make(dim=dim))
    near(scheme.query(q, cells), theirs[0], 4e-6)
    near(scheme.key(k, memory), theirs[1], 4e-6)
