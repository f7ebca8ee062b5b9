"""Tables out of step with the pairs: what laws and golden numbers do not say."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc import Axial, CrossedRope, EncodingError, Rope, Sections
from posenc.positions import grid

ENTRIES = posenc.encodings(plugins=False)
X = np.random.default_rng(0).normal(size=(2, 3, 5, 8)).astype(np.float32)
CELLS = np.array([[8, 9], [13, 8], [40, 70_001], [9, 30], [8, 8]])


def test_refused() -> None:
    with pytest.raises(EncodingError) as caught:
        CrossedRope(dim=8, head_dim=6, layout="half", axes=Axial(dims=(4, 4)))
    assert str(caught.value) == "CrossedRope.head_dim must be at least dim 8; got 6."


@pytest.mark.parametrize("name", ["v-jepa-2", "ernie-image"])
def test_out_of_step_is_neither_a_rotation_nor_relative(name: str) -> None:
    """Trap: angles laid over channels in another order than the pairs."""
    spec = ENTRIES[name].make(dim=96)
    scheme = posenc.bind(spec)
    drawn = np.random.default_rng(1).normal(size=(2, 1, 6, 96))
    here = grid(t=1, h=2, w=3, order="thw") + 8
    lengths = np.linalg.norm(scheme.query(drawn[0], here), axis=-1) / np.linalg.norm(
        drawn[0], axis=-1
    )
    assert np.abs(lengths - 1).max() > 0.02
    scores = [
        scheme.query(drawn[0], at) @ scheme.key(drawn[1], at).swapaxes(-1, -2)
        for at in (here, here + 10)
    ]
    assert np.abs(scores[0] - scores[1]).max() > 5
    assert not spec.relative


def test_one_pair_an_axis_has_one_angle_and_is_in_step() -> None:
    axes = Axial(dims=(2, 2, 4), halves="axis")
    crossed = posenc.bind(CrossedRope(dim=8, layout="interleaved", axes=axes))
    plain = posenc.bind(Rope(dim=8, layout="half", axes=axes))
    at = np.concatenate([CELLS, CELLS[:, :1]], axis=-1)
    ours, due = crossed.query(X, at), plain.query(X, at)
    np.testing.assert_allclose(ours[..., :4], due[..., :4], atol=1e-6)
    assert np.abs(ours[..., 4:] - due[..., 4:]).max() > 0.1


def test_the_crossed_map_lets_the_rest_of_the_head_be() -> None:
    spec = ENTRIES["v-jepa-2"].make(dim=64)
    x = np.random.default_rng(0).normal(size=(5, 64))
    turned = posenc.bind(spec).query(x, np.arange(15).reshape(5, 3), head_axis=None)
    assert spec.dim == 60
    np.testing.assert_array_equal(turned[:, 60:], x[:, 60:])


def test_sections_of_a_crossed_map_read_text_as_one_number() -> None:
    spec = CrossedRope(dim=8, layout="half", axes=Sections(sizes=(2, 1, 1)))
    scheme = posenc.bind(spec)
    np.testing.assert_array_equal(
        scheme.query(X, np.arange(5)), scheme.query(X, np.stack([np.arange(5)] * 3, axis=-1))
    )
