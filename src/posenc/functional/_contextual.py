"""Positions that are counted from what tokens say, not from where they stand."""

from __future__ import annotations

from posenc._arrays import has_int64, running_sum
from posenc._typing import Array, Namespace


def gated_positions(gates: Array, *, most: int, xp: Namespace) -> Array:
    """How far each key is behind the query, counting only what the query lets count.

        p[m, n] = min(g[m, n] + g[m, n+1] + ... + g[m, m], most)

    Args:
        gates: From 0 to 1, ``(*batch, heads, q, k)``, keys in the order of the text; 0 for keys
            after the query.
        most: The last position there is.
        xp: The array namespace.

    References:
        Golovneva et al. 2024, arXiv:2405.18719, eqs. 4 and 5.
    """
    counted = xp.flip(running_sum(xp.flip(gates, axis=-1)), axis=-1)
    return xp.where(counted < most, counted, xp.full_like(counted, most))


def between_rows(scores: Array, positions: Array, *, xp: Namespace) -> Array:
    """Scores of whole positions read at real ones, on straight lines between neighbours.

    Args:
        scores: One for each position 0, 1, ..., ``(*batch, heads, q, rows)``.
        positions: From 0 to ``rows - 1``, ``(*batch, heads, q, k)``.
        xp: The array namespace.

    References:
        Golovneva et al. 2024, arXiv:2405.18719, eq. 6.
    """
    last = scores.shape[-1] - 1
    below = xp.floor(positions)
    share = positions - below
    index = xp.astype(below, xp.int64 if has_int64(xp) else xp.int32)
    following = xp.where(index < last, index + 1, index)
    low = xp.take_along_axis(scores, index, axis=-1)
    high = xp.take_along_axis(scores, following, axis=-1)
    return low + share * (high - low)
