"""An answer depends on the length that was given, and on no call before."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.torch import Encoding

DYNAMIC = posenc.Rope(
    dim=128, layout="half", scaling=posenc.DynamicNtk(factor=2.0, trained_length=2048)
)


def phi(trained: int = 4096) -> posenc.Rope:
    rule = posenc.LongRope(
        short=[1.0] * 5, long=[1.0, 2.0, 4.0, 8.0, 16.0], trained_length=trained, factor=32.0
    )
    return posenc.Rope(dim=10, layout="half", scaling=rule)


def test_a_long_run_leaves_nothing_behind() -> None:
    """B83: short inputs kept the stretched base. Numbers by mpmath."""
    enc, at = Encoding(DYNAMIC, length=512), torch.arange(8, 13)
    x = torch.ones(5, 128)
    before = enc(x, x, at, head_axis=None)[0]
    for length, second in ((8192, 0.83962574256), (512, 0.86596432336), (8192, 0.83962574256)):
        assert DYNAMIC.frequencies(length)[1] == pytest.approx(second, abs=1e-11)
        enc.for_length(length)(x, x, at, head_axis=None)
        torch.testing.assert_close(enc(x, x, at, head_axis=None)[0], before, atol=0, rtol=0)


@pytest.mark.parametrize(
    ("length", "stretch"), [(2049, 2049 / 2048), (4096, 2.0), (4097, 2.000488)]
)
def test_the_multiplier_is_the_smooth_one(length: int, stretch: float) -> None:
    """B84: the variant in steps gives 3, 3 and 7. The slowest pair slows by all of it."""
    rule = posenc.DynamicNtk(factor=1.0, trained_length=2048)
    rope = posenc.Rope(dim=10, layout="half", scaling=rule)
    plain = posenc.Rope(dim=10, layout="half")
    ratio = plain.frequencies()[-1] / rope.frequencies(length)[-1]
    assert ratio == pytest.approx(stretch, abs=1e-6)


def test_the_lists_are_chosen_by_the_length_of_the_run() -> None:
    """B85: not by what there is room for; and raw keys are turned anew past the switch."""
    spec, plain = phi(), posenc.Rope(dim=10, layout="half").frequencies()
    np.testing.assert_allclose(spec.frequencies(4096), plain, rtol=1e-15)
    np.testing.assert_allclose(spec.frequencies(4097), plain / spec.scaling.long, rtol=1e-15)
    spec = phi(trained=8)
    q, k, v = torch.randn(3, 1, 2, 9, 10, generator=torch.Generator().manual_seed(0))
    at = torch.arange(9)
    full = posenc.attend(q, k, v, spec, q_positions=at, causal=True, length=9)
    given = {"q_positions": at[-1:], "k_positions": at, "length": 9}
    step = posenc.torch.attend(q[:, :, -1:], k, v, spec, **given)
    torch.testing.assert_close(step, full[:, :, -1:], atol=2e-6, rtol=1e-5)
    stale = posenc.bind(spec, length=8).key(k, at)
    step = posenc.torch.attend(q[:, :, -1:], stale, v, spec, keys="turned", **given)
    assert (step - full[:, :, -1:]).abs().max() > 0.01


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    """B87: one long row gave every row the other list."""
    spec, x = phi(), np.ones((2, 1, 2, 10))
    scheme = posenc.bind(spec, length=4096)
    both = scheme.query(x, np.array([[0, 8], [1, 10_000]]))
    np.testing.assert_array_equal(both[0], scheme.query(x[0], np.array([0, 8])))
    long = posenc.bind(spec, length=10_001).query(x[1], np.array([1, 10_000]))
    assert np.abs(both[1] - long).max() > 0.1


def test_a_shorter_run_derives_nothing_anew() -> None:
    """B88: the table was made again whenever a sequence was shorter."""
    enc = Encoding(posenc.Rope(dim=10, layout="half"))
    held = {name: (id(b), b._version) for name, b in enc._derived.arrays().items()}
    assert held
    for n in (16, 8, 17, 1):
        enc(torch.ones(n, 10), torch.ones(n, 10), torch.arange(n), head_axis=None)
        now = {name: (id(b), b._version) for name, b in enc._derived.arrays().items()}
        assert now == held


@pytest.mark.parametrize("backend", ["sdpa", "rows"])
def test_biases_of_lengths_in_any_order(backend: str) -> None:
    """B89: 512, 513 and 511 in turn were sliced out of what the first had left."""
    alibi = Encoding(posenc.Alibi(heads=1, slopes=[0.5]))
    for n in (512, 513, 511, 512):
        at = torch.arange(n)
        due = -0.5 * (at[:, None] - at)[None]
        torch.testing.assert_close(alibi(at, at), due, atol=0, rtol=0)
        q = torch.zeros(1, n, 2)
        v = torch.randn(1, n, 3, generator=torch.Generator().manual_seed(n))
        got = posenc.torch.attend(q, q, v, alibi, q_positions=at, causal=True, backend=backend)
        hidden = (at[:, None] < at).float() * -1e9
        torch.testing.assert_close(got, (due + hidden).softmax(-1) @ v, atol=2e-6, rtol=1e-5)
