"""The presets of models that turn by several coordinates: what each is, at its own width."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import posenc
from posenc import Axial, EncodingError, Ntk, Rope, Sections
from posenc.positions import Image, Video, joint_qwen_image, mrope_qwen2_5_vl, mrope_qwen2_vl

ENTRIES = posenc.encodings(plugins=False)
OWN: dict[str, tuple[int, Any, float]] = {
    "mrope": (128, Sections(sizes=(16, 24, 24)), 1e6),
    "mrope-interleaved": (128, Sections(sizes=(24, 20, 20), order="interleaved"), 5e6),
    "mrope-interleaved-partial": (256, Sections(sizes=(11, 11, 10), order="interleaved"), 1e7),
    "mrope-partial": (128, Sections(sizes=(8, 12, 12)), 1e4),
    "mrope-partial-half": (128, Sections(sizes=(8, 12, 12)), 1e4),
    "mrope-time-last": (128, Sections(sizes=(20, 22, 22), order="first-last"), 5e5),
    "videorope": (128, Sections(sizes=(16, 24, 24), order="first-last"), 1e6),
    "xd-rope": (128, Sections(sizes=(16, 16, 16, 16)), 1e4),
    "mrope-rows-columns": (64, Sections(sizes=(16, 16), order="interleaved"), 1e4),
    "rope-2d": (80, Axial(dims=(40, 40)), 1e4),
    "rope-2d-interleaved": (88, Axial(dims=(44, 44)), 1e4),
    "rope-2d-apart": (64, Axial(dims=(32, 32), halves="axis"), 100.0),
    "rope-3d": (80, Axial(dims=(26, 26, 26)), 1e4),
    "rope-atoms": (32, Axial(dims=(4, 4, 4, 20), bases=(20, 20, 20, 10_000)), 1e4),
    "rope-flux": (128, Axial(dims=(16, 56, 56)), 1e4),
    "rope-flux-2": (128, Axial(dims=(32, 32, 32, 32)), 2000.0),
    "rope-hunyuan-video": (128, Axial(dims=(16, 56, 56)), 256.0),
    "rope-hunyuan-image": (128, Axial(dims=(64, 64)), 256.0),
    "rope-z-image": (128, Axial(dims=(32, 48, 48)), 256.0),
    "rope-krea-2": (128, Axial(dims=(32, 48, 48)), 1000.0),
    "rope-lumina-2": (96, Axial(dims=(32, 32, 32)), 1e4),
    "rope-wan": (128, Axial(dims=(44, 42, 42)), 1e4),
    "rope-cogvideox": (64, Axial(dims=(16, 24, 24)), 1e4),
    "rope-allegro": (96, Axial(dims=(32, 32, 32), halves="axis"), 1e4),
    "ernie-image": (128, Axial(dims=(32, 48, 48)), 256.0),
    "v-jepa-2": (64, Axial(dims=(20, 20, 20), halves="axis"), 1e4),
}


@pytest.mark.parametrize("name", OWN)
def test_at_the_width_of_the_model_it_is_the_models(name: str) -> None:
    width, axes, base = OWN[name]
    spec: Any = ENTRIES[name].make(dim=width)
    assert (spec.axes, spec.base) == (axes, base)
    assert (spec.head_dim or spec.dim) == width


def test_hunyuan_stretches_its_base() -> None:
    spec: Any = ENTRIES["xd-rope"].make(dim=128)
    assert spec.scaling == Ntk(factor=1000.0)
    assert spec.frequencies()[-1] ** (-128 / 126) == pytest.approx(11_158_839.925077, rel=1e-12)


def test_cosmos_has_a_base_for_each_axis() -> None:
    spec: Any = ENTRIES["rope-cosmos"].make(dim=128)
    assert spec.axes.dims == (44, 42, 42)
    np.testing.assert_allclose(spec.axes.bases, [10_000 * 2 ** (44 / 42), 10_000, 10_000])


@pytest.mark.parametrize("width", [2048, 2046, 2050])
def test_ltx_leaves_the_first_channels(width: int) -> None:
    """Trap: what is left of a division by six comes first, and heads are not split yet."""
    spec: Any = ENTRIES["rope-ltx"].make(dim=width)
    x = np.random.default_rng(0).normal(size=(4, width))
    at = np.array([[-0.53, 0.27, 0.91]] * 4)
    turned = posenc.bind(spec).query(x, at, head_axis=None)
    still = width % 6
    np.testing.assert_array_equal(turned[:, :still], x[:, :still])
    assert (turned[:, still:] != x[:, still:]).all()


@pytest.mark.parametrize("dim", [2, 4])
def test_what_has_too_few_channels_is_refused(dim: int) -> None:
    with pytest.raises(EncodingError, match=r"Axial.dims\[0\] must be at least 2"):
        ENTRIES["rope-wan"].make(dim=dim)


def test_a_half_that_has_other_angles_is_no_table() -> None:
    """B129: of rows beside columns, one half is not the other: one column a pair is taken."""
    rows, columns = np.arange(1.0, 5.0), np.arange(5.0, 9.0)
    wide = np.concatenate([rows, columns])[None]
    x = np.ones((1, 8))
    with pytest.raises(EncodingError, match="half of x's last axis"):
        posenc.rotate(x, np.cos(wide), np.sin(wide), layout="half")
    spec = Rope(dim=8, layout="half", axes=Axial(dims=(4, 4), halves="axis"))
    cos, sin = posenc.tables(spec, np.array([[3, 40]]))
    own = posenc.bind(spec).query(x, np.array([[3, 40]]), head_axis=None)
    turned = np.stack([x[0, :4], x[0, 4:]])
    for axis in range(2):
        a, b = turned[axis, :2], turned[axis, 2:]
        c, s = cos[0, 2 * axis : 2 * axis + 2], sin[0, 2 * axis : 2 * axis + 2]
        due = np.concatenate([a * c - b * s, a * s + b * c])
        np.testing.assert_allclose(own[0, 4 * axis : 4 * axis + 4], due, atol=1e-6)


def test_no_table_ends_however_far_time_runs() -> None:
    """B132: a position may exceed the number of tokens by far: no table is indexed by it."""
    spec = ENTRIES["mrope"].make(dim=16)
    far = np.array([[10**9, 8, 13], [2**31 - 1, 8, 13]])
    x = np.ones((2, 16))
    turned = posenc.bind(spec).query(x, far, head_axis=None)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 4, rtol=1e-6)
    with pytest.raises(
        EncodingError, match=r"runs\[0\].seconds must be such that times stay below"
    ):
        mrope_qwen2_5_vl([Video(3, 2, 2, seconds=1e9)], text_after="maximum")
    freqs, axis = spec.frequencies(), spec.axis()  # type: ignore[attr-defined]
    np.testing.assert_allclose(posenc.tables(spec, far)[0], np.cos(far[:, axis] * freqs), atol=2e-6)


def test_four_coordinates_need_four_pairs() -> None:
    with pytest.raises(EncodingError):
        ENTRIES["rope-flux-2"].make(dim=6)


def test_text_behind_an_image_is_the_diagonal() -> None:
    there = joint_qwen_image(3, [Image(5, 4), Image(2, 9)])
    assert there.text.tolist() == [[4, 4, 4], [5, 5, 5], [6, 6, 6]]
    assert there.image[0].tolist() == [0, -3, -2]
    assert there.image[-1].tolist() == [1, 0, 3]
    row = mrope_qwen2_vl([2, 3], text_after="maximum")
    assert row.following == 5
