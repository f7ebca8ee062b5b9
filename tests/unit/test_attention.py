"""The reference attention against a loop that anyone can read."""

from __future__ import annotations

import math

import numpy as np
import pytest

import posenc
from posenc.scheme import Scheme

RNG = np.random.default_rng(5)


def looped(q, k, v, *, scale, logits=None, allowed=None):
    """One query, one key at a time; no broadcasting, no library code."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    batch, heads, n, _ = q.shape
    for b in range(batch):
        for h in range(heads):
            kh = h * k.shape[1] // heads
            for i in range(n):
                scores = []
                for j in range(k.shape[2]):
                    if allowed is not None and not allowed[i][j]:
                        continue
                    s = math.fsum(q[b, h, i] * k[b, kh, j]) * scale
                    scores.append((s + (logits[h][i][j] if logits is not None else 0), j))
                if not scores:
                    continue
                top = max(s for s, _ in scores)
                weights = [(math.exp(s - top), j) for s, j in scores]
                total = sum(w for w, _ in weights)
                for w, j in weights:
                    out[b, h, i] += w / total * v[b, kh, j]
    return out


@pytest.fixture
def qkv():
    q = RNG.normal(size=(2, 6, 5, 8))
    k = RNG.normal(size=(2, 3, 7, 8))
    v = RNG.normal(size=(2, 3, 7, 4))
    return q, k, v


def test_grouped_queries_shorter_than_keys(qkv) -> None:
    y = posenc.attend(*qkv, posenc.NoPE())
    np.testing.assert_allclose(y, looped(*qkv, scale=8**-0.5), atol=1e-12)


def test_causal_lets_the_last_query_see_the_last_key(qkv) -> None:
    allowed = [[j <= i + 2 for j in range(7)] for i in range(5)]
    y = posenc.attend(*qkv, posenc.NoPE(), causal=True)
    np.testing.assert_allclose(y, looped(*qkv, scale=8**-0.5, allowed=allowed), atol=1e-12)


def test_window_counts_indices(qkv) -> None:
    allowed = [[0 <= i + 2 - j < 2 for j in range(7)] for i in range(5)]
    y = posenc.attend(*qkv, posenc.NoPE(), causal=True, window=2)
    np.testing.assert_allclose(y, looped(*qkv, scale=8**-0.5, allowed=allowed), atol=1e-12)


def test_a_query_that_sees_nothing_gets_zeros(qkv) -> None:
    mask = np.ones((5, 7), bool)
    mask[3] = False
    y = posenc.attend(*qkv, posenc.NoPE(), mask=mask)
    assert (y[:, :, 3] == 0).all()
    assert np.isfinite(y).all()


def test_bias_is_never_scaled(qkv) -> None:
    alibi = posenc.Alibi(heads=6, slopes=[0.5, 0.25, 0.125, 1, 2, 3])
    q_pos, k_pos = np.arange(20, 25), np.arange(18, 25)
    bias = -np.array(alibi.slopes)[:, None, None] * (q_pos[:, None] - k_pos[None, :])
    y = posenc.attend(*qkv, alibi, q_positions=q_pos, k_positions=k_pos, scale=0.3)
    np.testing.assert_allclose(y, looped(*qkv, scale=0.3, logits=bias), atol=1e-12)


def test_attention_factor_enters_logits_squared(qkv) -> None:
    yarn = posenc.Yarn(factor=4, trained_length=4096, attention_factor=1.5)
    rope = posenc.Rope(dim=8, layout="half", scaling=yarn)
    bare = posenc.Rope(
        dim=8,
        layout="half",
        scaling=posenc.Yarn(factor=4, trained_length=4096, attention_factor=1.0),
    )
    p = {"q_positions": np.arange(5), "k_positions": np.arange(7)}
    whole = posenc.attend(*qkv, rope, **p)
    np.testing.assert_allclose(
        whole, posenc.attend(*qkv, bare, scale=8**-0.5 * 1.5**2, **p), atol=1e-12
    )


def test_attention_factor_of_a_part_scales_that_part() -> None:
    yarn = posenc.Yarn(factor=4, trained_length=4096, attention_factor=1.5)
    rope = posenc.Rope(dim=4, head_dim=8, layout="half", scaling=yarn)
    x = RNG.normal(size=(1, 5, 8))
    y = posenc.bind(rope).query(x, np.arange(8, 13))
    np.testing.assert_array_equal(y[..., 4:], x[..., 4:])
    sizes = np.linalg.norm(y[..., :4], axis=-1) / np.linalg.norm(x[..., :4], axis=-1)
    np.testing.assert_allclose(sizes, 1.5, atol=1e-12)
    assert posenc.bind(rope).logit_scale is None


def test_placed_stands_in_for_positions(qkv) -> None:
    rope = posenc.Rope(dim=8, layout="interleaved")
    scheme = posenc.bind(rope)
    q_pos, k_pos = np.arange(2, 7), np.arange(7)
    placed = scheme.prepare(q_pos, k_pos, float64=True)
    np.testing.assert_array_equal(
        posenc.attend(*qkv, scheme, q_positions=placed),
        posenc.attend(*qkv, rope, q_positions=q_pos, k_positions=k_pos),
    )


@pytest.mark.parametrize("shape", [(1, 2, 0, 8), (0, 2, 3, 8)])
def test_empty(shape) -> None:
    x = np.zeros(shape, np.float32)
    rope = posenc.Rope(dim=8, layout="half")
    assert posenc.attend(x, x, x, rope, q_positions=np.arange(shape[-2])).shape == shape


def test_adjust_sees_queries_as_given() -> None:
    seen = {}

    def adjust(logits, q, k, q_positions, k_positions=None):
        seen["q"] = q
        return logits * 0

    scheme = Scheme(prepare=lambda q, k=None, **_: posenc.Placed(q, k, None, None), adjust=adjust)
    q = RNG.normal(size=(2, 3, 4))
    y = posenc.attend(q, q, q, scheme, q_positions=np.arange(3))
    assert seen["q"] is q
    np.testing.assert_allclose(y, np.broadcast_to(q.mean(-2, keepdims=True), q.shape), atol=1e-12)
