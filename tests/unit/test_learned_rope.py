"""Trained frequencies: what they are at first, what moves them, what does not fit."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import Axial, EncodingError, LearnedRope, Rope

X = np.random.default_rng(0).normal(size=(2, 3, 5, 8)).astype(np.float32)
CELLS = np.array([[8, 9], [13, 8], [40, 70_001], [9, 30], [8, 8]])
MIXED = LearnedRope(dim=8, heads=3, coordinates=2, layout="interleaved")


def test_at_first_it_is_rope() -> None:
    """Far out too: the product is formed in float64, of the frequencies in float32."""
    x, at = np.random.default_rng(0).normal(size=(3, 6, 10)), np.arange(8, 14)
    rope = posenc.bind(Rope(dim=10, layout="half"))
    for form in ("freqs", "exponents"):
        scheme = posenc.bind(LearnedRope(dim=10, layout="half", form=form))
        np.testing.assert_allclose(scheme.query(x, at), rope.query(x, at), atol=1e-5)
    far = at + 1_000_000  # exponents of 0 leave YaRN's float64 frequencies as they are
    yarn = posenc.Yarn(factor=8, trained_length=512)
    mine = LearnedRope(dim=10, layout="half", form="exponents", scaling=yarn)
    plain = posenc.bind(Rope(dim=10, layout="half", scaling=yarn))
    y = posenc.bind(mine).query(x.astype(np.float32), far)
    factor = np.sqrt(plain.logit_scale(far))
    np.testing.assert_allclose(y, factor * plain.query(x.astype(np.float32), far), atol=2e-6)


@pytest.mark.parametrize("shift", [0, 1_000_000])
def test_lengths_and_distances_are_kept(shift: int) -> None:
    spec = LearnedRope(dim=6, head_dim=10, at="back", layout="interleaved", heads=3)
    freqs = torch.randn(3, 3, 1, generator=torch.Generator().manual_seed(0))
    scheme = posenc.bind(spec, {"freqs": freqs})
    q, k = torch.randn(2, 3, 5, 10), torch.randn(2, 3, 4, 10)
    m, n = torch.tensor([8, 9, 13, 30, 41]), torch.tensor([0, 3, 10, 44])
    turned = scheme.query(q, m + shift)
    torch.testing.assert_close(turned.norm(dim=-1), q.norm(dim=-1))
    torch.testing.assert_close(turned[..., :4], q[..., :4], atol=0, rtol=0)
    here = scheme.query(q, m) @ scheme.key(k, n).mT
    torch.testing.assert_close(turned @ scheme.key(k, n + shift).mT, here, atol=5e-6, rtol=0)


REFUSED = {
    "LearnedRope.head_dim must be at least dim 6; got 4.": {"dim": 6, "head_dim": 4},
    "LearnedRope.coordinates must be 1 with form 'exponents' or a scaling rule; got 2.": {
        "dim": 6,
        "form": "exponents",
        "coordinates": 2,
    },
    "LearnedRope.coordinates must be 1 with form 'exponents' or a scaling rule; got 3.": {
        "dim": 6,
        "coordinates": 3,
        "scaling": posenc.Linear(factor=2),
    },
    "LearnedRope.heads must be at most 32 for 2 frequencies of each of 524288 pairs; got 65536.": {
        "dim": 2**20,
        "heads": 2**16,
        "coordinates": 2,
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_refused(sentence: str) -> None:
    with pytest.raises(EncodingError) as error:
        LearnedRope(layout="half", **REFUSED[sentence])
    assert str(error.value) == sentence


def test_heads_that_share_frequencies_turn_alike_whatever_their_number() -> None:
    shared = LearnedRope(dim=8, coordinates=2, layout="half")
    scheme = posenc.bind(shared)
    turned = scheme.query(X, CELLS)
    np.testing.assert_array_equal(scheme.query(X[:, 1], CELLS, head_axis=None), turned[:, 1])
    freqs = shared.init(np.random.default_rng(0))["freqs"]
    own = LearnedRope(dim=8, heads=3, coordinates=2, layout="half")
    each = posenc.bind(own, {"freqs": np.repeat(freqs, 3, axis=0)})
    np.testing.assert_array_equal(each.query(X, CELLS), turned)


def test_along_the_axes_it_is_axial() -> None:
    spec = Rope(dim=8, layout="half", axes=Axial(dims=(4, 4)))
    freqs = np.zeros((1, 4, 2))
    freqs[0, np.arange(4), spec.axis()] = spec.frequencies()
    mixed = posenc.bind(LearnedRope(dim=8, coordinates=2, layout="half"), {"freqs": freqs})
    due = posenc.bind(spec).query(X, CELLS)
    np.testing.assert_allclose(mixed.query(X, CELLS), due, atol=1e-6)


@pytest.mark.parametrize(
    ("tokens", "head_axis", "message"),
    [
        (
            X[:, :2],
            -3,
            "LearnedRope: x must be of 3 heads; got 2. Each head turns by frequencies of its own.",
        ),
        (
            X[:, 0],
            None,
            "LearnedRope: x must be of 3 heads; got 0. Each head turns by frequencies of its own.",
        ),
        (X[..., :6], -3, "LearnedRope: x must be of 8 channels, its head_dim; got 6."),
    ],
)
def test_tokens_that_do_not_fit(tokens: Any, head_axis: int | None, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        posenc.bind(MIXED).query(tokens, CELLS, head_axis=head_axis)
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
    enc = posenc.torch.Encoding(LearnedRope(dim=8, heads=3, coordinates=2, layout="half")).double()
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
    spec = LearnedRope(
        dim=2 * rungs * coordinates, heads=5, layout="half", coordinates=coordinates, base=10.0
    )
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
