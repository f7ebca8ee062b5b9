"""Step by step as in one pass: one trace of ``scan`` for all steps."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import posenc
from posenc.jax import Encoding, attend

HEADS, DIM, TOKENS, START = 3, 10, 7, 70_001
SPECS = {
    "rope": posenc.Rope(dim=DIM, layout="interleaved"),
    "alibi": posenc.Alibi(heads=HEADS),
    "t5": posenc.T5Bias(heads=HEADS, bidirectional=False, buckets=8, max_distance=6),
    "learned+alibi": posenc.Stack(
        posenc.Learned(rows=START + TOKENS, dim=HEADS * DIM), posenc.Alibi(heads=HEADS)
    ),
}


def projected(enc: Encoding, x: jax.Array, w: jax.Array, at: jax.Array) -> list[jax.Array]:
    """q, k and v of tokens ``(batch, n, heads * dim)``, each ``(batch, heads, n, dim)``."""
    if enc.scheme().embed:
        x = x + enc(at)
    parts = (x @ w).reshape(*x.shape[:-1], 3, HEADS, DIM)
    return list(jnp.moveaxis(parts, (2, 3), (0, 2)))


@pytest.mark.parametrize("name", SPECS)
def test_decoding_equals_the_full_pass(name: str) -> None:
    spec = SPECS[name]
    enc = Encoding(spec, key=jax.random.key(0))
    enc = jax.tree.map(lambda array: 50 * array, enc)  # as large as what it is added to
    x = jax.random.normal(jax.random.key(1), (2, TOKENS, HEADS * DIM))
    w = 0.3 * jax.random.normal(jax.random.key(2), (HEADS * DIM, 3 * HEADS * DIM))
    places = START + jnp.arange(TOKENS)

    @jax.jit
    def full(enc: Encoding, x: jax.Array) -> jax.Array:
        q, k, v = projected(enc, x, w, places)
        return attend(q, k, v, enc, q_positions=places, causal=True)

    traces = []

    @jax.jit
    def decoded(enc: Encoding, x: jax.Array) -> jax.Array:
        def step(cache, now):
            traces.append(now)
            i, token = now
            at = places[i][None]
            q, k, v = projected(enc, token[:, None], w, at)
            keys, values = (c.at[:, :, i].set(new[:, :, 0])
                            for c, new in zip(cache, (k, v), strict=True))  # fmt: skip
            filled = jnp.arange(TOKENS) <= i
            y = attend(q, keys, values, enc, q_positions=at, k_positions=places, mask=filled)
            return (keys, values), y[:, :, 0]

        empty = jnp.zeros((2, HEADS, TOKENS, DIM))
        steps = (jnp.arange(TOKENS), jnp.moveaxis(x, 1, 0))
        return jnp.moveaxis(jax.lax.scan(step, (empty, empty), steps)[1], 0, 2)

    due = full(enc, x)
    np.testing.assert_allclose(decoded(enc, x), due, atol=1e-5)
    assert len(traces) == 1
    blind = attend(*projected(Encoding(posenc.NoPE()), x, w, places), posenc.NoPE(), causal=True)
    assert float(jnp.max(jnp.abs(due - blind))) > 1e-2  # the encoding has its part in it
