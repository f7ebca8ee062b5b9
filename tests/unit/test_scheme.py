"""Combining schemes, and preparing once for all hooks."""

from __future__ import annotations

import numpy as np

import posenc

P = np.arange(8, 13)


def test_codes_and_biases_add_and_scales_multiply() -> None:
    a, b = posenc.Sinusoidal(dim=6), posenc.Integer(dim=6)
    both = posenc.bind(posenc.Stack(a, b)).embed(P)
    np.testing.assert_allclose(both, posenc.bind(a).embed(P) + posenc.bind(b).embed(P))
    alibi, t5 = posenc.Alibi(heads=3), posenc.T5Bias(heads=3, bidirectional=True)
    joint = posenc.bind(posenc.Stack(alibi, t5)).bias(P, P)
    np.testing.assert_allclose(joint, posenc.bind(alibi).bias(P, P) + posenc.bind(t5).bias(P, P))


def test_a_stack_prepares_each_part() -> None:
    stack = posenc.Stack(posenc.Rope(dim=6, layout="half"), posenc.Alibi(heads=2))
    scheme = posenc.bind(stack)
    placed = scheme.prepare(P, P + 1)
    x = np.random.default_rng(0).normal(size=(2, 5, 6)).astype(np.float32)
    np.testing.assert_array_equal(scheme.key(x, placed), scheme.key(x, P + 1))
    np.testing.assert_array_equal(scheme.bias(placed), scheme.bias(P, P + 1))


def test_a_nested_stack_names_its_arrays() -> None:
    inner = posenc.Stack(posenc.Learned(rows=20, dim=6), posenc.NoPE())
    stack = posenc.Stack(inner, posenc.Learned(rows=20, dim=6))
    assert list(stack.learned()) == ["0.0.table", "1.table"]
    table = np.ones((20, 6), np.float32)
    code = posenc.bind(stack, {"0.0.table": table, "1.table": 2 * table}).embed(P)
    np.testing.assert_array_equal(code, np.full((5, 6), 3.0))
    assert posenc.from_dict(stack.to_dict()) == stack


def test_nope_has_no_hooks() -> None:
    assert posenc.bind(posenc.NoPE())[1:] == (None,) * 6 + (1,)
