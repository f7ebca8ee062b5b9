"""Grids, and text with images and video as the installed transformers count them."""

from __future__ import annotations

import importlib
import types

import numpy as np
import pytest
import torch
from transformers.vision_utils import get_vision_position_ids

from posenc import positions
from posenc.errors import EncodingError, EncodingTypeError
from posenc.positions import Image, Video, grid, mrope_qwen2_5_vl, mrope_qwen2_vl


def test_a_grid_counts_as_nested_loops_do() -> None:
    due = [[t, h, w] for t in range(2) for h in range(3) for w in range(5)]
    assert grid(t=2, h=3, w=5, order="thw").tolist() == due
    assert grid(t=2, h=3, w=5, order="wth").tolist() == [[w, t, h] for t, h, w in due]
    assert grid(n=4, order="n").tolist() == [[0], [1], [2], [3]]
    assert grid(h=0, w=5, order="hw").shape == (0, 2)


def test_a_grid_says_its_order() -> None:
    with pytest.raises(TypeError, match="order"):
        grid(h=2, w=3)
    with pytest.raises(EncodingError, match="the letters 'hw' in some order; got 'hh'"):
        grid(h=2, w=3, order="hh")
    with pytest.raises(EncodingError, match="single letters"):
        grid(height=2, width=3, order="hw")


@pytest.mark.parametrize("merge", [1, 2, 3])
@pytest.mark.parametrize("time", [True, False])
def test_blocks_of_patches_that_an_image_tower_merges(merge: int, time: bool) -> None:
    """Two clips of other sizes, none of them square."""
    clips = [(3, 6 * merge, 2 * merge), (1, 4 * merge, 7 * merge)]
    due = get_vision_position_ids(torch.tensor(clips), merge, include_temporal=time)
    order = "thw" if time else "hw"
    ours = []
    for t, h, w in clips:
        places = grid(t=t, h=h, w=w, order="thw", merge=merge)
        ours.append(places if time else places[:, 1:])
        one = grid(h=h, w=w, order="hw", merge=merge, prefix=2)
        np.testing.assert_array_equal(np.tile(one[2:], (t, 1)), places[:, 1:])
        assert one[:2].tolist() == [[0, -2], [0, -1]]
        usual = grid(t=t, h=h, w=w, order=order[::-1] if time else "twh")
        assert sorted(usual.tolist()) == sorted(
            places[:, [2, 1, 0] if time else [0, 2, 1]].tolist()
        )
    np.testing.assert_array_equal(np.concatenate(ours), due)


def test_blocks_have_to_fill_a_grid() -> None:
    assert grid(h=0, w=4, order="hw", merge=2).shape == (0, 2)
    assert grid(n=5, order="n", merge=1).tolist() == [[i] for i in range(5)]
    for sizes, message in (
        ({"h": 4, "w": 5}, "grid(): w must be a multiple of merge 2; got 5."),
        ({"h": 3, "w": 4}, "grid(): h must be a multiple of merge 2; got 3."),
        ({"h": 4}, "grid(): merge must be 1 where there is a single axis; got 2."),
    ):
        with pytest.raises(EncodingError) as caught:
            grid(order="".join(sizes), merge=2, **sizes)
        assert str(caught.value) == message
    with pytest.raises(EncodingError, match="merge must be at least 1; got 0"):
        grid(h=2, w=2, order="hw", merge=0)
    with pytest.raises(EncodingTypeError, match="merge"):
        grid(h=2, w=2, order="hw", merge=True)


def tokens(run: object, merge: int = 2) -> int:
    if isinstance(run, int | np.integer):
        return int(run)
    return getattr(run, "frames", 1) * (run.height // merge) * (run.width // merge)


ROWS = {
    "text": [9],
    "image": [3, Image(4, 6), 5],
    "image-first": [Image(10, 4), 2, Image(2, 2), 1, Image(6, 8), 1],
    "frames": [4, Video(1, 4, 6), 4, Video(1, 4, 6), 2],
}
MOVING = {
    "video": [2, Video(8, 4, 4), 3],
    "both": [1, Image(4, 4), 2, Video(5, 8, 6, 0.75), 3, Video(2, 4, 2, 1.3), 4],
    "thirds": [1, Video(9, 4, 4, 1 / 3), np.int64(2), Video(40, 2, 2, 0.1)],
}
MODELS = {
    "qwen2_vl": (positions.mrope_qwen2_vl, "Qwen2VLModel", {"text_after": "largest side"}),
    "qwen2_5_vl": (positions.mrope_qwen2_5_vl, "Qwen2_5_VLModel", {"text_after": "largest side"}),
    "qwen3_vl": (positions.mrope_qwen3_vl, "Qwen3VLModel", {}),
    "glm4v": (positions.mrope_glm4v, "Glm4vModel", {}),
}
CASES = [
    (model, name)
    for model in MODELS
    for name in ({**ROWS, **MOVING} if model in ("qwen2_vl", "qwen2_5_vl") else ROWS)
]


@pytest.mark.upstream
@pytest.mark.parametrize(("model", "name"), CASES)
def test_mrope_counts_as_transformers_does(model: str, name: str) -> None:
    ours, cls, options = MODELS[model]
    runs = {**ROWS, **MOVING}[name]
    module = importlib.import_module(f"transformers.models.{model}.modeling_{model}")
    vision = types.SimpleNamespace(spatial_merge_size=2, tokens_per_second=2)
    upstream = getattr(module, cls)
    self = types.SimpleNamespace(config=types.SimpleNamespace(vision_config=vision))
    self.get_vision_position_ids = types.MethodType(upstream.get_vision_position_ids, self)

    types_of = [
        0 if isinstance(r, int | np.integer) else 1 if isinstance(r, Image) else 2 for r in runs
    ]
    kinds = np.repeat(types_of, [tokens(r) for r in runs])
    images = [(1, r.height, r.width) for r in runs if isinstance(r, Image)]
    videos = [(r.frames, r.height, r.width) for r in runs if isinstance(r, Video)]
    seconds = [r.seconds for r in runs if isinstance(r, Video)]
    given = {
        "input_ids": torch.zeros(1, len(kinds), dtype=torch.long),
        "mm_token_type_ids": torch.tensor(kinds)[None],
        "image_grid_thw": torch.tensor(images) if images else None,
        "video_grid_thw": torch.tensor(videos) if videos else None,
    }
    if model == "qwen2_5_vl" and videos:
        given["second_per_grid_ts"] = seconds
    ids, deltas = upstream.get_rope_index(self, **given)
    got = ours(runs, **options)
    np.testing.assert_array_equal(got.positions, ids[:, 0].T.numpy())
    assert got.following == len(kinds) + int(deltas[0, 0])


HUNYUAN = {
    "text": [9],
    "image": [3, Image(4, 6), 5],
    "two": [1, Image(10, 4), 2, Image(2, 12), 1],
    "image-last": [2, Image(4, 4)],
}


@pytest.mark.upstream
@pytest.mark.parametrize("name", HUNYUAN)
def test_hunyuan_counts_as_transformers_does(name: str) -> None:
    """The tokens that open and close an image are in its run there, and text here."""
    module = importlib.import_module("transformers.models.hunyuan_vl.modeling_hunyuan_vl")
    upstream = module.HunYuanVLModel
    text = types.SimpleNamespace(rope_parameters={"mrope_section": [16, 16, 16, 16]})
    vision = types.SimpleNamespace(spatial_merge_size=2)
    self = types.SimpleNamespace(
        config=types.SimpleNamespace(text_config=text, vision_config=vision)
    )
    self.get_vision_position_ids = types.MethodType(upstream.get_vision_position_ids, self)
    runs, kinds, images = [], [], []
    for run in HUNYUAN[name]:
        if isinstance(run, Image):
            runs += [1, run, 1]
            kinds += [1] * (run.height // 2 * (run.width // 2 + 1) + 2)
            images.append((1, run.height, run.width))
        else:
            runs.append(run)
            kinds += [0] * run
    ids, deltas = upstream.get_rope_index(
        self,
        input_ids=torch.zeros(1, len(kinds), dtype=torch.long),
        mm_token_type_ids=torch.tensor(kinds)[None],
        image_grid_thw=torch.tensor(images) if images else None,
    )
    got = positions.mrope_hunyuan_vl(runs)
    np.testing.assert_array_equal(got.positions, ids[:, 0].T.numpy())
    assert got.following == len(kinds) + int(deltas[0, 0])


@pytest.mark.parametrize("spacing", [2, 1.0, 0.5])
def test_a_frame_of_videorope_is_about_the_diagonal(spacing: float) -> None:
    """By nested loops, of the paper's rule; text is as far from a video on either side."""
    got = positions.mrope_videorope([3, Video(4, 6, 10), 2], spacing=spacing)
    due: list[list[float]] = [[p] * 3 for p in range(3)]
    for frame in range(4):
        t = 3 + spacing * frame
        due += [[t, t + row - 1, t + column - 2] for row in range(3) for column in range(5)]
    due += [[4 + 3 * spacing + p] * 3 for p in range(2)]
    assert got.tolist() == due
    assert got.dtype.kind == ("i" if spacing >= 1 else "f")
    assert positions.mrope_videorope([], spacing=spacing).shape == (0, 3)


def test_videos_of_hunyuan_are_images() -> None:
    sentence = r"runs\[1\] must be text or an Image; got Video.* Give each frame as an Image"
    with pytest.raises(EncodingError, match=sentence):
        positions.mrope_hunyuan_vl([1, Video(2, 4, 4)])
    with pytest.raises(EncodingError, match="spacing must be above 0"):
        positions.mrope_videorope([1], spacing=0)


def test_the_two_rules_for_text_after_a_video() -> None:
    """Two texts round a video of 8 frames: the first rule goes on past its last time."""
    runs = [2, Video(8, 4, 4), 3]
    past = mrope_qwen2_vl(runs, text_after="maximum")
    back = mrope_qwen2_vl(runs, text_after="largest side")
    assert past.positions[-3:, 0].tolist() == [10, 11, 12]
    assert back.positions[-3:, 0].tolist() == [4, 5, 6]
    assert (past.following, back.following) == (13, 10)
    with pytest.raises(TypeError, match="text_after"):
        mrope_qwen2_vl(runs)


def test_time_is_cut_after_it_is_multiplied() -> None:
    """Frames of 0.3 s at 2 tokens a second would else all be at time 0."""
    row = mrope_qwen2_5_vl([Video(5, 2, 2, seconds=0.3)], text_after="maximum")
    assert row.positions[:, 0].tolist() == [0, 0, 1, 1, 2]
    still = mrope_qwen2_5_vl([Image(4, 4)], text_after="maximum", tokens_per_second=40)
    assert set(still.positions[:, 0].tolist()) == {0}


def test_runs_are_refused_in_a_sentence() -> None:
    with pytest.raises(EncodingError, match=r"runs\[1\].height must be a multiple of merge 2"):
        mrope_qwen2_vl([1, Image(5, 4)], text_after="maximum")
    with pytest.raises(EncodingError, match="Give each frame as a run of its own"):
        positions.mrope_qwen3_vl([Video(2, 4, 4)])
    with pytest.raises(EncodingTypeError, match=r"runs\[0\] must be a number of text tokens"):
        mrope_qwen2_vl(["three"], text_after="maximum")
    with pytest.raises(EncodingError, match="seconds must be above 0 and at most"):
        mrope_qwen2_5_vl([Video(2, 4, 4, float("nan"))], text_after="maximum")
    with pytest.raises(EncodingError, match="at most 2147483648 tokens"):
        mrope_qwen2_vl([Video(2**20, 2**20, 2**20)], text_after="maximum")
