"""Encodings of distance, looked at from outside; and Shaw's, which is built here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc._facade import bind
from posenc._hooks import scheme_of
from posenc._typing import Array, Namespace
from posenc.attention import attend
from posenc.claims._codes import Matrix
from posenc.functional._additive import rows
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs import Spec
from posenc.specs._t5 import T5Bias


def bias(spec: Spec, query: int | Sequence[int], keys: Sequence[int] | range) -> Matrix:
    """What a spec adds to the logits, ``(heads, queries, keys)``; float64."""
    where, others = np.atleast_1d(np.asarray(query)), np.asarray(keys)
    return np.asarray(bind(spec).bias(where, others), np.float64)  # type: ignore[misc]


def buckets(relative: Sequence[int] | range, *, bidirectional: bool) -> Matrix:
    """T5's bucket of each ``key - query``: the learned number of a bucket is its own name."""
    names = {"table": np.arange(32.0)[:, None]}
    scheme = bind(T5Bias(heads=1, bidirectional=bidirectional), names)
    query = np.asarray([1_000_000])
    found: Matrix = scheme.bias(query, query + np.asarray(relative))  # type: ignore[misc]
    return np.asarray(found[0, 0])


def first_distances(*, bidirectional: bool) -> list[int]:
    """Behind the query, the first distance that lies in each bucket, up to the last bucket."""
    found = buckets(range(0, -200, -1), bidirectional=bidirectional)
    return [int(np.argmax(found == name)) for name in np.unique(found)]


def shaw_rows(q_positions: Array, k_positions: Array, *, clip: int) -> Array:
    """The row that Shaw's scheme reads for each query and key: ``clip(key - query) + clip``."""
    return np.clip(-distance(q_positions, k_positions, xp=np), -clip, clip) + clip


def shaw(table: Matrix, *, clip: int) -> Scheme:
    """A learned vector for each distance, added to the key: ``q.(k + a[key - query])``.

    Args:
        table: ``2 clip + 1`` rows of as many channels as a head has.
        clip: The distance at which all further ones share a row.

    References:
        Shaw et al. 2018, arXiv:1803.02155, eq. 4.
    """

    def adjust(logits: Any, q: Any, k: Any, q_at: Any, k_at: Any, *, xp: Namespace) -> Array:
        vectors = rows(table, shaw_rows(q_at, k_at, clip=clip), xp=xp)
        return logits + (q[..., :, None, :] * vectors).sum(-1)

    return scheme_of(adjust=adjust, whole=True)


def by_key(slope: float) -> Scheme:
    """BLOOM's form of ALiBi: it rewards a key for its own position, and asks for no distance."""

    def reward(q_at: Array, k_at: Array, *, xp: Namespace) -> Array:
        return slope * xp.broadcast_to(k_at[None, None, :], (1, len(q_at), len(k_at)))

    return scheme_of(bias=reward)


def heard(encoding: Spec | Scheme, positions: Sequence[int] | range, **options: Any) -> Matrix:
    """One head of attention over drawn tokens that stand at ``positions``, ``(n, 8)``."""
    q, k, v = np.random.default_rng(7).normal(size=(3, 1, len(positions), 8))
    at = np.asarray(positions)
    output: Matrix = attend(q, k, v, encoding, q_positions=at, **options)
    return np.asarray(output[0])
