"""Vectors of distances: the traps that laws and golden numbers do not show."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc import Deberta, Decomposed, EncodingError, Shaw, Stack, T5Bias, TransformerXL, Tupe

RNG = np.random.default_rng(0)
BATCH, HEADS, DIM = 2, 3, 6


def tokens(count: int, heads: int = HEADS) -> np.ndarray:
    return RNG.normal(size=(BATCH, heads, count, DIM))


def drawn(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def test_skewing_reads_what_numbers_read() -> None:
    """The Music Transformer pads a column on the left, reshapes and drops a row."""
    n = 7
    table, q = drawn(HEADS, n, DIM), tokens(n)
    padded = np.pad(q @ table.swapaxes(-1, -2), [(0, 0)] * 3 + [(1, 0)])
    skewed = padded.reshape(BATCH, HEADS, n + 1, n)[:, :, 1:]
    spec = posenc.encodings()["music-transformer"].make(dim=DIM, heads=HEADS, length=n)
    none, at = np.zeros((BATCH, HEADS, n, n)), np.arange(70_001, 70_001 + n)
    ours = posenc.bind(spec, {"table": table}).adjust(none, q, tokens(n), at)
    seen = np.tri(n, dtype=bool)
    np.testing.assert_allclose(ours[..., seen], skewed[..., seen], atol=1e-12)
    assert np.abs(ours - skewed)[..., ~seen].min() > 1e-6  # garbage, which a mask has to hide


def test_the_shift_of_conformers_needs_descending_rows_of_both_directions() -> None:
    n = 5
    spec = posenc.encodings()["conformer"].make(dim=DIM, heads=HEADS, length=n)
    assert spec.distances().tolist() == [4, 3, 2, 1, 0, -1, -2, -3, -4]
    table, q = drawn(HEADS, 2 * n - 1, DIM), tokens(n)
    nothing = np.zeros((HEADS, DIM))
    none, at = np.zeros((BATCH, HEADS, n, n)), np.arange(8, 8 + n)

    def shifted(rows: np.ndarray) -> np.ndarray:
        padded = np.pad(q @ rows.swapaxes(-1, -2), [(0, 0)] * 3 + [(1, 0)])
        moved = padded.reshape(BATCH, HEADS, 2 * n, n)[:, :, 1:]
        return moved.reshape(BATCH, HEADS, n, 2 * n - 1)[..., :n]

    scheme = posenc.bind(spec, {"u": nothing, "v": nothing, "table": table})
    ours = scheme.adjust(none, q, tokens(n), at)
    np.testing.assert_allclose(ours, shifted(table), atol=1e-12)
    assert np.abs(ours - shifted(table[:, ::-1])).max() > 1


@pytest.mark.parametrize("both", [False, True])
def test_relative_keys_of_bert(both: bool) -> None:
    """transformers 4 read row query - key + length - 1, and added keys to be met as well."""
    n = 9
    name = "bert-relative-key-query" if both else "bert-relative-key"
    spec = posenc.encodings()[name].make(dim=DIM, length=n)
    table, q, k, v = drawn(2 * n - 1, DIM), tokens(n), tokens(n), tokens(n)
    each = table[np.arange(n)[:, None] - np.arange(n) + n - 1]
    logits = q @ k.swapaxes(-1, -2) + np.einsum("bhld,lrd->bhlr", q, each)
    logits = logits + both * np.einsum("bhrd,lrd->bhlr", k, each)
    weights = np.exp(logits / DIM**0.5)
    due = weights / weights.sum(-1, keepdims=True) @ v
    ours = posenc.attend(q, k, v, spec, q_positions=np.arange(n), arrays={"table": table})
    np.testing.assert_allclose(ours, due, atol=1e-12)


def test_one_order_is_the_other_backwards() -> None:
    table, q, k = drawn(6, DIM), tokens(5), tokens(4)
    at, none = (np.arange(5), np.arange(3, 7)), np.zeros((BATCH, HEADS, 5, 4))
    forth = posenc.bind(Shaw(head_dim=DIM, left=3, right=2), {"table": table})
    back = posenc.bind(
        Shaw(head_dim=DIM, left=3, right=2, order="query-key"), {"table": table[::-1]}
    )
    np.testing.assert_array_equal(forth.adjust(none, q, k, *at), back.adjust(none, q, k, *at))


def test_clamp_len_is_a_clipped_table() -> None:
    """Transformer-XL clamps the distance before the code: rows beyond are the row at its end."""
    far = TransformerXL(heads=1, head_dim=DIM, left=9, right=0)
    near = TransformerXL(heads=1, head_dim=DIM, left=4, right=0, clip=True)
    code = posenc.bind(posenc.Sinusoidal(dim=DIM, layout="half"))
    bias = {"u": drawn(1, DIM), "v": drawn(1, DIM)}
    clamped = code.embed(np.minimum(far.distances(), 4), dtype="float64")
    q, k, at = tokens(10, 1), tokens(10, 1), np.arange(10)
    whole, cut = (
        posenc.bind(spec, {**bias, "table": table[None]}).adjust(q @ k.swapaxes(-1, -2), q, k, at)
        for spec, table in (
            (far, clamped),
            (near, code.embed(near.distances(), dtype="float64")),
        )
    )
    np.testing.assert_allclose(whole, cut, atol=1e-12)


def test_the_scale_of_deberta_counts_its_terms() -> None:
    for c2p, p2c, due in ((True, True, 3**-0.5), (True, False, 2**-0.5), (False, True, 2**-0.5)):
        spec = Deberta(heads=1, head_dim=DIM, span=4, c2p=c2p, p2c=p2c)
        assert posenc.bind(spec).logit_scale(np.arange(3)) == due


def test_the_buckets_of_deberta_do_not_know_the_length() -> None:
    """128 tokens under a limit of 512: the logarithm runs to 511 (B153)."""
    spec = posenc.encodings()["deberta-v2"].make(dim=1, heads=1, length=128)
    assert spec.max_distance == 512
    assert not spec.needs_length
    bucket = spec.constants(length=128)["bucket"]
    np.testing.assert_array_equal(bucket, spec.constants(length=100_000)["bucket"])
    assert bucket[[127, 128, 129, 200, 256, 511, 512]].tolist() == [
        127,
        128,
        129,
        169,
        192,
        255,
        256,
    ]


def test_tupe_unties_the_first_position() -> None:
    spec = Tupe(heads=HEADS, head_dim=DIM, rows=8)
    arrays = {"queries": drawn(HEADS, 8, DIM), "keys": drawn(HEADS, 8, DIM), "cls": drawn(2, HEADS)}
    scheme = posenc.bind(spec, arrays)
    none, at = np.zeros((BATCH, HEADS, 4, 3)), (np.array([0, 1, 5, 7]), np.array([3, 0, 6]))
    got = scheme.adjust(none, tokens(4), tokens(3), *at) * DIM**-0.5 * scheme.logit_scale(at[0])
    apart = np.einsum("hmd,hnd->hmn", arrays["queries"], arrays["keys"]) / (2 * DIM) ** 0.5
    due = apart[:, at[0]][:, :, at[1]]
    due[:, 1:, 1] = arrays["cls"][1][:, None]
    due[:, 0] = arrays["cls"][0][:, None]
    np.testing.assert_allclose(got, np.broadcast_to(due, got.shape), atol=1e-12)


def test_the_query_of_a_grid_is_not_scaled() -> None:
    q, at = tokens(6), posenc.positions.grid(h=2, w=3, order="hw")
    tables = {"axis0": drawn(3, DIM), "axis1": drawn(5, DIM)}
    spec = Decomposed(head_dim=DIM, sizes=(2, 3))
    none = np.zeros((BATCH, HEADS, 6, 6))
    got = posenc.bind(spec, tables).adjust(none, q, q, at) * DIM**-0.5
    rows = tables["axis0"][at[:, None, 0] - at[:, 0] + 1]
    rows = rows + tables["axis1"][at[:, None, 1] - at[:, 1] + 2]
    np.testing.assert_allclose(got, np.einsum("bhqd,qkd->bhqk", q, rows), atol=1e-12)


SPECS = {
    "shaw": Shaw(head_dim=DIM, left=3, right=2, heads=6, keys=True),
    "transformer-xl": TransformerXL(heads=6, head_dim=DIM, left=60, right=60),
    "deberta": Deberta(heads=6, head_dim=DIM, span=8, max_distance=20),
    "tupe": Tupe(heads=6, head_dim=DIM, rows=64),
}
each = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)


@each
def test_keys_of_fewer_heads_are_shared_evenly(spec: posenc.specs.Spec) -> None:
    """Heads 0 to 2 of q have key head 0, heads 3 to 5 key head 1."""
    q, k = tokens(5, 6), tokens(7, 2)
    at = {"q_positions": np.arange(20, 25), "k_positions": np.arange(18, 25)}
    arrays = {n: drawn(*shape) for n, shape in spec.learned().items()}
    shared = posenc.attend(q, k, k, spec, arrays=arrays, **at)
    repeated = np.repeat(k, 3, axis=1)
    whole = posenc.attend(q, repeated, repeated, spec, arrays=arrays, **at)
    np.testing.assert_allclose(shared, whole, atol=1e-12)


@each
def test_the_same_seed_draws_the_same_finite_numbers(spec: posenc.specs.Spec) -> None:
    first, again = (spec.init(np.random.default_rng(7)) for _ in range(2))
    other = spec.init(np.random.default_rng(8))
    for name, shape in spec.learned().items():
        assert first[name].shape == shape
        assert first[name].dtype == np.float32
        assert np.isfinite(first[name]).all()
        assert first[name].any()
        np.testing.assert_array_equal(first[name], again[name])
        assert (first[name] != other[name]).any()


@each
def test_gradients_reach_every_array(spec: posenc.specs.Spec) -> None:
    torch.manual_seed(0)
    q, k = torch.randn(1, 6, 5, DIM, requires_grad=True), torch.randn(1, 2, 5, DIM)
    k.requires_grad_()
    enc = posenc.torch.Encoding(spec).double()
    at = torch.tensor([0, 1, 4, 9, 30])

    def run(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        return posenc.torch.attend(q, k, k, enc, q_positions=at, causal=True)

    run(q, k).square().sum().backward()
    for name, parameter in enc.named_parameters():
        assert parameter.grad is not None, name
        assert torch.isfinite(parameter.grad).all(), name
        assert parameter.grad.any(), name
    assert torch.autograd.gradcheck(
        run, (q.detach().double().requires_grad_(), k.double()), fast_mode=True
    )


@pytest.mark.parametrize("far", [1_000_000, 2**31 - 40])
def test_distances_are_exact_far_out(far: int) -> None:
    """In 64 bits, and in JAX as it comes, whose 32 bits hold the position but not the sum."""
    spec, arrays = Shaw(head_dim=1, left=3, right=2), {"table": np.arange(6.0)[:, None]}
    q_at, k_at = np.array([far, -far, 5]), np.array([far - 2, far + 1, -far, -far + 9, 0])
    due = np.clip(k_at - q_at[:, None], -3, 2) + 3.0
    for xp, integer in ((np, np.int64), (jnp, jnp.int32)):
        one, none = xp.ones((1, 3, 1)), xp.zeros((1, 3, 5))
        keys = xp.ones((1, 5, 1))
        at = (xp.asarray(p, dtype=integer) for p in (q_at, k_at))
        scheme = posenc.bind(spec, {n: xp.asarray(a, dtype=one.dtype) for n, a in arrays.items()})
        np.testing.assert_array_equal(scheme.adjust(none, one, keys, *at)[0], due)


def test_where_distances_cannot_be_seen_there_is_no_row() -> None:
    spec = TransformerXL(heads=1, head_dim=2, left=4, right=1)
    scheme = posenc.bind(spec, xp="jax")
    x, at = jnp.ones((1, 3, 2)), jnp.asarray([0, 4, 9])
    got = np.asarray(jax.jit(scheme.adjust)(jnp.zeros((1, 3, 3)), x, x, at))
    np.testing.assert_array_equal(np.isnan(got[0]), [[0, 1, 1], [0, 0, 1], [1, 1, 0]])


def test_a_stack_with_a_bias() -> None:
    """TUPE with T5's bias beside it: each part answers as it does alone."""
    both = Stack(Tupe(heads=HEADS, head_dim=DIM, rows=16), T5Bias(heads=HEADS, bidirectional=True))
    arrays = {n: drawn(*shape) for n, shape in both.learned().items()}
    q, at = tokens(5), np.arange(3, 8)
    joint = posenc.bind(both, arrays)
    tupe = posenc.bind(both.parts[0], {n: arrays[f"0.{n}"] for n in both.parts[0].learned()})
    due = tupe.adjust(np.zeros((BATCH, HEADS, 5, 5)), q, q, at)
    placed = joint.prepare(at)
    got = joint.adjust(np.zeros((BATCH, HEADS, 5, 5)), q, q, placed)
    np.testing.assert_array_equal(got, due)
    assert joint.bias(placed).shape == (HEADS, 5, 5)


X = np.ones((1, HEADS, 5, DIM))
AT = np.arange(5)
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "too far back": (
        lambda: posenc.attend(
            X, X, X, TransformerXL(heads=HEADS, head_dim=DIM, left=2, right=3), q_positions=AT,
            arrays=TransformerXL(heads=HEADS, head_dim=DIM, left=2, right=3).init(RNG),
        ),
        "TransformerXL: distances must be at most 2 back and 3 ahead, as its table has rows; got "
        "'4 back and 4 ahead'. Make the table longer.",
    ),
    "off the grid": (
        lambda: posenc.bind(Decomposed(head_dim=DIM, sizes=(2, 4))).adjust(
            np.ones((HEADS, 2, 2)), X[0, :, :2], X[0, :, :2], np.array([[0, 0], [2, 1]])
        ),
        "Decomposed: distances must be at most 1 back and 1 ahead, as its table has rows; got "
        "'2 back and 2 ahead'. Make the table longer.",
    ),
    "past the rows": (
        lambda: posenc.bind(Tupe(heads=HEADS, head_dim=DIM, rows=4)).adjust(
            np.ones((HEADS, 5, 5)), X[0], X[0], AT
        ),
        "Tupe: positions must be between 0 and 3, the rows of the table; got '0..4'. There is "
        "nothing for 4: use more rows, or an encoding given by a formula.",
    ),
    "another width": (
        lambda: posenc.bind(Shaw(head_dim=4, left=1, right=1)).adjust(
            np.ones((HEADS, 5, 5)), X[0], X[0], AT
        ),
        "Shaw: q and k must be of 4 channels a head; got ((3, 5, 6), (3, 5, 6)).",
    ),
    "other heads": (
        lambda: posenc.bind(Deberta(heads=2, head_dim=DIM, span=4)).adjust(
            np.ones((HEADS, 5, 5)), X[0], X[0], AT
        ),
        "Deberta: logits must be for 2 heads; got (3, 5, 5).",
    ),
    "real positions": (
        lambda: posenc.bind(Shaw(head_dim=DIM, left=1, right=1)).adjust(
            np.ones((HEADS, 5, 5)), X[0], X[0], AT + 0.5
        ),
        "adjust(): q_positions must be integers for this encoding; got 'float64'. It counts "
        "tokens; round real positions yourself if that is what they mean.",
    ),
    "no term": (
        lambda: Deberta(heads=1, head_dim=DIM, span=4, c2p=False, p2c=False),
        "Deberta.c2p or p2c must be True; got (False, False).",
    ),
    "an odd span": (
        lambda: Deberta(heads=1, head_dim=DIM, span=5, max_distance=20),
        "Deberta.span must be even and from 4 to 1024; got 5. Half of it is for near distances, "
        "half for buckets.",
    ),
    "a near limit": (
        lambda: Deberta(heads=1, head_dim=DIM, span=8, max_distance=5),
        "Deberta.max_distance must be at least 6; got 5. Nearer distances have a row each.",
    ),
    "one axis": (
        lambda: Decomposed(head_dim=DIM, sizes=(5,)),
        "Decomposed.sizes must be of 2 to 8 numbers; got 1.",
    ),
    "too much": (
        lambda: Shaw(head_dim=1024, left=2**20, right=2**20),
        "Shaw must be of at most 268435456 learned numbers; got 2147484672.",
    ),
    "two that adjust": (
        lambda: Stack(Shaw(head_dim=DIM, left=1, right=1), posenc.Rope(dim=DIM, layout="half")),
        "Stack must be given at most one part that turns queries and keys; got 2.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    call, message = REFUSED[name]
    with pytest.raises(EncodingError) as caught:
        call()
    assert str(caught.value) == message
