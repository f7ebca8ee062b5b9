"""Odd widths, parts of heads, and widths that do not match."""

from __future__ import annotations

import math

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError
from posenc.inspect import read


@pytest.mark.parametrize(
    ("dim", "code"),
    [
        (3, [0.8414709848, 0.5403023059, 0.002154433023]),
        (5, [0.8414709848, 0.5403023059, 0.02511622291, 0.9996845379, 0.0006309573026]),
    ],
)
def test_an_odd_code_is_cut_or_refused(dim: int, code: list[float]) -> None:
    """B35: a crash in the construction."""
    got = posenc.bind(posenc.Sinusoidal(dim=dim, odd="cut")).embed(np.array([1]), dtype=np.float64)
    np.testing.assert_allclose(got[0], code, atol=1e-10)
    with pytest.raises(EncodingError, match=rf"even; got {dim}\. Say what an odd width means"):
        posenc.Sinusoidal(dim=dim)


def test_a_width_other_than_the_declared_one_is_refused() -> None:
    """B37: five channels declared, ten given, eight returned."""
    x, at = np.zeros((1, 6, 2, 10)), np.arange(8, 10)
    for spec in (posenc.Rope(dim=4, layout="half"), posenc.Rope(dim=4, head_dim=8, layout="half")):
        for hook in (posenc.bind(spec).query, posenc.bind(spec).key):
            with pytest.raises(EncodingError, match=rf"{spec.head_dim or 4} channels.*; got 10\."):
                hook(x, at)
    for dim in (2, 6, 10):
        assert posenc.bind(posenc.Sinusoidal(dim=dim)).embed(at).shape == (2, dim)


@pytest.mark.parametrize("model_type", ["phi", "stablelm"])
def test_a_part_has_frequencies_for_that_part(model_type: str) -> None:
    """B38: built over the full head, they did not fit half of it."""
    config = {"hidden_size": 32, "num_attention_heads": 4, "partial_rotary_factor": 0.5}
    group = read({"model_type": model_type, **config}).parts[0].groups[0]
    np.testing.assert_allclose(group.freqs(), [1, 0.01], rtol=1e-15)
    assert posenc.bind(group.spec).query(np.ones((4, 3, 8)), np.arange(8, 11)).shape == (4, 3, 8)


@pytest.mark.parametrize(("channels", "dim"), [(128, 64), (128, 16), (40, 10)])
def test_a_part_is_cut_out_first_and_then_split(channels: int, dim: int) -> None:
    """B39, B43: the partner of channel i is i + dim / 2, not half a head away."""
    spec = posenc.Rope(dim=dim, head_dim=channels, layout="half")
    np.testing.assert_allclose(spec.frequencies(), 1e4 ** (-2 * np.arange(dim // 2) / dim))
    x = np.random.default_rng(0).normal(size=(channels,))
    y = posenc.bind(spec).query(x[None], np.array([1009]), head_axis=None)[0]
    half = dim // 2
    for i in range(half):
        angle = 1009 * 1e4 ** (-2 * i / dim)
        a, b = x[i], x[i + half]
        assert y[i] == pytest.approx(a * math.cos(angle) - b * math.sin(angle), abs=1e-9)
        assert y[i + half] == pytest.approx(a * math.sin(angle) + b * math.cos(angle), abs=1e-9)
    np.testing.assert_array_equal(y[dim:], x[dim:])


def test_a_proportional_share_reaches_across_the_head() -> None:
    """B44: here the rest stands still, and the exponents run over all 512 channels."""
    rule = posenc.Proportional(share=0.25)
    spec = posenc.Rope(dim=512, layout="half", base=1e6, scaling=rule)
    freqs = spec.frequencies()
    assert (len(freqs), np.count_nonzero(freqs), np.count_nonzero(freqs[:64])) == (256, 64, 64)
    assert freqs[1] == pytest.approx(0.9474635257, abs=1e-9)  # of an ordinary part: 0.8058421878
    x = np.zeros((1, 512))
    x[0, [1, 200]] = 1
    y = posenc.bind(spec).query(x, np.array([1]), head_axis=None)[0]
    assert np.flatnonzero(y).tolist() == [1, 200, 257]
    assert y[257] == pytest.approx(math.sin(freqs[1]), abs=1e-12)
