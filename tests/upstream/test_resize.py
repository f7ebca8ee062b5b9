"""Learned tables at other sizes, as PyTorch, transformers, timm, JAX and SciPy resize them.

Grids are not square, and where a library holds them for square a test shows both answers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import jax
import numpy as np
import pytest
import torch
from scipy import ndimage
from scipy.interpolate import RectBivariateSpline
from torch import Tensor
from torch.nn.functional import interpolate
from transformers.models.beit import modeling_beit
from transformers.models.dinov2 import modeling_dinov2
from transformers.models.dinov2_with_registers import modeling_dinov2_with_registers
from transformers.models.sam import modeling_sam
from transformers.models.siglip2 import modeling_siglip2
from transformers.models.vit import modeling_vit
from transformers.vision_utils import get_vision_interpolation_indices_and_weights

from posenc import resize

pytestmark = pytest.mark.upstream

SINGLE = 1e-5  # what their places and sums in float32 cost; 7.8e-6 was measured

MODES = {
    "nearest": {"mode": "nearest"},
    "linear": {"mode": "bilinear"},
    "linear-antialias": {"mode": "bilinear", "antialias": True},
    "linear-corners": {"mode": "bilinear", "align_corners": True},
    "cubic": {"mode": "bicubic"},
    "cubic-antialias": {"mode": "bicubic", "antialias": True},
}
OLD = [(1, 1), (1, 5), (2, 3), (7, 5), (14, 20), (37, 16)]
NEW = [(1, 1), (2, 1), (3, 3), (6, 11), (14, 20), (37, 16), (61, 8), (5, 64)]


def drawn(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)), dtype=dtype)


def image(cells: Tensor, sides: tuple[int, ...]) -> Tensor:
    """(lead, cells, dim) as (lead, dim, height, width)."""
    return cells.unflatten(-2, sides).movedim(-1, 1)


def flat(picture: Tensor) -> Tensor:
    return picture.flatten(2).transpose(1, 2)


@pytest.mark.parametrize("old", OLD)
@pytest.mark.parametrize("method", MODES)
def test_every_method_is_pytorchs(method: str, old: tuple[int, int]) -> None:
    table = drawn(2, 3 + old[0] * old[1], 5)
    for new in NEW:
        ours = resize.grid(table, old=old, new=new, method=method, prefix=3)
        due = flat(interpolate(image(table[:, 3:], old), size=new, **MODES[method]))
        torch.testing.assert_close(ours[:, 3:], due, atol=1e-13, rtol=0)
        torch.testing.assert_close(ours[:, :3], table[:, :3], atol=0, rtol=0)


def test_pytorchs_nearest_row_is_one_too_early_where_its_scale_is_rounded() -> None:
    """floor(41 * (2 / 82)) with a float32 scale is 0; 41 * 2 / 82 is 1."""
    table = torch.arange(2.0)[:, None]
    theirs = interpolate(table.T[None], size=82, mode="nearest")[0, 0]
    ours = resize.rows(table, new=82, method="nearest")[:, 0]
    assert (theirs[41], ours[41]) == (0, 1)
    assert (theirs != ours).sum() == 1


@pytest.mark.parametrize(("old", "new"), [((4, 6), (9, 5)), ((14, 14), (16, 30))])
def test_jax_resizes_without_aliasing(old: tuple[int, int], new: tuple[int, int]) -> None:
    table = drawn(old[0] * old[1], 3, dtype=torch.float32)
    for method in ("linear", "cubic"):
        ours = resize.grid(table, old=old, new=new, method=f"{method}-antialias")
        theirs = jax.image.resize(table.numpy().reshape(*old, 3), (*new, 3), method)
        np.testing.assert_allclose(ours.reshape(*new, 3), theirs, atol=SINGLE)


def test_the_zoom_of_vits_jax_code() -> None:
    table = drawn(14 * 9, 3).numpy()
    ours = resize.grid(table, old=(14, 9), new=(24, 5), method="linear-corners")
    theirs = ndimage.zoom(table.reshape(14, 9, 3), (24 / 14, 5 / 9, 1), order=1)
    np.testing.assert_allclose(ours.reshape(24, 5, 3), theirs, atol=1e-12)


VIT = {"image_size": 16, "patch_size": 2, "hidden_size": 6, "num_attention_heads": 1}
MODELS = {
    "vit": (modeling_vit.ViTEmbeddings, modeling_vit.ViTConfig, "cubic"),
    "dinov2": (modeling_dinov2.Dinov2Embeddings, modeling_dinov2.Dinov2Config, "cubic"),
    "dinov2-registers": (
        modeling_dinov2_with_registers.Dinov2WithRegistersEmbeddings,
        modeling_dinov2_with_registers.Dinov2WithRegistersConfig,
        "cubic-antialias",
    ),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("sides", [(22, 36), (8, 8), (6, 40)])
@pytest.mark.parametrize("model", MODELS)
def test_vision_transformers(model: str, sides: tuple[int, int], dtype: torch.dtype) -> None:
    """ViT alone interpolates in the dtype of its table: a bfloat16 one is rounded on the way."""
    embeddings, config, method = MODELS[model]
    layer = embeddings(config(**VIT))
    layer.position_embeddings.data = drawn(1, 65, 6, dtype=torch.float32).to(dtype)
    new = (sides[0] // 2, sides[1] // 2)
    tokens = torch.zeros(2, 1 + new[0] * new[1], 6)
    theirs = layer.interpolate_pos_encoding(tokens, *sides)
    ours = resize.grid(layer.position_embeddings, old=(8, 8), new=new, method=method, prefix=1)
    atol = SINGLE if dtype == torch.float32 else 2**-7
    torch.testing.assert_close(ours, theirs, atol=atol, rtol=atol)
    assert (ours.dtype, ours.requires_grad) == (dtype, True)


def test_siglip2_of_several_shapes_in_one_batch() -> None:
    table = drawn(16 * 16, 5, dtype=torch.float32)
    shapes = [(11, 23), (16, 16), (3, 40), (1, 7)]
    theirs = modeling_siglip2.Siglip2VisionEmbeddings.resize_positional_embeddings(
        table.reshape(16, 16, 5), torch.tensor(shapes), max_length=300
    )
    for row, new in zip(theirs, shapes, strict=True):
        ours = resize.grid(table, old=(16, 16), new=new, method="linear-antialias")
        torch.testing.assert_close(ours, row[: new[0] * new[1]], atol=SINGLE, rtol=0)


@pytest.mark.parametrize(
    ("method", "mode", "corners"),
    [("linear-corners", "bilinear", True), ("cubic", "bicubic", False)],
    ids=["qwen3-vl", "kimi-k2.5"],
)
def test_positions_gathered_by_weight(method: str, mode: str, corners: bool) -> None:
    """Two frames of one video and an image, packed: each frame has the table of its grid."""
    table, shapes = drawn(48 * 48, 5, dtype=torch.float32), [(2, 12, 30), (1, 64, 10)]
    at, weights = get_vision_interpolation_indices_and_weights(
        torch.tensor(shapes), num_grid_per_side=48, mode=mode, align_corners=corners
    )
    theirs = (table[at] * weights[..., None]).sum(1)
    each = [resize.grid(table, old=(48, 48), new=hw, method=method) for _, *hw in shapes]
    torch.testing.assert_close(theirs, torch.cat([each[0], *each]), atol=SINGLE, rtol=0)


TIMM_WARNS = pytest.mark.filterwarnings(
    "ignore:torch.searchsorted", "ignore:Using a non-tuple sequence"
)


def test_timm_absolute(timm_layer: Callable[[str], ModuleType]) -> None:
    resample = timm_layer("pos_embed").resample_abs_pos_embed
    table = drawn(1, 2 + 7 * 12, 5, dtype=torch.float32)
    theirs = resample(table, new_size=[10, 5], old_size=[7, 12], num_prefix_tokens=2)
    ours = resize.grid(table, old=(7, 12), new=(10, 5), method="cubic-antialias", prefix=2)
    torch.testing.assert_close(ours, theirs, atol=SINGLE, rtol=0)


def test_timm_takes_a_grid_of_an_odd_shape_for_square(
    timm_layer: Callable[[str], ModuleType],
) -> None:
    """4 x 9 cells are read as 6 x 6 where nobody says otherwise; we ask."""
    table = drawn(1, 4 * 9, 5, dtype=torch.float32)
    resample = timm_layer("pos_embed").resample_abs_pos_embed
    theirs = resample(table, new_size=[8, 18], num_prefix_tokens=0)
    scrambled = resize.grid(table, old=(6, 6), new=(8, 18), method="cubic-antialias")
    right = resize.grid(table, old=(4, 9), new=(8, 18), method="cubic-antialias")
    torch.testing.assert_close(theirs, scrambled, atol=SINGLE, rtol=0)
    assert (theirs - right).abs().max() > 1


WINDOWS = [((7, 7), (12, 12)), ((5, 7), (9, 13)), ((5, 9), (8, 9)), ((14, 14), (24, 36))]


@pytest.mark.parametrize(("old", "new"), WINDOWS)
@pytest.mark.parametrize("method", ["cubic", "linear", "cubic-antialias"])
def test_relative_tables(method: str, old: tuple[int, int], new: tuple[int, int]) -> None:
    offsets, wanted = ([2 * side - 1 for side in window] for window in (old, new))
    table = drawn(offsets[0] * offsets[1] + 3, 4)
    ours = resize.relative(table, old=old, new=new, method=method, extra=3)
    due = interpolate(image(table[None, :-3], tuple(offsets)), size=wanted, **MODES[method])
    torch.testing.assert_close(ours[:-3], flat(due)[0], atol=1e-13, rtol=0)
    torch.testing.assert_close(ours[-3:], table[-3:], atol=0, rtol=0)


@TIMM_WARNS
@pytest.mark.parametrize(("old", "new"), [(7, (7, 12)), (7, (12, 9)), (14, (24, 16))])
def test_timm_relative_tables_in_two_ways(
    timm_layer: Callable[[str], ModuleType], old: int, new: tuple[int, int]
) -> None:
    module = timm_layer("pos_embed_rel")
    table = drawn((2 * old - 1) ** 2 + 3, 4, dtype=torch.float32)
    shape = ((2 * new[0] - 1) * (2 * new[1] - 1) + 3, 4)
    theirs = module.resize_rel_pos_bias_table_simple(table, new, shape)
    ours = resize.relative(table, old=(old, old), new=new, method="cubic", extra=3)
    torch.testing.assert_close(ours, theirs, atol=SINGLE, rtol=0)
    if old not in new:  # see the next test
        theirs = module.resize_rel_pos_bias_table(table, new, shape)
        ours = resize.relative(table, old=(old, old), new=new, method="geometric-linear", extra=3)
        # Its ratio is found to 1e-6, and it interpolates in float32.
        torch.testing.assert_close(ours, theirs, atol=3e-4, rtol=0)


@TIMM_WARNS
def test_timm_moves_an_axis_that_keeps_its_size(timm_layer: Callable[[str], ModuleType]) -> None:
    """Its ratio is at least 1.01: on an axis of 7 that stays 7 it reads offset 6 at 5.86."""
    table = torch.arange(13.0).repeat_interleave(13)[:, None]  # every bias is its row's number
    resized = timm_layer("pos_embed_rel").resize_rel_pos_bias_table
    theirs = resized(table, (7, 12), (13 * 23, 1)).reshape(13, 23)[:, 0]
    ours = resize.relative(table, old=(7, 7), new=(7, 12), method="geometric-linear")
    np.testing.assert_array_equal(ours.reshape(13, 23)[:, 0], np.arange(13.0))
    assert theirs[12].item() == pytest.approx(6 + 5.8554, abs=1e-4)


@pytest.mark.parametrize(("old", "new"), WINDOWS)
def test_the_spline_of_beits_authors(old: tuple[int, int], new: tuple[int, int]) -> None:
    """Their ``interp2d`` is gone from SciPy; ``RectBivariateSpline`` is the same FITPACK routine.

    Where a side of the window stays, they would move it as timm does; it stays here.
    """
    table = drawn((2 * old[0] - 1) * (2 * old[1] - 1), 2).numpy()
    ours = resize.relative(table, old=old, new=new, method="geometric-cubic")
    there = [np.arange(1.0 - side, side) for side in new]
    for within, atol in ((1e-6, 1e-3), (1e-13, 1e-10)):
        at = [beit_offsets(a, b, within) for a, b in zip(old, new, strict=True)]
        for head in range(2):
            spline = RectBivariateSpline(*at, table[:, head].reshape(*map(len, at)), s=0)
            np.testing.assert_allclose(ours[:, head], spline(*there).ravel(), atol=atol)


def beit_offsets(old: int, new: int, within: float = 1e-6) -> np.ndarray:
    """As unilm's ``run_class_finetuning.py`` finds them, by halving down to 1e-6."""
    if old == new:
        return np.arange(1.0 - old, old)
    left, right, half = 1.01, 1.5, (2 * new - 1) // 2
    while right - left > within:
        q = (left + right) / 2
        if (1 - q ** (old - 1)) / (1 - q) > half:
            right = q
        else:
            left = q
    ahead = np.cumsum(q ** np.arange(old - 1))
    return np.concatenate([-ahead[::-1], [0], ahead])


def test_a_ratio_above_three_halves_leaves_beits_far_offsets_flat() -> None:
    """From a window of 4 to one of 8 the third offset should lie at 7; capped, it lies at 4.75."""
    assert beit_offsets(4, 8)[-1] == pytest.approx(4.75, abs=1e-5)
    table = np.tile(np.arange(-3.0, 4), 7)[:, None]  # every bias is the offset along the row
    ours = resize.relative(table, old=(4, 4), new=(8, 8), method="geometric-linear")
    assert ours.reshape(15, 15)[0, -1] == 3
    assert len(np.unique(ours)) == 15


@pytest.mark.parametrize("old", [(7, 7), (5, 8)])
def test_transformers_beit_swaps_height_and_width(old: tuple[int, int]) -> None:
    """It reads a table of 9 x 15 offsets as 15 x 9: right for square windows alone."""
    config = modeling_beit.BeitConfig(
        image_size=(16 * old[0], 16 * old[1]), num_attention_heads=4, hidden_size=8
    )
    layer = modeling_beit.BeitRelativePositionBias(config)
    offsets = [2 * side - 1 for side in old]
    table = drawn(offsets[0] * offsets[1] + 3, 4, dtype=torch.float32)
    layer.relative_position_bias_table.data = table
    new = (6, 9)
    theirs = layer(new)[0]
    index = layer.generate_relative_position_index(new)

    def bias(source: tuple[int, int]) -> Tensor:
        resized = resize.relative(table, old=source, new=new, method="linear", extra=3)
        return resized[index].permute(2, 0, 1)

    torch.testing.assert_close(theirs, bias(old[::-1]), atol=SINGLE, rtol=0)
    assert ((theirs - bias(old)).abs().max() < SINGLE) == (old[0] == old[1])


@pytest.mark.parametrize("size", [5, 14, 20])
def test_sams_tables_of_one_axis(size: int) -> None:
    table = drawn(27, 6, dtype=torch.float32)
    theirs = modeling_sam.SamVisionAttention.get_rel_pos(None, size, size, table)
    ours = resize.rows(table, new=2 * size - 1, method="linear")
    steps = torch.arange(size)
    due = ours[steps[:, None] - steps + size - 1]
    torch.testing.assert_close(theirs, due, atol=SINGLE, rtol=0)


@pytest.mark.parametrize(
    ("old", "new"), [(14, 61), (37, 39), (14, 115), (14, 122), (37, 43), (37, 78)]
)
def test_a_scale_factor_loses_a_row_and_a_tenth_more_moves_every_cell(old: int, new: int) -> None:
    """DINO gave ``scale_factor``, DINOv2 that of new + 0.1: the right size, from other places.

    PyTorch then takes the factor for the distance of the cells, so that the last row, 0.1 / new of
    the grid early, differs the most.
    """
    table = drawn(old * old, 3)
    plain = interpolate(image(table[None], (old, old)), scale_factor=new / old, mode="bicubic")
    assert plain.shape[-1] == new - 1
    factor = (new + 0.1) / old
    moved = interpolate(image(table[None], (old, old)), scale_factor=factor, mode="bicubic")
    ours = resize.grid(table, old=(old, old), new=(new, new), method="cubic")
    assert moved.shape[-1] == new
    off = (flat(moved)[0] - ours).abs().max()
    assert 0.01 < off < 1
    # What the factor does: cell i lies at (i + 1/2) old / (new + 0.1) - 1/2.
    ramp = torch.arange(float(old))[None, None]
    theirs = interpolate(ramp, scale_factor=factor, mode="linear")[0, 0, new // 2]
    assert theirs == pytest.approx((new // 2 + 0.5) / factor - 0.5, abs=1e-5)
