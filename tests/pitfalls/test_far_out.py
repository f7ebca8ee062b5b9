"""Angles at positions that no short test reaches. Numbers are those of mpmath at 40 digits."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc.specs import Scaling

PAIRS = 16
RULES = {
    "Unscaled": posenc.Unscaled(),
    "Linear": posenc.Linear(factor=1.0),
    "Ntk": posenc.Ntk(factor=4.0),
    "DynamicNtk": posenc.DynamicNtk(factor=4.0, trained_length=2048),
    "Llama3": posenc.Llama3(
        factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, trained_length=8192
    ),
    "Yarn": posenc.Yarn(factor=4.0, trained_length=4096),
    "LongRope": posenc.LongRope(
        short=[1.0] * PAIRS, long=[1.0, *[4.0] * (PAIRS - 1)], trained_length=4096, factor=8.0
    ),
    "Proportional": posenc.Proportional(share=0.5),
    "HighPass": posenc.HighPass(trained_length=4096),
    "MixedNtk": posenc.MixedNtk(factor=4.0, beta=0.75),
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("take", [np.asarray, torch.asarray, jnp.asarray], ids=["np", "pt", "jax"])
def test_every_rule_is_tried_far_out(rule: Scaling, take) -> None:
    """B09: one branch of three had a cosine without range reduction."""
    spec = posenc.Rope(dim=2 * PAIRS, layout="half", scaling=rule)
    at = np.array([48040, 100_000], np.int32)
    cos, sin = (np.asarray(t) for t in posenc.tables(spec, take(at), length=100_001))
    if not isinstance(rule, posenc.MixedNtk):  # which slows the fastest pair too
        np.testing.assert_allclose(cos[:, 0], [0.329654534247, -0.999360807438], atol=5e-7)
        np.testing.assert_allclose(sin[:, 0], [-0.944101630149, 0.035748797972], atol=5e-7)
    angle = at[:, None] * spec.frequencies(100_001)
    np.testing.assert_allclose(cos, np.cos(angle), atol=5e-7)
    np.testing.assert_allclose(sin, np.sin(angle), atol=5e-7)


def test_no_rule_is_left_out() -> None:
    assert {type(rule) for rule in RULES.values()} == {*Scaling.__subclasses__()}


@pytest.mark.parametrize(("base", "error"), [(1e4, 1.4e-2), (1e6, 1.9e-2)])
def test_the_angle_in_float32_is_the_limit(base: float, error: float) -> None:
    """B13: tokens in half precision were blamed for what the rounded angle does at 262143."""
    spec, at = posenc.Rope(dim=128, layout="half", base=base), np.array([262_143])
    angle = 262_143 * base ** (-np.arange(64) / 64)
    off = np.abs(posenc.tables(spec, at)[0] - np.cos(angle)).max()
    assert off < 1e-7
    off = np.abs(posenc.tables(spec, at, arithmetic="float32")[0] - np.cos(angle)).max()
    assert off == pytest.approx(error, rel=0.03)
