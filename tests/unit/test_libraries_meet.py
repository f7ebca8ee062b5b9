"""Arrays of two libraries in one call: NumPy positions are taken along, the rest is refused."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError, EncodingTypeError

X = np.random.default_rng(0).normal(size=(2, 3, 5, 8)).astype(np.float32)
ROPE = posenc.Rope(dim=8, layout="half")
P = np.arange(70_001, 70_006)


@pytest.mark.parametrize("take", [torch.as_tensor, jnp.asarray], ids=["torch", "jax"])
def test_numpy_positions_are_taken_along(take) -> None:
    due = posenc.bind(ROPE).query(X, P)
    got = posenc.bind(ROPE).query(take(X), P)
    assert type(got) is type(take(X))
    np.testing.assert_allclose(np.asarray(got), due, atol=2e-6)
    alibi = posenc.Alibi(heads=3)
    y = posenc.attend(*[take(X)] * 3, alibi, q_positions=P, causal=True)
    due = posenc.attend(X, X, X, alibi, q_positions=P, causal=True)
    np.testing.assert_allclose(np.asarray(y), due, atol=2e-6)


def test_other_mixtures_are_refused() -> None:
    with pytest.raises(
        EncodingTypeError, match="of the library of the tokens, NumPy; got 'PyTorch'"
    ):
        posenc.bind(ROPE).query(X, torch.as_tensor(P))
    with pytest.raises(EncodingTypeError, match="of the library of q"):
        posenc.attend(torch.as_tensor(X), X, X, posenc.NoPE())
    with pytest.raises(EncodingTypeError, match="of the library of q"):
        posenc.attend(*[torch.as_tensor(X)] * 3, posenc.NoPE(), mask=np.ones((5, 5), bool))
    placed = posenc.bind(ROPE).prepare(P)
    with pytest.raises(EncodingTypeError, match="of the library that positions were prepared in"):
        posenc.bind(ROPE).query(torch.as_tensor(X), placed)


def test_unsigned_and_narrow_positions_do_not_wrap() -> None:
    due = posenc.bind(posenc.Alibi(heads=2)).bias(np.arange(5), np.arange(5))
    for dtype in (np.uint8, np.int8, np.uint16, np.uint64):
        at = np.arange(5, dtype=dtype)
        np.testing.assert_array_equal(posenc.bind(posenc.Alibi(heads=2)).bias(at, at), due)


def test_what_cannot_be_counted_is_nan_where_it_cannot_be_refused() -> None:
    def turn(at):
        return posenc.tables(ROPE, at)[0]

    for value in (float("nan"), 3e9):
        assert np.isnan(jax.jit(turn)(jnp.asarray([value, 1.0]))).all(-1).tolist() == [True, False]
    with jax.enable_x64(True):
        for value, lost in ((2.0**53, True), (1e18, True), (2.0**53 - 1, False)):
            found = np.asarray(jax.jit(turn)(jnp.asarray([value, 1.0], jnp.float64)))
            assert np.isnan(found).all(-1).tolist() == [lost, False]


def test_jax_ranges_stay_within_32_bits() -> None:
    with pytest.raises(posenc.EncodingError, match="JAX counts in 32 bits"):
        posenc.positions.arange(3, offset=2**31 - 2, xp="jax")


def test_a_scheme_bound_under_x64_is_refused_without_it() -> None:
    with jax.enable_x64(True):
        scheme = posenc.bind(ROPE, xp="jax")
        np.testing.assert_allclose(
            scheme.query(jnp.asarray(X), P), posenc.bind(ROPE).query(X, P), atol=2e-6
        )
    for query in (scheme.query, jax.jit(scheme.query)):
        with pytest.raises(EncodingError, match="jax_enable_x64 must be on"):
            query(jnp.asarray(X), jnp.asarray(P))


def test_distances_that_32_bits_do_not_hold_are_the_largest_that_do() -> None:
    q, k = np.array([2**30, -(2**30)]), np.array([-(2**30) - 1, 2**31 - 1, 5])
    for spec in (posenc.Alibi(heads=2), posenc.T5Bias(heads=2, bidirectional=True)):
        due = posenc.bind(spec).bias(q, k)
        got = posenc.bind(spec).bias(jnp.asarray(q), jnp.asarray(k))
        np.testing.assert_array_equal(np.sign(got), np.sign(due))
        np.testing.assert_allclose(got, due, rtol=0.51)


def test_a_scheme_bound_on_the_meta_device_is_used_on_another() -> None:
    """Large models are built so."""
    x, at = torch.as_tensor(X), torch.as_tensor(P)
    for spec in (ROPE, posenc.Alibi(heads=3)):
        with torch.device("meta"):
            scheme = posenc.bind(spec, xp="torch")
        due = posenc.bind(spec)
        if scheme.query:
            torch.testing.assert_close(scheme.query(x, at), due.query(x, at))
        else:
            torch.testing.assert_close(scheme.bias(at, at), due.bias(at, at))


def test_autocast_does_not_reach_the_reference() -> None:
    x, alibi = torch.as_tensor(X), posenc.Alibi(heads=3)
    due = posenc.attend(x, x, x, alibi, q_positions=torch.as_tensor(P))
    with torch.autocast("cpu", torch.bfloat16):
        got = posenc.attend(x, x, x, alibi, q_positions=torch.as_tensor(P))
    torch.testing.assert_close(got, due, rtol=0, atol=0)


def test_a_scheme_of_one_library_refuses_tokens_of_another() -> None:
    for xp, x, name in (("torch", jnp.asarray(X), "JAX"), ("jax", torch.asarray(X), "PyTorch")):
        with pytest.raises(EncodingTypeError, match=f"as the scheme is; got '{name}'"):
            posenc.bind(ROPE, xp=xp).query(x, P)
