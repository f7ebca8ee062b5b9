"""Temperatures: where a step falls, for whom, and how they combine."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.functional._temperature import RULES
from posenc.registry import entry


def factor(rule: str, positions: object, trained_length: int = 8192) -> np.ndarray:
    spec = posenc.Temperature(rule=rule, trained_length=trained_length)
    return np.asarray(posenc.bind(spec).logit_scale(positions))[..., 0, :]


KINDS = [
    (library, dtype)
    for library in ("numpy", "torch", "jax")
    for dtype in ("int64", "int32", "uint32", "float64", "float32")
    if library == "numpy" or dtype != "float64"  # JAX has none, and torch's is as NumPy's
]


@pytest.mark.parametrize(("library", "dtype"), KINDS)
def test_no_step_comes_a_token_early_or_late(library: str, dtype: str) -> None:
    """Just before and at steps, near and far: whole positions of every kind they may come in."""
    most = 2**31 - 1 if "int" in dtype and library == "jax" else 2**24
    steps = [n * 8192 for n in (1, 2, 3, 1000, 2047, 262_143) if n * 8192 <= most]
    places = np.array([p for s in steps for p in (s - 2, s - 1, s)], dtype)
    made = {"numpy": np.asarray, "torch": torch.as_tensor}
    if library == "jax":
        import jax.numpy as jnp

        made["jax"] = jnp.asarray
    positions = made[library](places)
    count = np.array([s // 8192 for s in steps])
    before, at = 1 + 0.1 * np.log1p(count - 1), 1 + 0.1 * np.log1p(count)
    due = {
        "llama4": np.stack([before, at, at], -1),
        "ministral": np.stack([before, before, at], -1),
    }
    for rule, rows in due.items():
        np.testing.assert_allclose(factor(rule, positions), rows.ravel(), rtol=2.5e-7)


def test_the_last_integer_of_all() -> None:
    """p + 1 does not fit 32 bits at 2^31 - 1."""
    import jax.numpy as jnp

    at = jnp.asarray([2**31 - 1], jnp.int32)
    due = 1 + 0.1 * np.log1p(2**31 / 8192)
    assert factor("llama4", at) == pytest.approx(due, abs=2e-7)
    assert factor("power", at) == pytest.approx((1 + 2**31 / 8192) ** 0.1, rel=4e-7)


def test_llama4_and_ministral_step_one_token_apart() -> None:
    at = np.array([8190, 8191, 8192, 16_382, 16_383, 16_384])
    assert np.flatnonzero(np.diff(factor("llama4", at))).tolist() == [0, 3]
    assert np.flatnonzero(np.diff(factor("ministral", at))).tolist() == [1, 4]


@pytest.mark.parametrize("rule", RULES)
def test_padding_in_front_is_as_position_0(rule: str) -> None:
    at = np.array([-(2**40), -8192, -1, 0])
    assert len(set(factor(rule, at).tolist())) == 1
    scheme = posenc.bind(posenc.ScalableSoftmax(heads=2, bias=True))
    assert np.ptp(scheme.logit_scale(at)) == 0


@pytest.mark.parametrize("rule", RULES)
def test_what_is_no_position_under_jit_is_nan(rule: str) -> None:
    import jax
    import jax.numpy as jnp

    scheme = posenc.bind(posenc.Temperature(rule=rule, trained_length=8192), xp="jax")
    answer = jax.jit(scheme.logit_scale)(jnp.asarray([jnp.nan, 3.0]))[0]
    assert np.isnan(answer).tolist() == [True, False]


def test_it_is_the_factor_of_the_query_alone() -> None:
    """Logits of queries at p, whatever the positions of keys; a row of a batch by its own."""
    spec = posenc.Temperature(rule="llama4", trained_length=4)
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(2, 3, n, 10)) for n in (5, 7, 7))
    at = np.array([[0, 2, 3, 7, 20], [8, 9, 11, 12, 13]])
    y = posenc.attend(q, k, v, spec, q_positions=at, k_positions=np.arange(7))
    scales = 1 + 0.1 * np.log1p((at + 1) // 4)
    plain = posenc.attend(q * scales[:, None, :, None], k, v, posenc.NoPE())
    np.testing.assert_allclose(y, plain, atol=1e-7)


def test_a_stack_turns_and_scales() -> None:
    rope = posenc.Rope(dim=10, layout="half")
    spec = posenc.Stack(rope, posenc.Temperature(rule="log", trained_length=16))
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(3, 9, 10)) for _ in range(3))
    at = np.arange(8, 17) * 5
    y = posenc.attend(q, k, v, spec, q_positions=at, causal=True)
    scales = np.maximum(1, np.log(at + 1) / np.log(16))
    turned = posenc.attend(q * scales[:, None], k, v, rope, q_positions=at, causal=True)
    np.testing.assert_allclose(y, turned, atol=1e-7)


def test_factors_multiply() -> None:
    yarn = posenc.Yarn(factor=40, trained_length=4096)
    spec = posenc.Stack(
        posenc.Rope(dim=10, layout="half", scaling=yarn), posenc.LogitScale(factor=2.0)
    )
    assert posenc.bind(spec).logit_scale(np.arange(3)) == pytest.approx(2 * 1.873854207)


def test_scalable_softmax_learns() -> None:
    """In every dtype that weights may be cast to, and through attention."""
    module = posenc.torch.Encoding(posenc.ScalableSoftmax(heads=3, bias=True)).bfloat16()
    assert sorted(module.state_dict()) == ["learned.bias", "learned.scale"]
    q, k, v = (torch.randn(3, 5, 10) for _ in range(3))
    y = posenc.torch.attend(q, k, v, module, q_positions=torch.arange(8, 13))
    y.square().sum().backward()
    grads = [p.grad for p in module.parameters()]
    assert all(g.dtype == torch.bfloat16 and (g != 0).all() for g in grads)
    plain = posenc.attend(q, k, v, posenc.NoPE())
    torch.testing.assert_close(y, plain, atol=1e-6, rtol=0)  # scales begin at 0, biases at 1


def test_an_entry_of_a_stack_is_sized_for_the_layer() -> None:
    for dim in (6, 10, 96):
        rope, scale = entry("rope-ministral3").make(dim=dim).parts
        assert (rope.dim, scale.rule) == (dim, "ministral")
    other = entry("rope-ministral3").make(parts=(posenc.NoPE(),))
    assert other == posenc.Stack(posenc.NoPE())


REFUSED = {
    "Temperature.rule must be 'llama4' or 'ministral' or 'log' or 'power' or 'inkling'; "
    "got 'llama'. Did you mean 'llama4'?": {"rule": "llama", "trained_length": 8},
    "Temperature.trained_length must be at least 2; got 1.": {"rule": "log", "trained_length": 1},
    "Temperature.strength must be at least 0; got -0.1.": {
        "rule": "power",
        "trained_length": 8,
        "strength": -0.1,
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_refused(sentence: str) -> None:
    with pytest.raises(EncodingError) as error:
        posenc.Temperature(**REFUSED[sentence])
    assert str(error.value) == sentence


def test_a_factor_of_nothing_is_refused() -> None:
    with pytest.raises(EncodingError) as error:
        posenc.LogitScale(factor=0)
    assert str(error.value) == "LogitScale.factor must be above 0; got 0."


def test_log_has_one_spelling() -> None:
    spec = posenc.Temperature(rule="log", trained_length=8, strength=3.0)
    assert spec == posenc.Temperature(rule="log", trained_length=8)
