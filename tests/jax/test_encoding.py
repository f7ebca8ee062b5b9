"""The one pytree: what it does, and everything that it goes through unchanged."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError
from posenc.jax import Encoding

KEY = jax.random.key(7)
PLACES = np.array([8, 9, 40, 70_001, 70_002])
AT = jnp.asarray(PLACES)
DIMS = (6, 10, 64, 96)
ROPE = posenc.Rope(dim=10, layout="half", base=5e5)
STACK = posenc.Stack(posenc.Learned(rows=90_000, dim=6), posenc.Alibi(heads=3))


def tokens(dim: int = 10, dtype: Any = jnp.float32) -> jax.Array:
    """Two rows of five tokens, three heads: B != S."""
    return jax.random.normal(jax.random.key(0), (2, 3, 5, dim)).astype(dtype)


X = tokens()


@pytest.mark.parametrize("name", list(posenc.encodings(plugins=False)))
def test_every_encoding_does_what_its_scheme_does(name: str) -> None:
    spec = posenc.encodings()[name].make(dim=10, heads=3, length=128)
    enc = Encoding(spec, key=KEY, length=128)
    scheme = posenc.bind(spec, enc.learned, length=128)
    at = jnp.arange(8, 10) if name == "one-hot" else jnp.arange(8, 13)
    x = X[:, :, : len(at)]
    if scheme.coordinates > 1:
        at = jnp.stack([at] * scheme.coordinates, axis=-1)
    if scheme.embed:
        np.testing.assert_array_equal(enc(at), scheme.embed(at))
        assert enc(at, dtype=jnp.bfloat16).dtype == jnp.bfloat16
    if scheme.bias:
        np.testing.assert_array_equal(enc(at, at), scheme.bias(at))
    if scheme.query:
        for got, due in zip(enc(x, x, at), (scheme.query(x, at), scheme.key(x, at)), strict=True):
            np.testing.assert_array_equal(got, due)
    assert repr(spec) in repr(enc)
    traced = jax.jit(lambda enc, x, at: posenc.jax.attend(x, x, x, enc, q_positions=at))
    if not scheme.embed:
        due = posenc.attend(x, x, x, scheme, q_positions=at)
        np.testing.assert_allclose(traced(enc, x, at), due, atol=2e-6)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dim", DIMS)
def test_exact_without_64_bits(dim: int, layout: str) -> None:
    """A pair (1, 0) turns into (cos, sin), which mpmath knows."""
    assert not jax.config.jax_enable_x64
    mpmath.mp.dps = 40
    places = [8, 70_001, 10**9]
    pairs = dim // 2
    angles = [[p * mpmath.mpf(10_000) ** mpmath.mpf(-i / pairs) for i in range(pairs)]
              for p in places]  # fmt: skip
    cos, sin = (np.array([[float(f(a)) for a in row] for row in angles])
                for f in (mpmath.cos, mpmath.sin))  # fmt: skip
    first = slice(0, pairs) if layout == "half" else slice(0, None, 2)
    second = slice(pairs, None) if layout == "half" else slice(1, None, 2)
    x = jnp.zeros((2, 3, dim)).at[..., first].set(1.0)
    enc = Encoding(posenc.Rope(dim=dim, layout=layout))
    for call in (enc, jax.jit(enc.__call__, static_argnames="head_axis")):
        got, _ = call(x, x, jnp.asarray(places), head_axis=None)
        np.testing.assert_allclose(got[1, :, first], cos, atol=5e-7, rtol=0)
        np.testing.assert_allclose(got[1, :, second], sin, atol=5e-7, rtol=0)


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float16])
def test_half_precision_rounds_tokens_alone(dim: int, dtype: Any) -> None:
    spec = posenc.Rope(dim=dim, layout="interleaved")
    enc = jax.tree.map(lambda array: array.astype(dtype), Encoding(spec))
    x = tokens(dim, dtype)
    due = posenc.bind(spec).query(np.asarray(x, np.float64), PLACES)
    got = enc(x, x, AT)[0]
    assert got.dtype == dtype
    bound = {"float32": 2e-6, "bfloat16": 2e-2, "float16": 3e-3}[jnp.dtype(dtype).name]
    np.testing.assert_allclose(np.asarray(got, np.float64), due, atol=bound, rtol=bound)
    y = posenc.jax.attend(x, x, x, enc, q_positions=AT, causal=True)
    assert y.dtype == dtype


def test_a_cast_reaches_what_is_learned_alone() -> None:
    half = jax.tree.map(lambda array: array.astype(jnp.bfloat16), Encoding(STACK, key=KEY))
    assert half(AT[:2]).dtype == jnp.bfloat16
    np.testing.assert_array_equal(half(AT, AT), posenc.bind(posenc.Alibi(heads=3)).bias(AT))


@pytest.mark.parametrize(
    "through",
    [
        copy.deepcopy,
        lambda enc: pickle.loads(pickle.dumps(enc)),
        lambda enc: jax.tree.map(lambda array: array, enc),
        lambda enc: jax.tree.unflatten(jax.tree.structure(enc), jax.tree.leaves(enc)),
        jax.jit(lambda enc: enc),
        lambda enc: enc.for_length(4).for_length(9),
    ],
    ids=["deepcopy", "pickle", "map", "flatten", "jit", "for_length"],
)
def test_it_comes_back_the_same(through: Any) -> None:
    enc = Encoding(STACK, key=KEY, length=9)
    again = through(enc)
    assert jax.tree.structure(again) == jax.tree.structure(enc)
    assert (again.spec, again.length, again.arithmetic) == (STACK, 9, "exact")
    np.testing.assert_array_equal(again(AT), enc(AT))


def test_its_leaves_are_what_is_learned_under_their_names() -> None:
    (path, table), *others = jax.tree.leaves_with_path(Encoding(STACK, key=KEY))
    assert jax.tree_util.keystr(path) == ".learned['0.table']"
    assert (table.shape, others) == ((90_000, 6), [])
    assert jax.tree.leaves(Encoding(ROPE)) == []
    shapes = jax.tree.map(jnp.shape, Encoding(STACK, key=KEY), is_leaf=lambda leaf: leaf is None)
    assert shapes.learned == {"0.table": (90_000, 6)}  # a tree may hold other things than arrays


def test_structure_is_spec_length_and_arithmetic() -> None:
    due = jax.tree.structure(Encoding(ROPE))
    assert due == jax.tree.structure(Encoding(posenc.Rope(dim=10, layout="half", base=5e5)))
    for other in (
        Encoding(ROPE, length=9),
        Encoding(ROPE, arithmetic="float32"),
        Encoding(posenc.Rope(dim=10, layout="half")),
    ):
        assert jax.tree.structure(other) != due


def test_arrays_come_from_the_key_wherever_it_is_traced() -> None:
    spec = posenc.Learned(rows=64, dim=64)
    due = Encoding(spec, key=KEY).learned["table"]
    assert float(due.std()) == pytest.approx(0.02, rel=0.05)
    assert not jnp.array_equal(due, Encoding(spec, key=jax.random.key(8)).learned["table"])

    def draw(key: jax.Array) -> Encoding:
        return Encoding(spec, key=key)

    np.testing.assert_array_equal(jax.jit(draw)(KEY).learned["table"], due)
    many = jax.vmap(draw)(jnp.stack([jax.random.key(8), KEY]))
    np.testing.assert_array_equal(many.learned["table"][1], due)
    np.testing.assert_array_equal(jax.vmap(lambda enc: enc(AT[:2]))(many)[1], due[PLACES[:2]])
    shape = jax.eval_shape(draw, KEY).learned["table"]
    assert (shape.shape, shape.dtype) == ((64, 64), jnp.float32)
    given = Encoding(spec, {"table": np.asarray(due)})
    np.testing.assert_array_equal(given(AT[:2]), due[PLACES[:2]])


def test_gradients_of_queries_are_the_turn_back() -> None:
    enc = Encoding(ROPE)
    grad = jax.jit(jax.grad(lambda x: jnp.sum(enc(x, x, AT)[0])))(X)
    due = posenc.bind(ROPE).query(np.ones(X.shape), -PLACES)
    np.testing.assert_allclose(grad, due, atol=2e-6)


def test_gradients_of_a_table_count_its_rows() -> None:
    enc = Encoding(posenc.Learned(rows=50, dim=6, offset=2), key=KEY)
    at = jnp.array([8, 9, 9, 40])
    grads = jax.jit(jax.grad(lambda enc: jnp.sum(enc(at))))(enc)
    assert jax.tree.structure(grads) == jax.tree.structure(enc)
    due = np.zeros((50, 6))
    np.add.at(due, np.asarray(at) + 2, 1.0)
    np.testing.assert_array_equal(grads.learned["table"], due)


def test_vmap_over_tokens_and_over_positions() -> None:
    enc = Encoding(ROPE)
    many = jnp.stack([AT, AT + 3])
    turned = jax.vmap(lambda x, at: enc(x, x, at)[0])(X, many)
    np.testing.assert_array_equal(turned, enc(X, X, many)[0])
    alibi = Encoding(posenc.Alibi(heads=3))
    np.testing.assert_array_equal(jax.vmap(lambda at: alibi(at, at))(many), alibi(many, many))


def test_another_length_is_another_encoding_with_the_same_arrays() -> None:
    rule = posenc.DynamicNtk(factor=4.0, trained_length=64)
    spec = posenc.Stack(
        posenc.Learned(rows=99, dim=6), posenc.Rope(dim=6, layout="half", scaling=rule)
    )
    short = Encoding(spec, key=KEY, length=64)
    long = short.for_length(256)
    x, at = tokens(6), jnp.arange(8, 13)
    assert long.learned["0.table"] is short.learned["0.table"]
    due = posenc.bind(spec.parts[1], length=256).query(x, at)
    np.testing.assert_array_equal(long(x, x, at)[0], due)
    assert not jnp.array_equal(long(x, x, at)[0], short(x, x, at)[0])
    with pytest.raises(EncodingError, match="length must be given for this spec"):
        Encoding(spec, key=KEY)
    with pytest.raises(EncodingError, match="own prepare"):
        long(x, x, short.prepare(at))


def test_prepared_once_for_all_layers() -> None:
    first, second = Encoding(ROPE), Encoding(ROPE)
    placed = jax.jit(lambda enc, at: enc.prepare(at))(first, AT)
    due = posenc.bind(ROPE).query(np.asarray(X), PLACES)
    for enc in (first, second):
        np.testing.assert_allclose(jax.jit(enc)(X, X, placed)[0], due, atol=2e-6)


def test_donated_arrays_are_given_up_and_the_step_goes_on() -> None:
    enc = Encoding(posenc.Learned(rows=64, dim=6), key=KEY)
    before, old = np.array(enc.learned["table"]), enc.learned["table"]
    step = jax.jit(lambda enc: jax.tree.map(lambda array: array + 1, enc), donate_argnums=0)
    enc = step(step(enc))
    assert old.is_deleted()
    np.testing.assert_allclose(enc(AT[:3]), before[PLACES[:3]] + 2, rtol=1e-6)


def test_numpy_positions_are_taken_along_or_refused() -> None:
    """With 64-bit mode off JAX cuts integers short without a word."""
    enc, code = Encoding(posenc.Alibi(heads=3)), Encoding(posenc.Sinusoidal(dim=6))
    np.testing.assert_array_equal(enc(PLACES, PLACES), enc(AT, AT))
    x = posenc.jax.attend(X, X, X, enc, q_positions=enc.prepare(PLACES))
    np.testing.assert_array_equal(x, posenc.jax.attend(X, X, X, enc, q_positions=AT))
    np.testing.assert_array_equal(code(PLACES), code(AT))
    far = PLACES + 2**32
    for call in (lambda: enc(far, far), lambda: enc(AT, far), lambda: code(far),
                 lambda: enc.prepare(AT, far)):  # fmt: skip
        with pytest.raises(EncodingError, match=r"below 2\*\*31 in size"):
            call()


def test_calls_that_it_cannot_answer() -> None:
    with pytest.raises(EncodingError, match="must have the 'embed' hook"):
        Encoding(ROPE)(AT)
    with pytest.raises(EncodingError, match="must have the 'query' hook"):
        Encoding(posenc.Alibi(heads=3))(X, X, AT)
    with pytest.raises(EncodingError, match="dtype must be left out but for a code"):
        Encoding(posenc.Alibi(heads=3))(AT, AT, dtype=jnp.float16)
    with pytest.raises(EncodingError, match=r"k_positions must be left out; .* holds both sides"):
        Encoding(ROPE)(X, X, Encoding(ROPE).prepare(AT), AT)
    with pytest.raises(EncodingError, match="a spec to take arrays or a length"):
        posenc.jax.attend(X, X, X, Encoding(ROPE), q_positions=AT, length=9)


def test_constructions_that_are_refused() -> None:
    learned = posenc.Learned(rows=9, dim=6)
    with pytest.raises(EncodingTypeError, match="spec must be a spec"):
        Encoding("rope")
    with pytest.raises(EncodingError, match="Encoding: key must be given to draw table; got None"):
        Encoding(learned)
    with pytest.raises(EncodingTypeError, match="Encoding: key must be a JAX key; got 0"):
        Encoding(learned, key=0)
    with pytest.raises(EncodingError, match=r"of shape \(9, 6\)"):
        Encoding(learned, {"table": jnp.zeros((6, 9))})
    with pytest.raises(EncodingError, match="key must be left out beside learned"):
        Encoding(learned, {"table": jnp.zeros((9, 6))}, key=KEY)
