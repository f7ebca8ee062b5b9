"""Terms that depend on the distance between a query and a key, added to attention logits."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._arrays import adopt
from posenc._typing import Array, Namespace
from posenc.functional._additive import rows


def alibi_slopes(heads: int, rule: str, *, bias_max: float = 8.0) -> np.ndarray[Any, Any]:
    """The slope of each head, float64.

        m_h = 2^(-M h / H), h = 1 .. H                     # H a power of two, or rule "geometric"

    M is ``bias_max``, 8 in the paper. For other H the reference takes all slopes of the largest
    power of two P below H, then every second slope of 2 P.

    References:
        Press et al. 2021, arXiv:2108.12409, section 3 and the authors' ``get_slopes``.
    """
    power = 1 << (heads.bit_length() - 1)
    if rule == "geometric" or power == heads:
        return np.asarray(2.0 ** (-bias_max * np.arange(1, heads + 1) / heads))
    between = alibi_slopes(2 * power, rule, bias_max=bias_max)[::2]
    first = alibi_slopes(power, rule, bias_max=bias_max)
    return np.concatenate([first, between[: heads - power]])


def alibi(distances: Array, slopes: Array, *, symmetric: bool, xp: Namespace) -> Array:
    """``-m_h * (query - key)`` for each head, or of its absolute value.

    Returns:
        Shape ``(*batch, heads, q, k)`` in the dtype of ``slopes``.
    """
    slopes = adopt(slopes, like=distances, xp=xp)
    reach = xp.abs(distances) if symmetric else distances
    reach = xp.astype(reach, slopes.dtype)
    return -slopes[:, None, None] * reach[..., None, :, :]


def heads_first(bias: Array, *, xp: Namespace) -> Array:
    """``(*batch, q, k, heads)`` as ``(*batch, heads, q, k)``, also under torch's vmap."""
    *batch, q, k, heads = range(bias.ndim)
    return xp.permute_dims(bias, (*batch, heads, q, k))


def t5_edges(buckets: int, max_distance: int) -> list[int]:
    """The first distance of each logarithmic bucket, by exact integer arithmetic.

    Buckets below ``buckets // 2`` hold one distance each. Distance n lies in bucket E + j or
    beyond when n^(N-E) E^j >= M^j E^(N-E), with N buckets, E = N // 2 and M = ``max_distance``:
    the published rule without its logarithm, whose rounding shifts edges in half precision.
    """
    exact = buckets // 2
    wide = buckets - exact

    def reached(n: int, j: int) -> bool:
        wanted: int = max_distance**j * exact**wide
        return bool(n**wide * exact**j >= wanted)

    edges = []
    for j in range(wide):
        n = round(exact * (max_distance / exact) ** (j / wide))  # right to within one
        while not reached(n, j):
            n += 1
        while reached(n - 1, j):
            n -= 1
        edges.append(n)
    return edges


def t5_bucket_table(buckets: int, max_distance: int) -> np.ndarray[Any, Any]:
    """Bucket of each distance 0, 1, ... up to the first that lies in the last bucket; int32."""
    edges = t5_edges(buckets, max_distance)
    near = np.arange(edges[-1] + 1)
    far = buckets // 2 - 1 + np.searchsorted(edges, near, side="right")
    return np.where(near < buckets // 2, near, far).astype(np.int32)


def t5_buckets(relative: Array, table: Array, *, side: int | None, xp: Namespace) -> Array:
    """The bucket of each ``key - query``.

    Args:
        relative: Key position minus query position; integers of any shape.
        table: Bucket of each distance on one side, from ``t5_bucket_table``.
        side: How many buckets each direction has, those of keys after the query coming second;
            None when all are for keys before the query, and keys after it share bucket 0.
        xp: The array namespace.

    References:
        Raffel et al. 2020, arXiv:1910.10683, section 2.1; ``_relative_position_bucket`` of the
        authors' Mesh TensorFlow code.
    """
    behind = xp.abs(relative) if side else xp.clip(-relative, min=0)
    last = xp.full_like(behind, table.shape[0] - 1)
    bucket = rows(table, xp.where(behind < last, behind, last), xp=xp)
    if not side:
        return bucket
    return xp.where(relative > 0, bucket + side, bucket)
