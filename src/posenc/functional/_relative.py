"""Vectors indexed by distance: which row a pair reads, and its product with a query or a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._arrays import adopt, has_int64
from posenc._typing import Array, Namespace
from posenc.functional._additive import rows


def per_query_head(x: Array, heads: int, *, xp: Namespace) -> Array:
    """Keys or values ``(*batch, k_heads, k, dim)``, each head once for every query head on it."""
    *batch, k_heads, n, dim = x.shape
    if k_heads == heads:
        return x
    shared = xp.broadcast_to(x[..., :, None, :, :], (*batch, k_heads, heads // k_heads, n, dim))
    return xp.reshape(shared, (*batch, heads, n, dim))


def row_of(apart: Array, *, left: int, right: int, clip: bool, xp: Namespace) -> Array:
    """The row of a table that goes from the farthest key before the query to the farthest after.

        row = left + (key - query)

    Args:
        apart: Query position minus key position; integers of any shape.
        left: Rows for keys before the query.
        right: Rows for keys after it.
        clip: Farther keys share the outermost row; otherwise they get a number that no row has.
        xp: The array namespace.
    """
    spare = 0 if clip else 1
    # Cut first: where there are 32 bits alone, the sum would wrap round.
    return left - xp.clip(apart, -right - spare, left + spare)


def read(scores: Array, row: Array, *, xp: Namespace) -> Array:
    """``scores[..., i, row[..., i, j]]``, NaN where there is no such row.

    Args:
        scores: ``(*batch, heads, n, rows)``: a product with every row.
        row: ``(*batch, n, m)``, the same for all heads.
        xp: The array namespace.

    Returns:
        ``(*batch, heads, n, m)``.
    """
    row = row[..., None, :, :]
    if has_int64(xp):  # torch takes no other
        row = xp.astype(row, xp.int64, copy=False)
    row = xp.broadcast_to(row, (*scores.shape[:-1], row.shape[-1]))
    inside = (row >= 0) & (row < scores.shape[-1])
    found = xp.take_along_axis(scores, xp.where(inside, row, xp.zeros_like(row)), axis=-1)
    return xp.where(inside, found, xp.full_like(found, float("nan")))


def from_queries(q: Array, table: Array, row: Array, *, like: Array, xp: Namespace) -> Array:
    """``q_i . table[row_ij]`` for each query i and key j.

    Every query meets every row once, in one product, and the pairs are read off: the same numbers
    as a vector per pair, without an array of ``(q, k, dim)``.

    Args:
        q: ``(*batch, heads, q, dim)``, of any floating-point dtype.
        table: ``(rows, dim)``, or ``(heads, rows, dim)``.
        row: ``(*batch, q, k)``.
        like: Logits, in whose dtype it is computed.
        xp: The array namespace.

    Returns:
        ``(*batch, heads, q, k)``.
    """
    scores = in_kind(q, like, xp=xp) @ xp.matrix_transpose(in_kind(table, like, xp=xp))
    return read(scores, row, xp=xp)


def from_keys(k: Array, table: Array, row: Array, *, like: Array, xp: Namespace) -> Array:
    """``k_j . table[row_ij]``: as ``from_queries``; ``k`` has its heads or fewer, shared evenly."""
    k = per_query_head(in_kind(k, like, xp=xp), like.shape[-3], xp=xp)
    return xp.matrix_transpose(from_queries(k, table, xp.matrix_transpose(row), like=like, xp=xp))


def in_kind(x: Array, like: Array, *, xp: Namespace) -> Array:
    """An array where ``like`` is and in its dtype."""
    return xp.astype(adopt(x, like=like, xp=xp), like.dtype, copy=False)


def deberta_bucket_table(span: int, max_distance: int) -> np.ndarray[Any, Any]:
    """Bucket of each distance 0, 1, ... ``max_distance``, at which bucket ``span`` begins; int32.

        b(n) = n                                                      n <= E = span / 2
        b(n) = E + ceil(ln(n / E) / ln((M - 1) / E) * (E - 1))        beyond, M = max_distance

    Distance n lies beyond bucket E + j when (n / E)^(E-1) > ((M - 1) / E)^j: in whole numbers, so
    that no rounded logarithm moves an edge.
    """
    near, last = span // 2, max_distance - 1

    def beyond(n: int, j: int) -> bool:
        return bool(n ** (near - 1) * near**j > last**j * near ** (near - 1))

    table = np.arange(max_distance + 1)
    for j in range(near):
        first = round(near * (last / near) ** (j / (near - 1)))  # right to within one
        while not beyond(first, j):
            first += 1
        while beyond(first - 1, j):
            first -= 1
        table[max(first, near + 1) :] = near + j + 1
    return table.astype(np.int32)


def deberta_rows(apart: Array, *, span: int, table: Array | None, xp: Namespace) -> Array:
    """The row that DeBERTa reads for ``query - key``, of ``2 * span``.

    Args:
        apart: Query position minus key position.
        span: Rows for each direction.
        table: Bucket of each distance, from ``deberta_bucket_table``; None: a row per distance.
        xp: The array namespace.
    """
    if table is not None:
        last = table.shape[0] - 1
        bucket = rows(table, xp.abs(xp.clip(apart, -last, last)), xp=xp)
        bucket = xp.astype(bucket, apart.dtype, copy=False)
        apart = xp.where(apart < 0, -bucket, bucket)
    return xp.clip(apart, -span, span - 1) + span
