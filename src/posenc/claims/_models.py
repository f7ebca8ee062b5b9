"""The smallest models that the claims speak of: an attention layer, norms, words as vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posenc._facade import bind
from posenc.attention import attend
from posenc.claims._codes import Matrix
from posenc.specs import Spec
from posenc.specs._none import NoPE

WORDS = ("猫", "咬", "狗")
"""Cat bites dog: the words whose vectors are the rows of ``X``."""

X: Matrix = np.array([[0.2, -0.1, 0.5, 0.1], [0.9, 0.3, -0.2, 0.4], [-0.3, 0.6, 0.2, -0.5]])
"""Three words in four channels, small enough to be checked by hand."""


def projections(dim: int = 4) -> Matrix:
    """W_q, W_k and W_v of the example, ``(3, dim, dim)``."""
    rng = np.random.RandomState(7)  # the draws that the printed numbers come from
    return rng.randn(3, dim, dim) * 0.5


def word_vectors(words: Sequence[str], dim: int = 8) -> Matrix:
    """A vector per word, drawn from the word itself: equal words get equal vectors."""
    return np.array([np.random.default_rng([*map(ord, w)]).normal(size=dim) for w in words])


def attention(
    x: Matrix,
    encoding: Spec | None = None,
    *,
    causal: bool = False,
    window: int | None = None,
    weights: bool = False,
) -> Matrix:
    """One head of attention over the rows of ``x``, which stand at positions 0, 1, 2, ...

    Args:
        x: Token vectors, ``(n, dim)``.
        encoding: How it is told the positions: added to ``x``, or inside the layer; None: not.
        causal: A token sees itself and those before it.
        window: A token sees those at a distance below this.
        weights: Return the attention weights, ``(n, n)``, instead of the weighted mean.
    """
    scheme, where = bind(encoding or NoPE()), np.arange(len(x))
    if scheme.embed:
        x = x + scheme.embed(where, dtype=np.float64)
    q, k, v = (x @ w for w in projections(x.shape[-1]))
    if weights:
        v = np.eye(len(x))
    at = scheme.prepare(where, float64=True)
    seen = attend(q[None], k[None], v[None], scheme, q_positions=at, causal=causal, window=window)
    return np.asarray(seen[0])


def recurrence(x: Matrix) -> Matrix:
    """A recurrent layer in three lines: each state is made from the word and the last state."""
    w_in, w_state, _ = projections(x.shape[-1])
    states = [np.zeros(x.shape[-1])]
    for word in x:
        states.append(np.tanh(word @ w_in + states[-1] @ w_state))
    return np.array(states[1:])


def layer_norm(x: Matrix) -> Matrix:
    """Each row less its mean, over its standard deviation."""
    centred = x - x.mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5))


def rms_norm(x: Matrix) -> Matrix:
    """Each row over the root of its mean square: nothing is subtracted."""
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5))


def learned_error(inputs: Matrix, targets: Matrix) -> float:
    """What a linear read-out misses the targets by after 400 steps of gradient descent."""
    weights = np.zeros(inputs.shape[-1])
    rate = 1 / max(float(np.linalg.norm(inputs, 2)) ** 2, 1e-9)
    for _ in range(400):
        weights -= rate * inputs.T @ (inputs @ weights - targets)
    return float(np.abs(inputs @ weights - targets).max())


def shift_error(code: Matrix) -> float:
    """What the best affine map from each row to the next one misses by, at worst."""
    here = np.column_stack([code[:-1], np.ones(len(code) - 1)])
    best = np.linalg.lstsq(here, code[1:], rcond=None)[0]
    return float(np.abs(here @ best - code[1:]).max())
