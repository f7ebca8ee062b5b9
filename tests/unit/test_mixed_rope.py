"""Learned mixes of coordinates, and tables out of step: what laws and golden numbers do not say."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import Axial, CrossedRope, EncodingError, MixedRope, Rope, Sections
from posenc.positions import grid

ENTRIES = posenc.encodings(plugins=False)
X = np.random.default_rng(0).normal(size=(2, 3, 5, 8)).astype(np.float32)
CELLS = np.array([[8, 9], [13, 8], [40, 70_001], [9, 30], [8, 8]])
MIXED = MixedRope(dim=8, heads=3, layout="interleaved")


def test_heads_that_share_frequencies_turn_alike_whatever_their_number() -> None:
    shared = MixedRope(dim=8, heads=1, layout="half")
    scheme = posenc.bind(shared)
    turned = scheme.query(X, CELLS)
    np.testing.assert_array_equal(scheme.query(X[:, 1], CELLS, head_axis=None), turned[:, 1])
    freqs = shared.init(np.random.default_rng(0))["freqs"]
    each = posenc.bind(
        MixedRope(dim=8, heads=3, layout="half"), {"freqs": np.repeat(freqs, 3, axis=0)}
    )
    np.testing.assert_array_equal(each.query(X, CELLS), turned)


def test_along_the_axes_it_is_axial() -> None:
    spec = Rope(dim=8, layout="half", axes=Axial(dims=(4, 4)))
    freqs = np.zeros((1, 4, 2))
    freqs[0, np.arange(4), spec.axis()] = spec.frequencies()
    mixed = posenc.bind(MixedRope(dim=8, heads=1, layout="half"), {"freqs": freqs})
    due = posenc.bind(spec).query(X, CELLS)
    np.testing.assert_allclose(mixed.query(X, CELLS), due, atol=1e-6)


@pytest.mark.parametrize(
    ("tokens", "head_axis", "message"),
    [
        (
            X[:, :2],
            -3,
            "MixedRope: x must be of 3 heads; got 2. Each head turns by frequencies of its own.",
        ),
        (
            X[:, 0],
            None,
            "MixedRope: x must be of 3 heads; got 0. Each head turns by frequencies of its own.",
        ),
        (X[..., :6], -3, "MixedRope: x must be of 8 channels; got 6."),
    ],
)
def test_tokens_that_do_not_fit(tokens: Any, head_axis: int | None, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        posenc.bind(MIXED).query(tokens, CELLS, head_axis=head_axis)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: MixedRope(dim=2**20, heads=2**16, layout="half"),
            "MixedRope.heads must be at most 32 for 2 frequencies of each of 524288 pairs; "
            "got 65536.",
        ),
        (
            lambda: CrossedRope(dim=8, head_dim=6, layout="half", axes=Axial(dims=(4, 4))),
            "CrossedRope.head_dim must be at least dim 8; got 6.",
        ),
    ],
)
def test_refusals(make: Any, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        make()
    assert str(caught.value) == message


def test_angles_are_as_good_as_the_library_has_them() -> None:
    """In float64 to 1e-9 at a million; JAX as it comes is off by what the docstring says."""
    freqs = MIXED.init(np.random.default_rng(3))["freqs"]
    places = np.array([[999_983, 70_001]])
    due = [
        [float(mpmath.cos(mpmath.fdot(map(float, row), map(int, places[0])))) for row in head]
        for head in freqs
    ]
    even = np.zeros((3, 1, 8))
    even[..., 0::2] = 1.0
    for xp in (np.asarray, torch.tensor):
        turned = np.asarray(posenc.bind(MIXED, {"freqs": freqs}).query(xp(even), xp(places)))
        np.testing.assert_allclose(turned[:, 0, 0::2], due, atol=1e-9)
    narrow = posenc.bind(MIXED, {"freqs": freqs}, xp="jax")
    turned = np.asarray(narrow.query(jnp.asarray(even, "float32"), jnp.asarray(places)))
    bound = 2e-7 * (np.abs(freqs) * places[0]).sum(-1) + 5e-7
    off = np.abs(turned[:, 0, 0::2] - due)
    assert (off <= bound).all()
    assert off.max() > 1e-3  # or it could be promised


def test_gradients_reach_the_frequencies() -> None:
    enc = posenc.torch.Encoding(MixedRope(dim=8, heads=3, layout="half")).double()
    q, k, v = torch.randn(3, 1, 3, 5, 8, dtype=torch.float64, generator=torch.manual_seed(0))
    at = torch.tensor(CELLS % 50)
    freqs = enc.learned.freqs
    assert freqs.shape == (3, 4, 2)

    def loss(values: torch.Tensor) -> torch.Tensor:
        scheme = posenc.bind(enc.spec, {"freqs": values})
        return posenc.torch.attend(q, k, v, scheme, q_positions=at).square().sum()

    assert torch.autograd.gradcheck(loss, (freqs.detach().clone().requires_grad_(),))


def test_a_cast_module_turns_by_its_rounded_frequencies_and_no_worse() -> None:
    enc = posenc.torch.Encoding(MIXED).to(torch.bfloat16)
    x, at = torch.from_numpy(X), torch.from_numpy(CELLS)
    rounded = {"freqs": enc.learned.freqs.float()}
    due = posenc.bind(MIXED, rounded).query(x, at)
    torch.testing.assert_close(enc(x, x, at)[0], due, atol=1e-6, rtol=0)


@pytest.mark.parametrize("coordinates", [1, 2, 3, 4])
def test_the_start_is_a_ladder_along_each_direction_of_a_frame(coordinates: int) -> None:
    rungs = 3
    spec = MixedRope(dim=2 * rungs * coordinates, heads=5, layout="half", coordinates=coordinates)
    freqs = spec.init(np.random.default_rng(0))["freqs"].reshape(5, coordinates, rungs, coordinates)
    sizes = np.linalg.norm(freqs, axis=-1)
    np.testing.assert_allclose(
        sizes, np.broadcast_to(10.0 ** (-np.arange(3) / 3), sizes.shape), rtol=1e-6
    )
    frames = freqs[:, :, 0]
    np.testing.assert_allclose(
        frames @ frames.swapaxes(1, 2),
        np.broadcast_to(np.eye(coordinates), frames[:, :, :1].shape[:1] + (coordinates,) * 2),
        atol=1e-6,
    )
    np.testing.assert_allclose(np.linalg.det(frames), 1, rtol=1e-5)


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
