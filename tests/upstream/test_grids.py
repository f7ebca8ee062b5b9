"""Codes of several coordinates as installed libraries compute them, on grids that are no squares.

The references of transformers and diffusers compute angles in float64 and round once; DETR's kin
and the packages work in float32, which costs digits far out.
"""

from __future__ import annotations

import importlib
import math
import types
from collections.abc import Callable

import numpy as np
import pytest
import torch
from diffusers.models import embeddings
from positional_encodings import torch_encodings
from transformers.models.aimv2 import modeling_aimv2
from transformers.models.granite_docling import modeling_granite_docling
from transformers.models.omdet_turbo import modeling_omdet_turbo
from transformers.models.rt_detr import modeling_rt_detr
from transformers.models.vit_mae import modeling_vit_mae

import posenc
from posenc.positions import detr, grid, middle

pytestmark = pytest.mark.upstream

H, W = 5, 13
TURN = 2 * math.pi
Layers = Callable[[str], types.ModuleType]


def code(spec: posenc.specs.Spec, at: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    return posenc.bind(spec).embed(at, dtype=dtype)


def halves(dim: int, **fields: object) -> posenc.GridSinusoidal:
    return posenc.GridSinusoidal(dims=(dim // 2, dim // 2), **fields)


# Rows first


@pytest.mark.parametrize("dim", [8, 64, 96])
def test_transformers_puts_the_row_first(dim: int) -> None:
    build = modeling_vit_mae.build_2d_sinusoidal_position_embedding
    ours = code(halves(dim), grid(h=H, w=W, order="hw"))
    theirs = build(H, W, dim, dtype=torch.float64)
    np.testing.assert_allclose(ours, theirs, atol=1e-14)
    layer = modeling_rt_detr.RTDetrSinePositionEmbedding(dim)
    got = layer(width=W, height=H, device=torch.device("cpu"), dtype=torch.float32)
    np.testing.assert_allclose(ours, got[0], atol=6e-8)


def test_a_strip_of_70_010_rows(timm_layer: Layers) -> None:
    """Their angles are float64, right to 1e-11 there; float32 ones are 4e-3 off."""
    build = modeling_vit_mae.build_2d_sinusoidal_position_embedding
    at = grid(h=70_010, w=2, order="hw")
    ours = code(halves(8), at)
    np.testing.assert_allclose(ours, build(70_010, 2, 8, dtype=torch.float64), atol=1e-11)
    theirs = timm_layer("pos_embed_sincos").build_sincos2d_pos_embed([70_010, 2], 64)
    spec = halves(64, halves="all")
    due = code(spec, at)
    assert 2e-3 < np.abs(theirs.numpy() - due).max() < 8e-3
    assert np.abs(posenc.bind(spec).embed(torch.tensor(at)).numpy() - due).max() < 5e-7


# Columns first


def test_vit_mae_granite_docling_and_aimv2_put_the_column_first() -> None:
    square = code(halves(16), grid(h=7, w=7, order="wh"))
    granite = modeling_granite_docling.GraniteDoclingPositionEmbedding.build(16, 7)
    np.testing.assert_allclose(square, granite, atol=6e-8)

    config = modeling_vit_mae.ViTMAEConfig(
        hidden_size=16, image_size=14, patch_size=2, num_attention_heads=2, intermediate_size=8
    )
    mae = modeling_vit_mae.ViTMAEEmbeddings(config)
    mae.initialize_weights()
    np.testing.assert_allclose(square, mae.position_embeddings[0, 1:].detach(), atol=6e-8)
    assert not mae.position_embeddings[0, 0].any()  # the class token

    config = modeling_aimv2.Aimv2VisionConfig(
        hidden_size=16, image_size=14, patch_size=2, is_native=True, num_attention_heads=2
    )
    model = modeling_aimv2.Aimv2VisionEmbeddings(config)
    torch.nn.init.zeros_(model.patch_embed.weight)
    torch.nn.init.zeros_(model.patch_embed.bias)
    alone = model(torch.zeros(2, 3, 2 * H, 2 * W))
    ours = code(halves(16), grid(h=H, w=W, order="wh"))
    np.testing.assert_allclose(ours, alone[1].detach(), atol=6e-8)


@pytest.mark.parametrize(("base_size", "stretch"), [(16, 1.0), (64, 2.0), (32, 0.5)])
@pytest.mark.parametrize("dim", [8, 64, 96])
def test_dit_and_pixart_in_diffusers(dim: int, base_size: int, stretch: float) -> None:
    """The coordinate is cells times base_size over their number, over the interpolation scale."""
    theirs = embeddings.get_2d_sincos_pos_embed(
        dim, (H, W), base_size=base_size, interpolation_scale=stretch
    )
    scales = (base_size / W / stretch, base_size / H / stretch)
    ours = code(halves(dim, scales=scales), grid(h=H, w=W, order="wh"))
    np.testing.assert_allclose(ours, theirs, atol=4e-6)  # their coordinates are float32


def patches(**fields: object) -> embeddings.PatchEmbed:
    return embeddings.PatchEmbed(patch_size=2, in_channels=1, embed_dim=16, **fields)


def test_pixart_at_its_own_size() -> None:
    theirs = patches(height=128, width=128, interpolation_scale=2).pos_embed
    spec = posenc.encodings()["grid-pixart"].make(dim=16)
    np.testing.assert_allclose(code(spec, grid(h=64, w=64, order="wh")), theirs[0], atol=6e-8)


def test_stable_diffusion_3_cuts_codes_out_of_one_table() -> None:
    table = patches(height=128, width=128, pos_embed_max_size=192)
    spec = posenc.encodings()["grid-sd3"].make(dim=16)
    for h, w in ((64, 64), (33, 90), (1, 192)):
        theirs = table.cropped_pos_embed(2 * h, 2 * w)
        ours = code(spec, middle(of=192, h=h, w=w, order="wh"))
        np.testing.assert_allclose(ours, theirs[0], atol=4e-6)


@pytest.mark.parametrize("dim", [16, 64, 96])
def test_video_of_cogvideox(dim: int) -> None:
    """Frames, then the column, then the row, of a quarter and twice three eighths."""
    theirs = embeddings.get_3d_sincos_pos_embed(dim, (W, H), 11, 1.875, 1.0)
    spec = posenc.encodings()["grid-cogvideox"].make(dim=dim)
    assert spec.dims == (dim // 4, 3 * dim // 8, 3 * dim // 8)
    ours = code(spec, grid(t=11, h=H, w=W, order="twh"))
    np.testing.assert_allclose(ours, theirs.flatten(0, 1), atol=1e-6)


# positional_encodings


@pytest.mark.parametrize("dim", [6, 7, 10, 64, 96])
def test_two_coordinates_of_positional_encodings(dim: int) -> None:
    theirs = torch_encodings.PositionalEncoding2D(dim)(torch.zeros(3, H, W, dim))
    spec = posenc.encodings()["multidim-2d"].make(dim=dim)
    ours = code(spec, grid(h=H, w=W, order="hw")).reshape(H, W, dim)
    np.testing.assert_allclose(np.broadcast_to(ours, (3, H, W, dim)), theirs, atol=1e-6)


@pytest.mark.parametrize("dim", [6, 9, 10, 13, 64, 96])
def test_three_coordinates_of_positional_encodings(dim: int) -> None:
    theirs = torch_encodings.PositionalEncoding3D(dim)(torch.zeros(1, 3, H, W, dim))
    spec = posenc.encodings()["multidim-3d"].make(dim=dim)
    ours = code(spec, grid(t=3, h=H, w=W, order="thw")).reshape(3, H, W, dim)
    np.testing.assert_allclose(ours, theirs[0], atol=1e-6)


@pytest.mark.parametrize("dim", [7, 8])
def test_positional_encodings_loses_a_coordinate_at_seven_and_eight_channels(dim: int) -> None:
    """Four channels for each of three, cut to seven: the third has none, and all z look alike."""
    theirs = torch_encodings.PositionalEncoding3D(dim)(torch.zeros(1, 3, 4, 5, dim))
    assert (theirs == theirs[..., :1, :]).all()
    with pytest.raises(posenc.EncodingError, match="told by no channel"):
        posenc.GridSinusoidal(dims=(4, 4, 4), dim=dim, rest="cut")


def test_positional_encodings_answers_with_the_dtype_of_the_call_before() -> None:
    """P49: its cache looks at the shape alone. B134: a table for each image, not the first one."""
    theirs = torch_encodings.PositionalEncoding2D(8)
    assert theirs(torch.zeros(4, H, W, 8)).shape == (4, H, W, 8)
    assert theirs(torch.zeros(4, H, W, 8, dtype=torch.float64)).dtype == torch.float32
    scheme, at = (
        posenc.bind(halves(8, layout="interleaved")),
        torch.tensor(grid(h=H, w=W, order="hw")),
    )
    assert scheme.embed(at).dtype == torch.float32
    assert scheme.embed(at, dtype=torch.float64).dtype == torch.float64
    assert scheme.embed(at.expand(4, -1, -1)).shape == (4, H * W, 8)


def test_sine_and_cosine_are_neighbours() -> None:
    """B133: the first releases of positional_encodings had them in blocks."""
    theirs = torch_encodings.PositionalEncoding1D(4)(torch.zeros(1, 2, 4))
    due = [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]
    np.testing.assert_allclose(theirs[0, 1], due, atol=1e-7)
    np.testing.assert_allclose(code(posenc.Sinusoidal(dim=4), np.array([1]))[0], due, atol=1e-15)
    both = code(halves(8, layout="interleaved"), np.array([[1, 0]]))
    np.testing.assert_allclose(both[0], [*due, 0, 1, 0, 1], atol=1e-15)


# timm


@pytest.mark.parametrize("dim", [8, 64, 96])
def test_timm_has_all_sines_before_all_cosines(timm_layer: Layers, dim: int) -> None:
    """What it calls interleaved are halves within each coordinate."""
    build = timm_layer("pos_embed_sincos").build_sincos2d_pos_embed
    at = grid(h=H, w=W, order="hw")
    ours = code(halves(dim, halves="all"), at)
    np.testing.assert_allclose(ours, build([H, W], dim), atol=1e-6)
    theirs = build([H, W], dim, interleave_sin_cos=True)
    np.testing.assert_allclose(code(halves(dim), at), theirs, atol=1e-6)


def test_timm_with_reversed_coordinates_reverses_the_tokens_too(timm_layer: Layers) -> None:
    """Nothing changes on a square grid, and on another rows of the table are at other cells."""
    build = timm_layer("pos_embed_sincos").build_sincos2d_pos_embed
    assert torch.equal(build([7, 7], 16, reverse_coord=True), build([7, 7], 16))
    theirs = build([H, W], 16, reverse_coord=True)
    right = code(halves(16, halves="all"), grid(h=H, w=W, order="wh"))
    assert np.abs(right - theirs.numpy()).max() > 1
    scrambled = code(halves(16, halves="all"), grid(w=W, h=H, order="wh"))
    np.testing.assert_allclose(scrambled, theirs, atol=1e-6)


def test_omdet_turbo_numbers_cells_column_by_column() -> None:
    """P36: features are flattened row by row. On square maps this is the row before the column."""
    build = modeling_omdet_turbo.OmDetTurboHybridEncoder.build_2d_sincos_position_embedding
    square = code(halves(16), grid(h=7, w=7, order="hw"))
    np.testing.assert_allclose(square, build(7, 7, 16)[0], atol=1e-6)
    theirs = build(W, H, 16)[0].numpy()
    right = code(halves(16), grid(h=H, w=W, order="hw"))
    assert np.abs(right - theirs).max() > 1
    scrambled = code(halves(16), grid(w=W, h=H, order="wh"))
    np.testing.assert_allclose(scrambled, theirs, atol=1e-6)


# DETR and its kin

KIN = {
    "detr": "DetrSinePositionEmbedding",
    "conditional_detr": "ConditionalDetrSinePositionEmbedding",
    "deformable_detr": "DeformableDetrSinePositionEmbedding",
    "maskformer": "MaskFormerSinePositionEmbedding",
    "mask2former": "Mask2FormerSinePositionEmbedding",
    "oneformer": "OneFormerSinePositionEmbedding",
    "sam2": "Sam2SinePositionEmbedding",
    "sam3": "Sam3SinePositionEmbedding",
    "table_transformer": "TableTransformerSinePositionEmbedding",
    "grounding_dino": "GroundingDinoSinePositionEmbedding",
    "dab_detr": "DabDetrSinePositionEmbedding",
}
BASES = {"grounding_dino": 20.0, "dab_detr": (20.0, 50.0)}  # of height and width
DIM = 24


def reference(name: str, mask: torch.Tensor) -> torch.Tensor:
    """The code of every pixel of a padded batch, (batch, height * width, channels)."""
    module = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    cls = getattr(module, KIN[name])
    given = torch.zeros(len(mask), 3, *mask.shape[1:])
    if name == "grounding_dino":
        config = types.SimpleNamespace(d_model=DIM, positional_embedding_temperature=20)
        made = cls(config)(given, mask)
    elif name == "dab_detr":
        config = types.SimpleNamespace(
            hidden_size=DIM,
            temperature_height=20,
            temperature_width=50,
            sine_position_embedding_scale=None,
        )
        made = cls(config)(given, mask)
    elif name == "table_transformer":
        made = cls(DIM // 2, normalize=True)(given, mask)
    else:
        made = cls(DIM // 2, normalize=True)(given.shape, "cpu", torch.float32, mask)
    return made.flatten(2).transpose(1, 2)


def padded() -> torch.Tensor:
    """Three images, the second smaller, the third in a corner of its own: (3, 9, 14)."""
    mask = torch.zeros(3, 9, 14, dtype=torch.bool)
    mask[0], mask[1, :5, :11], mask[2, 3:, 8:] = True, True, True
    return mask


@pytest.mark.parametrize("name", KIN)
def test_padded_images(name: str) -> None:
    """P37: shares of the real part, counted from 1."""
    mask = padded()
    base = BASES.get(name, 10_000.0)
    bases = base if isinstance(base, tuple) else (base, base)
    spec = halves(DIM, bases=bases, scales=(TURN, TURN), layout="interleaved")
    at = detr(mask, offset=-0.5 if name == "deformable_detr" else 0.0)
    ours = posenc.bind(spec).embed(at.positions)
    real = mask.flatten(1)
    torch.testing.assert_close(ours[real], reference(name, mask)[real], atol=2e-6, rtol=0)
    assert torch.equal(at.mask[:, 0, 0], real)
    if name != "deformable_detr":  # whose pads, in columns without a real pixel, are at -500 000
        torch.testing.assert_close(ours, reference(name, mask), atol=2e-6, rtol=0)


def test_an_entry_for_each_temperature() -> None:
    mask = padded()
    for name, model in (("detr", "detr"), ("detr-steep", "grounding_dino")):
        spec = posenc.encodings()[name].make(dim=DIM)
        ours = posenc.bind(spec).embed(detr(mask).positions)
        torch.testing.assert_close(ours, reference(model, mask), atol=2e-6, rtol=0)


def test_without_shares_cells_count_from_one() -> None:
    module = importlib.import_module("transformers.models.detr.modeling_detr")
    theirs = module.DetrSinePositionEmbedding(DIM // 2)((1, 3, H, W), "cpu", torch.float32)
    ours = code(halves(DIM, layout="interleaved"), grid(h=H, w=W, order="hw") + 1)
    np.testing.assert_allclose(ours, theirs.flatten(2)[0].T, atol=2e-6)


def test_half_precision_merges_their_columns() -> None:
    """Past 256 a bfloat16 count does not see the next pixel; only our answer is rounded."""
    module = importlib.import_module("transformers.models.detr.modeling_detr")
    layer = module.DetrSinePositionEmbedding(128, normalize=True)
    mask = torch.ones(1, 1, 400, dtype=torch.bool)
    theirs = layer((1, 3, 1, 400), "cpu", torch.bfloat16, mask)[0, :, 0].T.unique(dim=0)
    spec = posenc.encodings()["detr"].make(dim=256)
    ours = posenc.bind(spec).embed(detr(mask).positions, dtype=torch.bfloat16)[0].unique(dim=0)
    assert len(theirs) < 340
    assert len(ours) == 400


@pytest.mark.parametrize("name", ["conditional_detr", "dab_detr", "grounding_dino", "lw_detr"])
@pytest.mark.parametrize("count", [2, 4])
def test_anchors_and_boxes(name: str, count: int) -> None:
    """They give (x, y, w, h) and have y first: here the coordinates come in their order."""
    module = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    boxes = torch.rand(2, 7, count, generator=torch.Generator().manual_seed(0))
    theirs = module.encode_sinusoidal_position_embedding(boxes, num_pos_feats=16)
    spec = posenc.GridSinusoidal(dims=(16,) * count, scales=(TURN,) * count, layout="interleaved")
    if count == 4:
        assert spec == posenc.encodings()["detr-boxes"].make(dim=64)
    ours = posenc.bind(spec).embed(boxes[..., [1, 0, 2, 3][:count]])
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)


def test_proposals_of_deformable_detr_keep_x_first() -> None:
    module = importlib.import_module("transformers.models.deformable_detr.modeling_deformable_detr")
    boxes = torch.randn(2, 7, 4, generator=torch.Generator().manual_seed(0))
    model = types.SimpleNamespace(config=types.SimpleNamespace(d_model=32))
    theirs = module.DeformableDetrModel.get_proposal_pos_embed(model, boxes)
    spec = posenc.encodings()["detr-boxes"].make(dim=64)
    ours = posenc.bind(spec).embed(boxes.sigmoid())
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)
