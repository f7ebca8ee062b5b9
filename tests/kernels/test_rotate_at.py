"""Angles and rotation in one call, where there is no GPU: what the two calls would give."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.kernels import rotate_at

PLACES = np.array([8, 9, 70_001, 2**31 - 1, -(2**31) + 1])
SPEC = posenc.Rope(dim=6, head_dim=10, layout="interleaved", at="back")
STEPS = SPEC.constants()["rates"]
DRAWN = np.random.default_rng(0)
Q, K = DRAWN.standard_normal((2, 4, 5, 10)), DRAWN.standard_normal((2, 1, 5, 10))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("library", ["numpy", "torch", "jax"])
def test_it_is_the_scheme_of_the_spec(library: str, dtype: str) -> None:
    if library == "jax" and dtype == "float64":
        return  # which JAX as it comes has not
    made: Any = {"numpy": np.asarray, "torch": torch.asarray, "jax": jnp.asarray}[library]
    q, k = made(Q.astype(dtype)), made(K.astype(dtype))
    at = made(PLACES.astype(np.int32))
    steps = posenc._arrays.settle(STEPS, posenc._arrays.namespace(q))
    turned = rotate_at(q, k, at, steps, layout="interleaved", start=4)
    scheme = posenc.bind(SPEC)
    for x, due in zip(turned, (scheme.query(Q, PLACES), scheme.key(K, PLACES)), strict=True):
        assert x.dtype == q.dtype
        bound = {"float64": 1e-12, "float32": 2e-6}[dtype]
        np.testing.assert_allclose(np.asarray(x), due, atol=bound, rtol=0)


def test_options() -> None:
    q, k = Q.astype(np.float32), K.astype(np.float32)
    plain, _ = rotate_at(q, None, PLACES, STEPS, layout="half")
    twice, _ = rotate_at(q, None, PLACES, STEPS, layout="half", factor=2.0)
    np.testing.assert_allclose(twice[..., :6], 2 * plain[..., :6], rtol=1e-6)
    np.testing.assert_array_equal(twice[..., 6:], q[..., 6:])
    back, _ = rotate_at(plain, None, PLACES, STEPS, layout="half", reverse=True)
    np.testing.assert_allclose(back, q, atol=1e-6)
    turned = rotate_at(q, k, PLACES, STEPS, layout="half", in_place=True)
    assert turned[0] is q
    assert turned[1] is k
    np.testing.assert_array_equal(q, plain)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layout": "neox"}, "rotate_at(): layout must be 'half' or 'interleaved'"),
        ({"positions": PLACES[:4]}, "rotate_at(): q: positions must be of shape (5,) or (2, 5)"),
        ({"start": 5}, "rotate_at(): start must be from 0 to 4, for 3 pairs of 10 channels; got 5"),
        ({"start": -1}, "rotate_at(): start must be from 0 to 4"),
        ({"steps": STEPS[None]}, "rotate_at(): steps must be of shape (pairs,); got (1, 3)"),
        ({"axis": np.zeros(2, int)}, "rotate_at(): axis must be of shape (3,), as steps; got (2,)"),
        ({"k": K[:1]}, "rotate_at(): k must be of the shape of q but for the heads"),
        ({"k": K[..., :8]}, "rotate_at(): k must be of the shape of q but for the heads"),
        ({"head_axis": 1}, "rotate_at(): q: head_axis must be -3, -2, or None without heads"),
    ],
    ids=["layout", "positions", "late", "early", "steps", "axis", "k rows", "k width", "head_axis"],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"q": Q, "k": K, "positions": PLACES, "steps": STEPS, "layout": "half"}
    if "axis" in change:
        given["positions"] = np.stack([PLACES] * 2, axis=-1)
    with pytest.raises(EncodingError) as refused:
        rotate_at(**{**given, **change})
    assert message in str(refused.value)
