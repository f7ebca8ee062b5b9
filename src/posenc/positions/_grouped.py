"""SelfExtend: near keys at their own distance, far ones at a distance counted in groups."""

from __future__ import annotations

from typing import NamedTuple

from posenc._arrays import dtype_name, is_integer, namespace
from posenc._typing import Array
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._bits import distance
from posenc.positions._check import bring, check_positions


class Grouped(NamedTuple):
    """Positions for a second pass over far keys.

    Attributes:
        q_positions: Of queries, for far keys: ``q // group + window - window // group``.
        k_positions: Of keys, for queries far from them: ``k // group``.
        near: ``(*batch, q, k)``: True where a pair is within the window, and logits come from the
            positions as they were.
    """

    q_positions: Array
    k_positions: Array
    near: Array


def grouped(
    q_positions: Array, k_positions: Array = None, *, group: int = 8, window: int = 1024
) -> Grouped:
    """What SelfExtend makes of positions, so that none is further than training showed.

    Args:
        q_positions: ``(*batch, q)``; integers.
        k_positions: ``(*batch, k)``; None: where the queries are.
        group: Far positions that share one.
        window: Pairs nearer than this keep their distance.

    Returns:
        Both sides' positions for far pairs, and which pairs are near.

    Raises:
        EncodingError: If positions are not integers, or the numbers have no meaning.

    Example:
        >>> import numpy as np
        >>> far = grouped(np.array([5000]), np.array([2000]))
        >>> far.q_positions - far.k_positions
        array([1271])

    References:
        Jin et al. 2024, arXiv:2401.01325, section 3 and its released code.
    """
    group = check_index("grouped(): group", group)
    window = check_index("grouped(): window", window)
    check(1 <= group < 2**31, "grouped(): group", "from 1 to 2**31 - 1", group)
    check(0 <= window < 2**31, "grouped(): window", "from 0 to 2**31 - 1", window)
    q = _whole("q_positions", q_positions)
    k = q if k_positions is None else bring(k_positions, like=q, where="grouped(): k_positions")
    k = _whole("k_positions", k)
    near = distance(q, k, xp=namespace(q)) < window
    as_query, _ = in_groups(q, group=group, window=window)
    return Grouped(as_query, in_groups(k, group=group, window=window)[1], near)


def in_groups(positions: Array, *, group: int, window: int) -> tuple[Array, Array]:
    """Where queries and where keys are for far pairs, so that at distance W the two rules meet.

    ::

        q // G + W - W // G,    k // G
    """
    counted = positions // group
    return counted + (window - window // group), counted


def _whole(name: str, positions: Array) -> Array:
    where = f"grouped(): {name}"
    positions = check_positions(where, positions)
    kind = dtype_name(positions)
    check(is_integer(positions), where, "integers", kind, error=EncodingTypeError)
    return positions
