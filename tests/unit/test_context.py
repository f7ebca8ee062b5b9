"""Remapped distances against a score for each pair alone, and what CoPE counts."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError

ROPE = posenc.Rope(dim=6, layout="half", base=500.0)
INNER = {
    "half": ROPE,
    "interleaved": posenc.Rope(dim=10, layout="interleaved"),
    "back": posenc.Rope(dim=4, head_dim=10, at="back", layout="half"),
    "yarn": posenc.Rope(dim=6, layout="half", scaling=posenc.Yarn(factor=4.0, trained_length=512)),
}
NEAR = (8, 13, 23, 24, 41), (3, 8, 9, 25, 40, 41, 42)
FAR = (70_001, 70_020, 1_000_000), (0, 69_985, 69_986, 70_001, 70_020, 999_984, 999_985)


def self_extend(q: int, k: int) -> float:
    return q - k if q - k < 16 else q // 5 + 16 - 3 - k // 5


def dual_chunk(q: int, k: int) -> float:
    apart = q // 11 - k // 11
    if apart <= 0:
        return q % 11 - k % 11
    return (min(q % 11 + 11, 16) if apart == 1 else 16) - k % 11


SPECS: dict[str, tuple[Callable[[posenc.Rope], posenc.specs.Spec], Callable[[int, int], float]]] = {
    "selfextend": (lambda r: posenc.SelfExtend(rope=r, group=5, window=16), self_extend),
    "rerope": (lambda r: posenc.ReRope(rope=r, window=16), lambda q, k: min(q - k, 16)),
    "rerope-leaky": (
        lambda r: posenc.ReRope(rope=r, window=16, factor=7),
        lambda q, k: q - k if q - k < 16 else 16 + (q - k - 16) / 7,
    ),
    "dual-chunk": (lambda r: posenc.DualChunk(rope=r, chunk=16, local=5), dual_chunk),
}


def one_score(rope: posenc.Rope, q: np.ndarray, k: np.ndarray, distance: float) -> float:
    """`sum Re(q conj(k) e^(i w distance))` over pairs, and the plain product of other channels."""
    start = len(q) - rope.dim if rope.at == "back" else 0
    a, b = (x[start : start + rope.dim] for x in (q, k))
    if rope.layout == "half":
        a, b = (x.reshape(2, -1).T.ravel() for x in (a, b))
    pairs = (a[0::2] + 1j * a[1::2]) * np.conj(b[0::2] + 1j * b[1::2])
    still = q @ k - q[start : start + rope.dim] @ k[start : start + rope.dim]
    return float((pairs * np.exp(1j * rope.frequencies() * distance)).real.sum() + still)


@pytest.mark.parametrize("places", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("name", SPECS)
def test_each_pair_has_the_score_of_its_distance(
    name: str, inner: str, places: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    make, distance = SPECS[name]
    rope = INNER[inner]
    drawn = np.random.default_rng(0)
    dim = rope.head_dim or rope.dim
    q = drawn.normal(size=(2, 4, len(places[0]), dim))
    k = drawn.normal(size=(2, 2, len(places[1]), dim))  # two query heads share a key head
    due = [
        [
            [[one_score(rope, x, y, distance(m, n)) for n, y in zip(places[1], keys, strict=True)]
             for m, x in zip(places[0], queries, strict=True)]
            for queries, keys in zip(row_q, np.repeat(row_k, 2, axis=0), strict=True)
        ]
        for row_q, row_k in zip(q, k, strict=True)
    ]  # fmt: skip
    scheme = posenc.bind(make(rope))
    got = scheme.adjust(np.full_like(due, np.nan), q, k, *map(np.array, places))
    np.testing.assert_allclose(got, due, atol=1e-10 if places is FAR else 1e-13)


@pytest.mark.parametrize("name", SPECS)
def test_attention_with_shared_key_heads_is_that_with_repeated_ones(name: str) -> None:
    spec = SPECS[name][0](ROPE)
    drawn = np.random.default_rng(1)
    q, k, v = (drawn.normal(size=(2, h, 40, 6)).astype(np.float32) for h in (6, 2, 2))
    options = {"q_positions": np.arange(8, 48), "causal": True}
    shared = posenc.attend(q, k, v, spec, **options)
    repeated = posenc.attend(q, *(np.repeat(x, 3, axis=1) for x in (k, v)), spec, **options)
    np.testing.assert_allclose(shared, repeated, atol=1e-6)


@pytest.mark.parametrize("name", SPECS)
def test_within_the_window_it_is_the_rope(name: str) -> None:
    x = np.random.default_rng(2).normal(size=(3, 3, 11, 6)).astype(np.float32)
    at = np.arange(70_004, 70_015)  # one chunk of eleven
    got = posenc.attend(x, x, x, SPECS[name][0](ROPE), q_positions=at, causal=True)
    due = posenc.attend(x, x, x, ROPE, q_positions=at, causal=True)
    assert at[0] % 11 == 0
    np.testing.assert_allclose(got, due, atol=2e-6)


def test_the_attention_factor_of_the_rope_is_kept() -> None:
    x = np.random.default_rng(3).normal(size=(1, 3, 9, 6)).astype(np.float32)
    rope, at = INNER["yarn"], np.arange(8, 17)
    assert rope.attention_factor() > 1.1
    due = posenc.attend(x, x, x, rope, q_positions=at)
    got = posenc.attend(x, x, x, posenc.SelfExtend(rope=rope), q_positions=at)
    np.testing.assert_allclose(got, due, atol=2e-6)


def test_the_authors_log_n_is_stacked_with_it() -> None:
    drawn = np.random.default_rng(5)
    q, k, v = drawn.normal(size=(3, 1, 2, 40, 6))
    at = np.arange(30, 70)
    spec = posenc.ReRope(rope=ROPE, window=16)
    stack = posenc.Stack(spec, posenc.Temperature(rule="log", trained_length=50))
    louder = q * np.maximum(np.log(at + 1) / np.log(50), 1)[:, None]
    due = posenc.attend(louder, k, v, spec, q_positions=at, causal=True)
    got = posenc.attend(q, k, v, stack, q_positions=at, causal=True)
    np.testing.assert_allclose(got, due, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: posenc.ReRope(
                rope=posenc.Rope(dim=6, layout="half", axes=posenc.Sections(sizes=(1, 2)))
            ),
            "ReRope.rope must be of one axis; got 'Sections'. "
            "Of several coordinates there is no one distance.",
        ),
        (
            lambda: posenc.SelfExtend(rope=posenc.NoPE()),
            "SelfExtend.rope must be a rope; got NoPE(). Pass an instance of one of: Rope.",
        ),
        (
            lambda: posenc.DualChunk(rope=ROPE, chunk=8, local=8),
            "DualChunk.local must be below chunk 8; got 8.",
        ),
        (
            lambda: posenc.Cope(dim=2**14, rows=2**15),
            "Cope.rows must be at most 16384 at this width; got 32768.",
        ),
    ],
)
def test_refusals(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(EncodingError) as refused:
        make()
    assert str(refused.value) == sentence


def test_a_nested_rope_is_in_the_json_and_its_schema() -> None:
    from posenc.specs._schema import schema

    spec = posenc.ReRope(rope=INNER["yarn"], factor=8)
    assert spec.to_dict()["rope"]["scaling"]["kind"] == "yarn"
    assert posenc.from_dict(spec.to_dict()) == spec
    inner = schema()["$defs"]["ReRope"]["properties"]["rope"]
    assert "#/$defs/Rope" in str(inner)  # alone, or beside a subclass of a user's


def cope(
    queries: np.ndarray, keys: np.ndarray, *places: np.ndarray, **fields: object
) -> np.ndarray:
    table = np.arange(8.0)[:, None] * np.array([1.0, 0.0])
    spec = posenc.Cope(dim=2, rows=8, **fields)
    adjust = posenc.bind(spec, {"table": table}).adjust
    logits = queries @ np.swapaxes(keys, -1, -2)
    return adjust(logits, queries, keys, *places) - logits


def test_open_gates_count_tokens_and_later_keys_do_not_count() -> None:
    q = np.tile([1.0, 100.0], (1, 2, 1))
    k = np.tile([0.0, 1.0], (1, 5, 1))
    at = np.array([3, 5, 6, 7, 12])
    got = cope(q, k, np.array([6, 20]), at)[0]
    np.testing.assert_allclose(got, [[3, 2, 1, 0, 0], [5, 4, 3, 2, 1]], atol=1e-9)


def test_counts_stop_at_the_last_row() -> None:
    q, k = np.tile([1.0, 100.0], (1, 1, 1)), np.tile([0.0, 1.0], (1, 12, 1))
    got = cope(q, k, np.array([11]), np.arange(12))[0, 0]
    np.testing.assert_allclose(got, [7, 7, 7, 7, 7, 7, 6, 5, 4, 3, 2, 1], atol=1e-9)


def test_packed_texts_are_refused_and_nan_where_they_cannot_be_seen() -> None:
    import jax
    import jax.numpy as jnp

    q, k = np.ones((1, 1, 2)), np.ones((1, 3, 2))
    with pytest.raises(EncodingError) as refused:
        cope(q, k, np.array([4]), np.array([0, 1, 0]))
    assert str(refused.value) == (
        "adjust(): k_positions must be of one text in each row; "
        "got 'some that go back and come twice'. Counts would go on from one text into the next."
    )
    scheme = posenc.bind(posenc.Cope(dim=2, rows=8), xp="jax")
    x, y = jnp.ones((1, 1, 2)), jnp.ones((1, 3, 2))
    adjust = jax.jit(scheme.adjust)
    assert jnp.isnan(adjust(x @ y.mT, x, y, jnp.array([4]), jnp.array([0, 1, 0]))).all()
    assert jnp.isfinite(adjust(x @ y.mT, x, y, jnp.array([4]), jnp.array([0, 0, 1]))).all()


def test_keys_may_come_in_any_order() -> None:
    drawn = np.random.default_rng(6)
    q, k = drawn.normal(size=(1, 3, 2)), drawn.normal(size=(1, 5, 2))
    at, order = np.array([2, 3, 7, 8, 11]), np.array([3, 0, 4, 1, 2])
    plain = cope(q, k, np.array([7, 8, 20]), at)
    got = cope(q, k[:, order], np.array([7, 8, 20]), at[order])
    np.testing.assert_allclose(got, plain[..., order], atol=1e-12)


def test_left_pads_do_not_count() -> None:
    drawn = np.random.default_rng(4)
    q, k = drawn.normal(size=(1, 3, 2)), drawn.normal(size=(1, 3, 2))
    padded_k = np.concatenate([drawn.normal(size=(1, 2, 2)), k], axis=1)
    padded = posenc.positions.from_mask(np.array([0, 0, 1, 1, 1])).positions
    alone = cope(q, k, np.arange(3), np.arange(3))
    got = cope(q, padded_k, np.arange(3), padded)[..., 2:]
    np.testing.assert_allclose(got, alone, atol=1e-12)


def test_each_head_may_have_a_table() -> None:
    spec = posenc.Cope(dim=2, rows=3, heads=2)
    assert spec.learned() == {"table": (2, 3, 2)}
    x = np.ones((2, 4, 2))
    tables = np.stack([np.zeros((3, 2)), np.ones((3, 2))])
    got = posenc.bind(spec, {"table": tables}).adjust(
        x @ np.swapaxes(x, -1, -2), x, x, np.arange(4)
    )
    np.testing.assert_allclose(got, [np.full((4, 4), 2.0), np.full((4, 4), 4.0)])
    with pytest.raises(EncodingError, match=r"Cope: q must be of 2 heads, a table each; got 3"):
        posenc.bind(spec).adjust(np.ones((3, 4, 4)), *[np.ones((3, 4, 2))] * 2, np.arange(4))


def test_the_defaults_are_those_of_the_authors() -> None:
    fields = {n: p.default for n, p in inspect.signature(posenc.SelfExtend).parameters.items()}
    assert (fields["group"], fields["window"]) == (8, 1024)
    assert posenc.ReRope(rope=ROPE).window == 512
    assert not posenc.Cope(dim=4).init(np.random.default_rng(0))["table"].any()
