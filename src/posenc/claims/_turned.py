"""Vectors turned by the library; and by one complex product that knows nothing of the library."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._facade import bind
from posenc.attention import attend
from posenc.claims._codes import Matrix
from posenc.scheme import Scheme
from posenc.specs._none import NoPE
from posenc.specs._record import Spec
from posenc.specs._rope import Rope

Vector = np.ndarray[Any, np.dtype[np.float64]]


def pair(dim: int = 8) -> tuple[Vector, Vector]:
    """The query and the key of the examples: the first two draws of seed 0."""
    q, k = np.random.default_rng(0).standard_normal((2, dim))
    return q, k


def tokens(count: int, dim: int = 8) -> tuple[Matrix, Matrix, Matrix]:
    """Queries, keys and values of a sentence: draws of seed 0, each ``(count, dim)``."""
    q, k, v = np.random.default_rng(0).standard_normal((3, count, dim))
    return q, k, v


def turned(x: Any, positions: Any, **fields: Any) -> Matrix:
    """The library's rotation of ``x``, one vector or one a position, to every position."""
    where = np.atleast_1d(np.asarray(positions))
    spec = Rope(**{"dim": np.shape(x)[-1], "layout": "half", **fields})
    rows = np.broadcast_to(x, (len(where), np.shape(x)[-1]))
    return np.asarray(bind(spec).key(rows, where, head_axis=None))  # type: ignore[misc]


def scores(q: Any, k: Any, m: Any, n: Any, **fields: Any) -> Vector:
    """q at each position of ``m`` times k at the one of ``n``, turned by the library."""
    where, other = np.atleast_1d(np.asarray(m)), np.atleast_1d(np.asarray(n))
    scheme = bind(Rope(**{"dim": np.shape(q)[-1], "layout": "half", **fields}))
    rows, columns = (np.broadcast_to(x, (len(where), np.shape(x)[-1])) for x in (q, k))
    turned_q = scheme.query(rows, where, head_axis=None)  # type: ignore[misc]
    return np.asarray((turned_q * scheme.key(columns, other, head_axis=None)).sum(-1))  # type: ignore[misc]


def outputs(
    q: Matrix, k: Matrix, v: Matrix, encoding: Spec | Scheme | None = None, at: Any = None
) -> Matrix:
    """The library's attention without a mask, one head; by default of q and k as they are."""
    y = attend(q[None], k[None], v[None], encoding or NoPE(), q_positions=at)
    return np.asarray(y[0])


def ladder(dim: int = 8) -> Vector:
    """The frequencies by hand: 10000 to the powers 0, -2/dim, -4/dim, ..."""
    return np.asarray(10000.0 ** (-np.arange(0, dim, 2) / dim))


def spun(x: Any, positions: Any) -> np.ndarray[Any, np.dtype[np.complex128]]:
    """The same rotation by hand: pairs (i, i + dim/2) as complex numbers times e^(i p w)."""
    half = np.shape(x)[-1] // 2
    angle = np.asarray(positions)[..., None] * ladder(2 * half)
    return np.asarray((x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angle))


def flat(z: np.ndarray[Any, np.dtype[np.complex128]]) -> Matrix:
    """Complex pairs as channels in half layout."""
    return np.concatenate([z.real, z.imag], axis=-1)


def waved(positions: Any, dim: int = 64) -> Matrix:
    """The sinusoidal code by hand: sine and cosine of p w side by side."""
    angle = np.asarray(positions)[..., None] * ladder(dim)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(*np.shape(positions), dim)


def attended(q: Matrix, k: Matrix, v: Matrix) -> Matrix:
    """Attention by hand under rotary encoding, at positions 0, 1, ...: softmax, then the mean."""
    logits = (spun(q, np.arange(len(q))) @ spun(k, np.arange(len(k))).conj().T).real
    weights = np.exp(logits / q.shape[-1] ** 0.5)
    return np.asarray(weights / weights.sum(-1, keepdims=True) @ v)


def worst(values: Any, expected: float) -> float:
    """The value that is farthest from what all of them should be."""
    flat = np.ravel(values)
    return float(flat[np.abs(flat - expected).argmax()])
