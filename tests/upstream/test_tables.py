"""Learned tables of several coordinates, as the embedding layers of models read them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from diffusers.models.transformers.auraflow_transformer_2d import AuraFlowPatchEmbed
from torch import Tensor
from transformers.models.clip import modeling_clip
from transformers.models.detr import modeling_detr
from transformers.models.esm import modeling_esmfold
from transformers.models.gemma4 import modeling_gemma4
from transformers.models.idefics2 import modeling_idefics2
from transformers.models.layoutlm import modeling_layoutlm
from transformers.models.layoutlmv3 import modeling_layoutlmv3
from transformers.models.mllama import modeling_mllama
from transformers.models.reformer import modeling_reformer
from transformers.models.timesformer import modeling_timesformer

import posenc
from posenc import GatedTiles, LearnedAxes, LearnedGrid, positions

pytestmark = pytest.mark.upstream

DIM = 6


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def code(spec: posenc.specs.Spec, at: np.ndarray, **arrays: Tensor) -> Tensor:
    return posenc.bind(spec, arrays).embed(torch.from_numpy(at))


def same(ours: Tensor, theirs: Tensor) -> None:
    """To the last bit: reading and adding rows rounds alike."""
    torch.testing.assert_close(ours, theirs, atol=0, rtol=0)


def test_clip_with_its_class_token() -> None:
    config = modeling_clip.CLIPVisionConfig(
        image_size=40, patch_size=4, hidden_size=DIM, num_attention_heads=1
    )
    layer = modeling_clip.CLIPVisionEmbeddings(config)
    layer.class_embedding.data.zero_()
    layer.patch_embedding.weight.data.zero_()
    layer.position_embedding.weight.data = table = drawn(101, DIM)
    theirs = layer(torch.zeros(2, 3, 40, 40))[0]
    spec = LearnedGrid(sizes=(10, 10), dim=DIM, prefix=1)
    same(code(spec, positions.grid(h=10, w=10, order="hw", prefix=1), table=table), theirs)


@pytest.mark.parametrize("size", [(5, 8), (11, 3)])
def test_detr_concatenates_the_column_first(size: tuple[int, int]) -> None:
    layer = modeling_detr.DetrLearnedPositionEmbedding(DIM)
    rows, columns = layer.row_embeddings.weight, layer.column_embeddings.weight
    theirs = layer(torch.Size((2, 3, *size)), "cpu", torch.float32)[1].flatten(1).T
    spec = LearnedAxes(sizes=(50, 50), dim=2 * DIM, join="concatenated")
    at = positions.grid(h=size[0], w=size[1], order="wh")
    same(code(spec, at, table_0=columns, table_1=rows), theirs)


def test_gemma4_adds_columns_and_rows() -> None:
    config = modeling_gemma4.Gemma4VisionConfig(
        hidden_size=DIM, patch_size=2, position_embedding_size=40
    )
    layer = modeling_gemma4.Gemma4VisionPatchEmbedder(config)
    layer.position_embedding_table.data = tables = drawn(2, 40, DIM)
    at = positions.grid(h=9, w=31, order="wh")
    given = torch.from_numpy(at)[None]
    theirs = layer._position_embeddings(given, torch.zeros(given.shape[:2], dtype=torch.bool))[0]
    spec = LearnedAxes(sizes=(40, 40), dim=DIM, join="added")
    same(code(spec, at, table_0=tables[0], table_1=tables[1]), theirs)


def test_reformer_counts_blocks_and_places_in_them() -> None:
    config = modeling_reformer.ReformerConfig(
        hidden_size=8, axial_pos_shape=(5, 7), axial_pos_embds_dim=(3, 5), hidden_dropout_prob=0.0
    )
    layer = modeling_reformer.AxialPositionEmbeddings(config).eval()
    tables = [drawn(5, 3), drawn(7, 5)]
    layer.weights[0].data, layer.weights[1].data = tables[0][:, None], tables[1][None]
    at = torch.tensor([[8, 9, 30, 3, 34], [0, 6, 7, 21, 13]])
    spec = LearnedAxes(sizes=(5, 7), dim=8, join="concatenated", dims=(3, 5))
    pairs = np.stack(np.divmod(at.numpy(), 7), axis=-1)
    same(code(spec, pairs, table_0=tables[0], table_1=tables[1]), layer(at))


def boxes(rows: int = 2, tokens: int = 5) -> Tensor:
    sides = torch.randint(0, 1001, (rows, tokens, 2, 2), generator=torch.Generator().manual_seed(1))
    return sides.sort(-2).values.flatten(-2)  # x0 <= x1 and y0 <= y1


SHARED = (0, 1, 0, 1, 2, 3)


def test_layoutlm_adds_six_vectors() -> None:
    config = modeling_layoutlm.LayoutLMConfig(hidden_size=DIM, vocab_size=3, num_attention_heads=1)
    layer = modeling_layoutlm.LayoutLMEmbeddings(config).eval()
    layer.LayerNorm = torch.nn.Identity()
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings"):
        getattr(layer, name).weight.data.zero_()
    tables = {f"table_{i}": drawn(1024, DIM) + i for i in range(4)}
    for i, side in enumerate("xyhw"):
        getattr(layer, f"{side}_position_embeddings").weight.data = tables[f"table_{i}"]
    theirs = layer(input_ids=torch.zeros(2, 5, dtype=torch.int64), bbox=boxes())
    spec = LearnedAxes(sizes=(1024,) * 6, dim=DIM, join="added", tables=SHARED)
    same(code(spec, positions.boxes(boxes().numpy()), **tables), theirs)


def test_layoutlmv3_concatenates_them() -> None:
    config = modeling_layoutlmv3.LayoutLMv3Config(
        hidden_size=16, vocab_size=3, coordinate_size=3, shape_size=2
    )
    layer = modeling_layoutlmv3.LayoutLMv3TextEmbeddings(config)
    sides = (layer.x_position_embeddings, layer.y_position_embeddings)
    sides += (layer.h_position_embeddings, layer.w_position_embeddings)
    theirs = layer.calculate_spatial_position_embeddings(boxes())
    dims = (3, 3, 3, 3, 2, 2)
    spec = LearnedAxes(sizes=(1024,) * 6, dim=16, join="concatenated", dims=dims, tables=SHARED)
    tables = {f"table_{i}": side.weight for i, side in enumerate(sides)}
    same(code(spec, positions.boxes(boxes().numpy()), **tables), theirs)


def test_layoutlmv3_bends_a_box_that_is_upside_down_and_we_refuse_it() -> None:
    upside_down = np.array([[10, 90, 40, 20]])
    spec = LearnedAxes(sizes=(1024,) * 6, dim=DIM, join="added", tables=SHARED)
    with pytest.raises(posenc.EncodingError, match=r"between 0 and 1023, what coordinate 4 has"):
        posenc.bind(spec).embed(positions.boxes(upside_down))


@pytest.mark.parametrize("gate", [0.0, 0.7, -1.3])
def test_mllama_in_four_tiles(gate: float) -> None:
    config = modeling_mllama.MllamaVisionConfig(
        hidden_size=DIM, image_size=6, patch_size=2, max_num_tiles=4, attention_heads=1
    )
    layer = modeling_mllama.MllamaPrecomputedPositionEmbedding(config)
    aspects = layer.max_aspect_ratio_id + 1
    layer.gate.data[:] = gate
    layer.embedding.data = table = drawn(10, DIM)
    layer.tile_embedding.weight.data = tiles = drawn(aspects, 4 * 10 * DIM)
    ids = torch.tensor([1, aspects - 1, 3])
    theirs = layer(torch.zeros(3, 4, 10, DIM), ids)
    spec = GatedTiles(aspects=aspects, tiles=4, rows=10, dim=DIM)
    grid = positions.grid(a=aspects, t=4, p=10, order="atp").reshape(aspects, 40, 3)[ids]
    arrays = {"gate": layer.gate, "table": table, "tiles": tiles.view(aspects, 4, 10, DIM)}
    same(code(spec, grid, **arrays), theirs.flatten(1, 2))

    # The vectors of whole tiles, before and after the blocks.
    vectors = modeling_mllama.MllamaPrecomputedAspectRatioEmbedding(config)
    vectors.gate.data[:] = gate
    vectors.embedding.weight.data = table = drawn(aspects, 4 * DIM)
    theirs = vectors(torch.zeros(3, 4, 1, DIM), ids)[:, :, 0]
    spec = LearnedGrid(sizes=(aspects, 4), dim=DIM, gated=True)
    at = positions.grid(a=aspects, t=4, order="at").reshape(aspects, 4, 2)[ids]
    same(code(spec, at, table=table.view(-1, DIM), gate=vectors.gate), theirs)


def test_timesformer_adds_a_table_of_frames_to_one_of_patches() -> None:
    config = modeling_timesformer.TimesformerConfig(
        image_size=12, patch_size=2, num_frames=5, hidden_size=DIM, num_attention_heads=1
    )
    layer = modeling_timesformer.TimesformerEmbeddings(config).eval()
    layer.patch_embeddings.projection.weight.data.zero_()
    layer.patch_embeddings.projection.bias.data.zero_()
    layer.position_embeddings.data, layer.time_embeddings.data = drawn(1, 37, DIM), drawn(1, 5, DIM)
    theirs = layer(torch.zeros(2, 5, 3, 12, 12))[1, 1:]  # the class token has no frame
    spec = LearnedAxes(sizes=(36, 5), dim=DIM, join="added")
    arrays = {"table_0": layer.position_embeddings[0, 1:], "table_1": layer.time_embeddings[0]}
    same(code(spec, positions.grid(p=36, t=5, order="pt"), **arrays), theirs)


def test_esmfold_has_a_vector_for_the_offset_of_each_pair() -> None:
    """It goes into the features of pairs, for which a layer has no hook: a table, read by pairs."""
    config = modeling_esmfold.EsmFoldConfig(position_bins=32, pairwise_state_dim=DIM)
    layer = modeling_esmfold.EsmFoldRelativePosition(config)
    at = torch.tensor([[0, 1, 2, 40, 41, 90], [8, 70_001, 70_002, 70_003, 70_033, 70_034]])
    apart = (at[:, None, :] - at[:, :, None]).clip(-32, 32)
    spec = posenc.Learned(rows=66, dim=DIM, offset=33)  # row 0 is for pairs that are masked
    ours = posenc.bind(spec, {"table": layer.embedding.weight}).embed(apart)
    same(ours, layer(at))


def test_auraflow_reads_the_middle_of_its_table() -> None:
    layer = AuraFlowPatchEmbed(patch_size=2, pos_embed_max_size=12 * 12, embed_dim=DIM)
    rows = layer.pe_selection_index_based_on_dim(14, 18)
    at = positions.grid(h=7, w=9, order="hw") + np.array([12 // 2 - 7 // 2, 12 // 2 - 9 // 2])
    spec = LearnedGrid(sizes=(12, 12), dim=DIM)
    same(code(spec, at, table=layer.pos_embed[0]), layer.pos_embed[0, rows])


def idefics2(cells: int, size: tuple[int, int]) -> Tensor:
    """The row of the table that each patch of an image reads."""
    config = modeling_idefics2.Idefics2VisionConfig(
        image_size=2 * cells, patch_size=2, hidden_size=1, num_attention_heads=1
    )
    layer = modeling_idefics2.Idefics2VisionEmbeddings(config)
    layer.patch_embedding.weight.data.zero_()
    layer.patch_embedding.bias.data.zero_()
    layer.position_embedding.weight.data = torch.arange(float(cells**2))[:, None]
    pixels = torch.zeros(1, 3, 2 * size[0], 2 * size[1])
    return layer(pixels, torch.ones(1, *size, dtype=torch.bool))[0, :, 0]


@pytest.mark.parametrize("size", [(8, 13), (27, 27), (40, 26), (3, 64)])
def test_idefics2_reads_the_cell_that_a_patch_begins_in(size: tuple[int, int]) -> None:
    at = positions.fractional(h=size[0], w=size[1], order="hw", cells=27)
    spec = LearnedGrid(sizes=(27, 27), dim=1)
    table = torch.arange(27.0**2)[:, None]
    same(code(spec, at, table=table)[:, 0], idefics2(27, size))


def test_idefics2_falls_into_the_cell_before_where_a_patch_begins_on_an_edge() -> None:
    """Of 25 patches over its 70 cells the sixth begins at 1/5 of the image, where cell 14 does.

    The fraction and the edge are rounded apart in float32, and the patch reads cell 13.
    """
    theirs = idefics2(70, (1, 25))
    ours = positions.fractional(h=1, w=25, order="hw", cells=70)[:, 1]
    apart = [(i, int(theirs[i]), int(ours[i])) for i in range(25) if theirs[i] != ours[i]]
    assert apart == [(5, 13, 14), (10, 27, 28), (15, 41, 42), (20, 55, 56)]
