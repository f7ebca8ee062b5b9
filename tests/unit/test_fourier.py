"""Waves of real coordinates: exact where frequencies are fixed, bounded where they are learned."""

from __future__ import annotations

import math
from typing import Any

import jax
import mpmath
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import EncodingError, Fourier, RandomFourier, Stack, Time2Vec

POINTS = np.random.default_rng(5).uniform(-1, 1, (400, 3)).astype(np.float32)
# Octaves of half turns up to 2^15, which a position in float32 passes thousands of times.
STEEP = Fourier(bands=16, coordinates=3, unit="half-turns")


def wave(angle: Any) -> tuple[float, float]:
    return float(mpmath.sin(angle)), float(mpmath.cos(angle))


def truth(freqs: np.ndarray, at: np.ndarray) -> np.ndarray:
    """[sin, cos] of one coordinate's float64 frequencies, taken as the numbers they are."""
    with mpmath.workprec(200):
        rows = [[wave(mpmath.mpf(p) * mpmath.mpf(w)) for w in freqs] for p in at.tolist()]
    return np.moveaxis(np.array(rows), -1, 1).reshape(len(at), -1)


def test_octaves_are_whole_numbers() -> None:
    freqs = Fourier(bands=25).frequencies()
    np.testing.assert_array_equal(freqs, [2.0**k for k in range(25)])


@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
def test_steep_waves_of_real_points_are_exact(library: str) -> None:
    at = POINTS[:, 0].copy()
    spec = Fourier(bands=16, unit="half-turns")
    given = {"numpy": np.asarray, "torch": torch.asarray, "jax": jax.numpy.asarray}[library](at)
    off = np.abs(np.asarray(posenc.bind(spec).embed(given)) - truth(spec.frequencies(), at)).max()
    assert off <= (1e-7 if library == "numpy" else 5e-7)
    by_float32 = np.asarray(posenc.bind(spec, arithmetic="float32").embed(given))
    assert np.abs(by_float32 - truth(spec.frequencies(), at)).max() > 1e-3


@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
def test_steep_waves_of_integers_do_not_wrap_round_in_32_bits(library: str) -> None:
    at = np.array([3, -8, 70_001, 1_000_003])
    spec = Fourier(bands=9, stop=60_000.7, unit="half-turns")
    given = {"numpy": np.asarray, "torch": torch.asarray, "jax": jax.numpy.asarray}[library](at)
    off = np.abs(np.asarray(posenc.bind(spec).embed(given)) - truth(spec.frequencies(), at)).max()
    assert off <= 5e-7


def test_a_blurred_point_has_the_waves_of_its_middle_made_fainter() -> None:
    """mip-NeRF integrates the code over a Gaussian: each wave times exp(-(w deviation)^2 / 2)."""
    spec = Fourier(bands=4, coordinates=3, order="wave-band-coordinate")
    middle, deviation = POINTS[:5].astype(np.float64), np.array([0.05, 0.2, 0.9])
    scheme: Any = posenc.bind(spec)
    fainter = np.exp(-(np.outer(2.0 ** np.arange(4), deviation) ** 2) / 2).ravel()
    ours = scheme.embed(middle, dtype=np.float64) * np.tile(fainter, 2)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    for axis in range(3):
        blur = nodes[:, None] * deviation[axis] * np.eye(3)[axis]
        code = scheme.embed(middle[:, None] + blur, dtype=np.float64)
        mean = (weights[:, None] * code).sum(1) / weights.sum()
        np.testing.assert_allclose(ours[:, axis::3], mean[:, axis::3], atol=1e-10)


def test_each_coordinate_is_read_by_its_own_bands() -> None:
    spec = Fourier(bands=2, coordinates=3, stop=(3, 5, 9), spacing="linear", identity=True)
    assert spec.frequencies().tolist() == [1, 3, 1, 5, 1, 9]
    assert spec.axis().tolist() == [0, 0, 1, 1, 2, 2]
    code = posenc.bind(spec).embed(POINTS)
    x, y, z = POINTS.T
    due = [x, y, z, *(np.sin(w * c) for c, n in ((x, 3), (y, 5), (z, 9)) for w in (1, n))]
    np.testing.assert_allclose(code[:, :9], np.stack(due, -1), atol=1e-6)


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ("coordinate-band-wave", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("band-wave-coordinate", [0, 4, 1, 5, 2, 6, 3, 7]),
        ("wave-band-coordinate", [0, 4, 2, 6, 1, 5, 3, 7]),
        ("wave-coordinate-band", [0, 2, 4, 6, 1, 3, 5, 7]),
    ],
)
def test_orders(order: str, places: list[int]) -> None:
    """Channels as places in x: sin w0, cos w0, sin w1, cos w1, then those of y."""
    x, y = 0.3, -0.7
    plain = [f(w * c) for c in (x, y) for w in (1, 2) for f in (math.sin, math.cos)]
    spec = Fourier(bands=2, coordinates=2, order=order)
    code = posenc.bind(spec).embed(np.array([[x, y]]), dtype=np.float64)
    np.testing.assert_allclose(code[0], np.array(plain)[places], atol=1e-15)


def test_one_stop_has_one_spelling() -> None:
    one = Fourier(bands=3, coordinates=2, stop=112)
    assert one == Fourier(bands=3, coordinates=2, stop=(112.0, 112.0))
    assert one.to_dict()["stop"] == [112.0]
    assert one.dim == 12


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"bands": 3, "coordinates": 3, "stop": (4, 5)},
            "Fourier.stop must be one number, or 3, one a coordinate; got (4.0, 5.0).",
        ),
        (
            {"bands": 3, "spacing": "open"},
            "Fourier.spacing must be 'geometric' where each band doubles the one before; got "
            "'open'.",
        ),
        (
            {"bands": 26},
            "Fourier.bands must be few enough to double from 1.0 to at most 16777216; got 26.",
        ),
        (
            {"bands": 2**16},
            "Fourier.bands must be few enough to double from 1.0 to at most 16777216; got 65536.",
        ),
        ({"bands": 3, "stop": 0}, "Fourier.stop[0] must be at least 1e-09; got 0."),
        ({"bands": 3, "stop": "112"}, "Fourier.stop must be a list of numbers; got '112'."),
    ],
)
def test_refusals(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        Fourier(**fields)
    assert str(caught.value) == message


def test_tables_want_all_coordinates() -> None:
    cos, sin = posenc.tables(STEEP, POINTS)
    assert cos.shape == sin.shape == (400, 48)
    with pytest.raises(EncodingError, match=r"tables\(\): positions must be of shape \(n, 3\)"):
        posenc.tables(STEEP, POINTS[:, 0])


def test_codes_of_several_coordinates_add() -> None:
    a, b = Fourier(bands=5, coordinates=3), RandomFourier(dim=30, coordinates=3)
    joint = posenc.bind(Stack(a, b)).embed(POINTS)
    np.testing.assert_array_equal(
        joint, posenc.bind(a).embed(POINTS) + posenc.bind(b).embed(POINTS)
    )


def test_what_is_only_kept_is_no_parameter() -> None:
    assert RandomFourier(dim=10, coordinates=2).parameters() == 0
    assert RandomFourier(dim=10, coordinates=2, trained=True).parameters() == 10
    assert RandomFourier(dim=10, waves="cos", trained=True).parameters() == 20


def test_frequencies_are_drawn_with_their_deviation() -> None:
    spec = RandomFourier(dim=4096, coordinates=2, sigma=16, waves="cos")
    drawn = spec.init(np.random.default_rng(0))
    assert drawn["frequencies"].std() == pytest.approx(16, rel=0.03)
    assert drawn["phases"].std() == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize("sigma", [1.0, 100.0])
def test_random_waves_are_off_by_their_turns(sigma: float) -> None:
    spec = RandomFourier(dim=20, coordinates=3, sigma=sigma)
    frequencies = spec.init(np.random.default_rng(1))["frequencies"]
    at = 8 * POINTS[:50]
    turns = np.abs(at[:, :, None] * frequencies.astype(np.float64)).sum(1)
    with mpmath.workprec(200):
        rows = [
            [
                wave(
                    2
                    * mpmath.pi
                    * sum(mpmath.mpf(float(a)) * float(b) for a, b in zip(x, w, strict=True))
                )
                for w in frequencies.T
            ]
            for x in at
        ]
    due = np.moveaxis(np.array(rows), -1, 1).reshape(50, -1)
    given = {"frequencies": frequencies}
    host = np.abs(posenc.bind(spec, given).embed(at) - due)
    assert host.max() <= 3e-7
    bound = np.tile(4e-7 * (1 + turns), 2)
    for made in (torch.asarray, jax.numpy.asarray):
        off = np.abs(np.asarray(posenc.bind(spec, given).embed(made(at))) - due)
        assert (off <= bound).all()
        assert sigma < 10 or off.max() > 1e-6


def test_time2vec_is_off_by_its_angles() -> None:
    spec = Time2Vec(dim=7)
    arrays = spec.init(np.random.default_rng(2))
    w, b = arrays["frequencies"].astype(np.float64), arrays["phases"].astype(np.float64)
    at = np.array([-3.0, 0.0, 0.5, 8.25, 70_001.0], np.float32)
    angle = at.astype(np.float64)[:, None] * w + b
    due = np.concatenate([angle[:, :1], np.sin(angle[:, 1:])], -1)
    size = 1 + np.abs(angle)
    assert (
        np.abs(posenc.bind(spec, arrays).embed(at) - due) <= 3e-7 * np.maximum(1, abs(due))
    ).all()
    for made in (torch.asarray, jax.numpy.asarray):
        off = np.abs(np.asarray(posenc.bind(spec, arrays).embed(made(at))) - due)
        assert (off <= 1.2e-7 * size + 3e-7).all()


@pytest.mark.parametrize(
    "spec",
    [
        RandomFourier(dim=6, coordinates=2, trained=True),
        RandomFourier(dim=6, coordinates=2, waves="cos", centered=True, trained=True),
        Time2Vec(dim=5),
    ],
)
def test_what_is_learned_gets_gradients(spec: Any) -> None:
    coordinates = getattr(spec, "coordinates", 1)
    at = torch.asarray(POINTS[:4, :coordinates].squeeze(), dtype=torch.float64)
    drawn = spec.init(np.random.default_rng(3))
    arrays = [torch.asarray(a, dtype=torch.float64).requires_grad_() for a in drawn.values()]

    def code(*arrays: torch.Tensor) -> torch.Tensor:
        scheme: Any = posenc.bind(spec, dict(zip(drawn, arrays, strict=True)))
        return scheme.embed(at, dtype=torch.float64)  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(code, arrays)
    enc = posenc.torch.Encoding(spec)
    (enc(at.float()) ** 3).sum().backward()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in enc.parameters())


def test_autocast_reaches_no_learned_angle() -> None:
    """A matrix product in their place is rounded to bfloat16 under it (B05)."""
    spec = RandomFourier(dim=20, coordinates=3, sigma=10.0)
    enc = posenc.torch.Encoding(spec)
    at = torch.asarray(POINTS)
    due = enc(at)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = enc(at)
        product = at @ enc.learned.arrays()["frequencies"]
    assert torch.equal(got, due)
    assert (product.sub(product.round()).mul(math.tau).sin() - due[:, :10]).abs().max() > 0.1


def test_a_noise_level_goes_in_as_its_logarithm() -> None:
    """NCSN++ multiplies the logarithm by 2 pi W; EDM's quarter of it goes into a table."""
    levels = np.array([0.01, 0.3, 1.7, 50.0])
    spec = RandomFourier(dim=6, sigma=16.0)
    w = spec.init(np.random.default_rng(4))["frequencies"]
    code = posenc.bind(spec, {"frequencies": w}).embed(np.log(levels), dtype=np.float64)
    angle = 2 * np.pi * np.log(levels)[:, None] * w.astype(np.float64)
    np.testing.assert_allclose(code, np.concatenate([np.sin(angle), np.cos(angle)], -1), atol=1e-12)
