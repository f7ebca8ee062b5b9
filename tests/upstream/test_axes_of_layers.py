"""Rotary encodings of images in timm and rotary-embedding-torch, and ours at the same places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import rotary_embedding_torch
import torch
from torch import Tensor

import posenc
from posenc import Rope, Sections
from posenc.positions import centres, grid, rescaled

pytestmark = pytest.mark.upstream

BATCH, HEADS, ROWS, COLUMNS = 2, 3, 9, 14
NEAR = 1e-5
ENTRIES = posenc.encodings(plugins=False)


def tokens(dim: int) -> Tensor:
    drawn = torch.Generator().manual_seed(dim)
    return torch.randn(BATCH, HEADS, ROWS * COLUMNS, dim, generator=drawn)


def turned(spec: Any, x: Tensor, places: Any, arrays: Any = None) -> Tensor:
    scheme = posenc.bind(spec, arrays)
    at = torch.as_tensor(places)
    ours = scheme.query(x, at)
    assert torch.equal(scheme.key(x, at), ours)
    return ours


def close(ours: Tensor, theirs: Tensor, atol: float = NEAR) -> None:
    torch.testing.assert_close(ours, theirs, atol=atol, rtol=0)


@pytest.mark.parametrize("dim", [8, 64, 96])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_eva(timm_layers: Any, dim: int, layout: str) -> None:
    half = layout == "half"
    x, cells = tokens(dim), grid(h=ROWS, w=COLUMNS, order="hw")
    entry = ENTRIES["rope-2d-interleaved"]
    for reference, places in (
        (None, cells),
        ([6, 16], rescaled(h=ROWS, w=COLUMNS, order="hw", to={"h": 6, "w": 16})),
    ):
        made = timm_layers.RotaryEmbeddingCat(
            dim, in_pixels=False, ref_feat_shape=reference, rotate_half=half
        )
        table = made.get_embed([ROWS, COLUMNS])
        theirs = timm_layers.apply_rot_embed_cat(x, table, half=half)
        close(turned(entry.make(dim=dim, layout=layout), x, places), theirs)


@pytest.mark.parametrize("offset", [8, 70_001])
def test_eva_far_out(timm_layers: Any, offset: int) -> None:
    made = timm_layers.RotaryEmbeddingCat(64, in_pixels=False, grid_offset=float(offset))
    x, cells = tokens(64), grid(h=ROWS, w=COLUMNS, order="hw") + offset
    theirs = timm_layers.apply_rot_embed_cat(x, made.get_embed([ROWS, COLUMNS]))
    atol = NEAR if offset == 8 else 1.5e-2
    close(turned(ENTRIES["rope-2d-interleaved"].make(dim=64), x, cells), theirs, atol)


def test_perception_encoder_reads_columns_first(timm_layers: Any) -> None:
    made = timm_layers.RotaryEmbeddingCat(64, in_pixels=False, grid_offset=1, grid_indexing="xy")
    x, cells = tokens(64), grid(h=ROWS, w=COLUMNS, order="wh") + 1
    theirs = timm_layers.apply_rot_embed_cat(x, made.get_embed([ROWS, COLUMNS]))
    close(turned(ENTRIES["rope-2d-interleaved"].make(dim=64), x, cells), theirs)


@pytest.mark.parametrize("largest", [10.0, 224.0])
def test_pixels(timm_layers: Any, largest: float) -> None:
    """Coordinates from -1 to 1, ends included; angles of up to 352 in float32 for 224."""
    corners = 2 * grid(h=ROWS, w=COLUMNS, order="hw") / np.array([ROWS - 1, COLUMNS - 1]) - 1
    x = tokens(64)
    spec = ENTRIES["rope-2d-pixels"].make(dim=64, base=largest)
    ours = turned(spec, x, corners)
    made = timm_layers.RotaryEmbeddingCat(64, max_res=int(largest), linear_bands=True)
    atol = NEAR if largest == 10 else 2e-4
    close(ours, timm_layers.apply_rot_embed_cat(x, made.get_embed([ROWS, COLUMNS])), atol)
    other = rotary_embedding_torch.RotaryEmbedding(32, freqs_for="pixel", max_freq=largest)
    table = other.get_axial_freqs(ROWS, COLUMNS)
    square = x.reshape(BATCH, HEADS, ROWS, COLUMNS, 64)
    theirs = rotary_embedding_torch.apply_rotary_emb(table, square).reshape(x.shape)
    close(ours, theirs, atol)


@pytest.mark.parametrize("over", ["separate", "max", "min"])
def test_dinov3(timm_layers: Any, over: str) -> None:
    made = timm_layers.RotaryEmbeddingDinoV3(64, normalize_coords=over).eval()
    x = tokens(64)
    theirs = timm_layers.apply_rot_embed_cat(x, made.get_embed([ROWS, COLUMNS]), half=True)
    named: Any = {"separate": "own", "max": "largest", "min": "smallest"}[over]
    places = centres(h=ROWS, w=COLUMNS, order="hw", over=named)
    close(turned(ENTRIES["rope-dinov3"].make(dim=64), x, places), theirs)


@pytest.mark.parametrize("dim", [8, 64])
def test_mixed(timm_layers: Any, dim: int) -> None:
    depth = 2
    torch.manual_seed(0)
    made = timm_layers.RotaryEmbeddingMixed(HEADS * dim, depth, HEADS)
    table = made.get_embed([ROWS, COLUMNS])
    x, cells = tokens(dim), grid(h=ROWS, w=COLUMNS, order="wh")
    for block in range(depth):
        theirs = timm_layers.apply_rot_embed_cat(x, table[block])
        spec = ENTRIES["rope-mixed"].make(dim=dim, heads=HEADS)
        learned = {"freqs": made.freqs[:, block].movedim(0, -1)}
        close(turned(spec, x, cells, learned), theirs)


@pytest.mark.parametrize("dim", [8, 64])
def test_mixed_starts_as_theirs(timm_layers: Any, dim: int) -> None:
    """Not the same draw, but the same ladder along two directions at a right angle."""
    ours = ENTRIES["rope-mixed"].make(dim=dim, heads=HEADS).init(np.random.default_rng(1))["freqs"]
    theirs = timm_layers.init_random_2d_freqs(dim, 1, HEADS)[:, 0].movedim(0, -1).numpy()
    for freqs in (ours, theirs):
        first, second = freqs[:, : dim // 4], freqs[:, dim // 4 :]
        np.testing.assert_allclose((first * second).sum(-1), 0, atol=1e-6)
        turn = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
        assert (turn > 0).all()
        np.testing.assert_allclose(np.linalg.norm(first[0] - first[1], axis=-1) > 0, True)
    lengths = [np.linalg.norm(freqs, axis=-1) for freqs in (ours, theirs)]
    np.testing.assert_allclose(*lengths, rtol=1e-6)


@pytest.mark.parametrize(
    ("dim", "named", "sizes"),
    [(64, (8, 12, 12), (11, 11, 10)), (72, (8, 12, 12), (12, 12, 12)), (128, (24, 20, 20), None)],
)
def test_sections_of_timm(timm_layers: Any, dim: int, named: Any, sizes: Any) -> None:
    """Its first size is not read, and the others may name more pairs than there are."""
    made = timm_layers.RotaryEmbeddingMRope(dim, mrope_section=named)
    axes = Sections(sizes=sizes or named, order="interleaved")
    np.testing.assert_array_equal(made.axis.numpy(), axes.axis(dim // 2))
    spec = Rope(dim=dim, layout="half", axes=axes)
    np.testing.assert_allclose(made.inv_freq.numpy(), spec.frequencies(), rtol=3e-7)
