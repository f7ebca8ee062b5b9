"""Positions that are counted from what tokens say, not from where they stand."""

from __future__ import annotations

from posenc._arrays import has_int64, running_sum
from posenc._typing import Array, Namespace


def gated_positions(gates: Array, k_positions: Array, *, most: int, xp: Namespace) -> Array:
    """How far each key is behind the query, counting only what the query lets count.

        p[m, n] = min(g[m, n] + g[m, n+1] + ... + g[m, m], most)

    Args:
        gates: From 0 to 1, ``(*batch, heads, q, k)``; 0 for keys after the query.
        k_positions: ``(*batch, k)``: by these keys are put in the order of their text, and those
            at one position stay in the order that they come in.
        most: The last position there is.
        xp: The array namespace.

    References:
        Golovneva et al. 2024, arXiv:2405.18719, eqs. 4 and 5.
    """
    order = xp.argsort(k_positions, axis=-1, stable=True)

    def taken(x: Array, index: Array) -> Array:
        return xp.take_along_axis(x, xp.broadcast_to(index[..., None, None, :], x.shape), axis=-1)

    latest_first = xp.flip(taken(gates, order), axis=-1)
    counted = taken(xp.flip(running_sum(latest_first), axis=-1), xp.argsort(order, axis=-1))
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
