"""Which channels form a pair, and which way they turn: never seen at position 0."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError, LayoutError
from posenc.torch import Encoding

X = np.array([[1.0, 2.0, 3.0, 4.0]])
TURNED = {  # at position 1, by mpmath
    "interleaved": [-1.14263966, 1.92207560, 2.95985067, 4.02979950],
    "half": [-1.98411065, 1.95990067, 2.46237790, 4.01979967],
}


def turn(layout: str, x: np.ndarray, p: int, **options: int) -> np.ndarray:
    dim = options.pop("dim", x.shape[-1])
    scheme = posenc.bind(posenc.Rope(dim=dim, layout=layout, **options))
    return scheme.query(x, np.full(len(x), p), head_axis=None)


@pytest.mark.parametrize("layout", TURNED)
def test_both_layouts_at_position_1(layout: str) -> None:
    """B24, B26: a tiled angle gives the length 4.962817."""
    y = turn(layout, X, 1)
    np.testing.assert_allclose(y[0], TURNED[layout], atol=1e-8)
    assert np.linalg.norm(y) == pytest.approx(5.477226, abs=1e-6)


def test_the_two_layouts_differ_by_a_permutation_and_do_differ() -> None:
    """B24, B33: a branch that is never reached makes both equal."""
    order = [0, 2, 1, 3]
    np.testing.assert_allclose(turn("interleaved", X, 9)[:, order], turn("half", X[:, order], 9))
    assert np.abs(turn("interleaved", X, 1) - turn("half", X, 1)).max() > 0.8
    x, at = torch.tensor(X), torch.tensor([1])
    one, other = (
        Encoding(posenc.Rope(dim=4, layout=name))(x, x, at, head_axis=None)[0] for name in TURNED
    )
    assert (one - other).abs().max() > 0.8


def test_a_part_of_a_head_in_pairs_of_neighbours() -> None:
    """B23: GPT-J, 64 of 256 channels; its weights were read in halves."""
    x = np.random.default_rng(0).normal(size=(3, 256))
    due = x.copy()
    for i in range(32):
        angle = 70_001 * 1e4 ** (-2 * i / 64)
        a, b = x[:, 2 * i], x[:, 2 * i + 1]
        due[:, 2 * i] = a * math.cos(angle) - b * math.sin(angle)
        due[:, 2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    y = turn("interleaved", x, 70_001, dim=64, head_dim=256)
    np.testing.assert_allclose(y, due, atol=1e-9)
    np.testing.assert_array_equal(y[:, 64:], x[:, 64:])


@pytest.mark.parametrize("layout", TURNED)
def test_channels_keep_their_places(layout: str) -> None:
    """B25: even and odd channels were put one after the other, even at position 0."""
    np.testing.assert_array_equal(turn(layout, np.arange(8.0)[None], 0)[0], np.arange(8))


@pytest.mark.parametrize("layout", TURNED)
def test_whatever_wraps_a_spec_keeps_its_layout(layout: str) -> None:
    """B27: a bridge dropped the kind of rotation, and the pairing with it."""
    spec = posenc.Rope(dim=4, layout=layout)
    stack = posenc.Stack(spec, posenc.Alibi(heads=3))
    enc = Encoding(stack)
    wrapped = (
        posenc.from_dict(spec.to_dict()),
        stack,
        pickle.loads(pickle.dumps(spec)),
        enc.spec,
        copy.deepcopy(enc).spec,
        enc.for_length(8).spec,
    )
    for other in wrapped:
        y = posenc.bind(other).query(X, np.array([1]), head_axis=None)
        np.testing.assert_allclose(y[0], TURNED[layout], atol=1e-8)
    with pytest.raises(LayoutError, match="That is 'half'"):
        posenc.Rope(dim=4, layout="neox")


def test_scores_agree_where_each_side_is_of_one_layout() -> None:
    """B28: 64 channels of latent attention; the order of turned channels is nobody's business."""
    q, k = np.random.default_rng(1).normal(size=(2, 5, 64))
    order = [*range(0, 64, 2), *range(1, 64, 2)]
    here = [turn("interleaved", x, p) for x, p in ((q, 70_009), (k, 70_001))]
    there = [turn("half", x[:, order], p) for x, p in ((q, 70_009), (k, 70_001))]
    np.testing.assert_allclose(here[0] @ here[1].T, there[0] @ there[1].T, atol=1e-9)
    mixed = turn("half", q, 70_009) @ here[1].T
    assert np.abs(mixed - here[0] @ here[1].T).max() > 1


@pytest.mark.parametrize("layout", TURNED)
def test_channels_that_do_not_pair_are_refused_with_their_shape(layout: str) -> None:
    """B32: an odd head was scrambled in silence."""
    with pytest.raises(EncodingError, match="dim must be even; got 5"):
        posenc.Rope(dim=5, layout=layout)
    with pytest.raises(EncodingError, match=r"even last axis; got \(3, 5\)"):
        posenc.rotate(np.zeros((3, 5)), np.ones((3, 2)), np.ones((3, 2)), layout=layout)
    with pytest.raises(EncodingError, match=r"of shape \(\*n, 3\), half of x's last axis"):
        posenc.rotate(np.zeros((3, 6)), np.ones((3, 4)), np.ones((3, 4)), layout=layout)


@pytest.mark.parametrize("layout", TURNED)
def test_pairs_turn_counter_clockwise(layout: str) -> None:
    """B34: the transposed matrix gives [cos 1, -sin 1]."""
    y = turn(layout, np.array([[1.0, 0.0]]), 1)
    np.testing.assert_allclose(y[0], [0.540302305868, 0.841470984808], atol=1e-12)
