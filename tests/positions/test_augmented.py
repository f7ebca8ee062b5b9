"""CAPE's augmentation: what is drawn once a row and what for each token."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np
import pytest
import torch

import posenc
from posenc import EncodingError
from posenc.positions import augmented

ROWS, TOKENS = 400, 7


def rng() -> np.random.Generator:
    return np.random.default_rng(6)


def rows(*, each: int = 1) -> np.ndarray:
    at = np.broadcast_to(np.arange(8, 8 + TOKENS), (ROWS, TOKENS))
    return at if each == 1 else np.stack([at, 3 * at][:each], -1)


def test_a_row_is_moved_as_one() -> None:
    got = augmented(rows(), rng=rng(), global_shift=5.0) - rows()
    np.testing.assert_allclose(got, np.repeat(got[:, :1], TOKENS, 1), atol=1e-12)
    assert -5 < got.min() < -4.9
    assert 4.9 < got.max() < 5


def test_a_token_is_moved_within_half_of_its_room() -> None:
    got = augmented(rows(), rng=rng(), local_shift=1.0)
    assert -0.5 < (got - rows()).min() < -0.49
    assert 0.49 < (got - rows()).max() < 0.5
    assert (np.diff(got) > 0).all()
    assert abs(np.corrcoef((got - rows()).T) - np.eye(TOKENS)).max() < 0.2


def test_a_row_is_stretched_as_one_after_it_is_moved() -> None:
    """By factors as likely above 1 as below."""
    got = augmented(rows(), rng=rng(), scaling=2.0) / rows()
    np.testing.assert_allclose(got, np.repeat(got[:, :1], TOKENS, 1), rtol=1e-12)
    assert 0.5 < got.min() < 0.51
    assert 1.97 < got.max() < 2
    assert abs(np.log(got).mean()) < 0.05
    both = augmented(rows(), rng=rng(), global_shift=3.0, scaling=2.0)
    moved = augmented(rows(), rng=rng(), global_shift=3.0)
    np.testing.assert_allclose(both / moved, np.repeat((both / moved)[:, :1], TOKENS, 1))


def test_coordinates_move_apart_and_stretch_together() -> None:
    at = rows(each=2)
    shift = augmented(at, rng=rng(), global_shift=5.0, coordinates=2) - at
    np.testing.assert_allclose(shift, np.repeat(shift[:, :1], TOKENS, 1), atol=1e-12)
    assert abs(np.corrcoef(shift[:, 0].T)[0, 1]) < 0.2
    ratio = augmented(at, rng=rng(), scaling=3.0, coordinates=2) / at
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[:, :1, :1], ratio.shape), rtol=1e-12)


def test_evaluation_only_centers() -> None:
    at = augmented(rows(), rng=None, global_shift=9.0, scaling=2.0, centered=True)
    np.testing.assert_array_equal(at[0], np.arange(TOKENS) - (TOKENS - 1) / 2)
    np.testing.assert_array_equal(augmented(rows(), rng=None), rows())
    assert augmented(np.arange(0), rng=None, centered=True).shape == (0,)


@pytest.mark.parametrize("made", [torch.asarray, jax.numpy.asarray], ids=["torch", "jax"])
def test_other_libraries(made: Any) -> None:
    options: dict[str, Any] = {"global_shift": 5.0, "local_shift": 0.5, "scaling": 1.5}
    got = augmented(made(rows()[:3].copy()), rng=rng(), centered=True, **options)
    due = augmented(rows()[:3], rng=rng(), centered=True, **options)
    np.testing.assert_allclose(np.asarray(got), due, rtol=1e-6, atol=1e-6)
    assert isinstance(got, type(made(due)))


def test_cape_is_the_sinusoid_of_these() -> None:
    at = augmented(rows()[:2], rng=rng(), global_shift=5.0, local_shift=0.5, centered=True)
    code = posenc.bind(posenc.Sinusoidal(dim=10)).embed(at, dtype=np.float64)
    angle = at[..., None] * np.exp(np.arange(0, 10, 2) * (-np.log(1e4) / 10))
    np.testing.assert_allclose(code[..., 0::2], np.sin(angle), atol=1e-12)
    np.testing.assert_allclose(code[..., 1::2], np.cos(angle), atol=1e-12)


def test_cape_in_two_dimensions_is_waves_in_directions_one_radian_apart() -> None:
    """Up to ten half-turns across the image, whose sides go from -1 to 1."""
    bands = 6
    sides = [np.linspace(-1, 1, 5), np.linspace(-1, 1, 9)]
    still = np.stack(np.meshgrid(*sides, indexing="ij"), -1).reshape(1, -1, 2)
    at = augmented(still, rng=rng(), global_shift=0.5, scaling=1.4, coordinates=2)
    k = np.arange(bands)
    turns = 10 ** ((k + 1) / bands) / 2
    spec = posenc.RandomFourier(dim=2 * bands, coordinates=2, waves="cos-sin")
    arrays = {"frequencies": turns * np.stack([np.cos(k), np.sin(k)])}
    code = posenc.bind(spec, arrays).embed(at, dtype=np.float64)
    for one in range(bands):
        along = math.cos(one) * at[..., 0] + math.sin(one) * at[..., 1]
        phase = math.pi * 10 ** ((one + 1) / bands) * along
        np.testing.assert_allclose(code[..., one], np.cos(phase), atol=1e-12)
        np.testing.assert_allclose(code[..., bands + one], np.sin(phase), atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"scaling": 0.5},
            "augmented(): scaling must be at least 1 and at most 1e9; got 0.5.",
        ),
        (
            {"global_shift": -1},
            "augmented(): global_shift must be at least 0 and at most 1e9; got -1.",
        ),
        ({"local_shift": "x"}, "augmented(): local_shift must be a number; got 'x'."),
        (
            {"rng": 3},
            "augmented(): rng must be a NumPy Generator; got 3. Such as "
            "numpy.random.default_rng(seed); None outside of training.",
        ),
        (
            {"coordinates": 2},
            "augmented(): positions must be of shape (*batch, n, 2); got (5,).",
        ),
        ({"coordinates": 0}, "augmented(): coordinates must be at least 1; got 0."),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        augmented(np.arange(5), **{"rng": None, **options})
    assert str(caught.value) == message
