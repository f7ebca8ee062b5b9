"""Several documents in one row: each counts from its own start and sees itself alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from posenc._arrays import (
    adopt,
    dtype_name,
    has_int64,
    is_integer,
    library,
    namespace,
    running_max,
)
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._bits import check_fits
from posenc.positions._check import check_positions
from posenc.positions._ranges import LIMIT, checked_length


class Packed(NamedTuple):
    """Documents in a row.

    Attributes:
        positions: ``(*batch, n)``: each document from ``first`` on.
        documents: ``(*batch, n)``: the number of each token's document, from 0 in every row.
    """

    positions: Array
    documents: Array

    @property
    def mask(self) -> Array:
        """``(n, n)``, or ``(*batch, 1, n, n)``, for ``attend``: True within one document."""
        same = self.documents[..., :, None] == self.documents[..., None, :]
        return same if same.ndim == 2 else same[..., None, :, :]


def packed(
    lengths: Iterable[int] | None = None,
    *,
    documents: Array = None,
    positions: Array = None,
    first: int = 0,
    xp: Namespace | str | None = None,
) -> Packed:
    """Positions and block mask of packed documents, from one of three descriptions.

    Args:
        lengths: Tokens of each document, in order. (From cumulative lengths: ``np.diff(cu)``.)
        documents: ``(*batch, n)`` integers: a new document begins where the number changes.
        positions: ``(*batch, n)`` positions that are given already: a new document begins where
            they do not rise. They are kept, wherever they start.
        first: The position of the first token of each document.
        xp: The library, with ``lengths``; NumPy by default.

    Returns:
        Positions, the number of each token's document, and as ``.mask`` the block mask; ``attend``
        adds causality by ``causal=True``.

    Raises:
        EncodingError: If not exactly one description is given, or it describes nothing.

    Example:
        >>> both = packed([3, 2])
        >>> both.positions
        array([0, 1, 2, 0, 1])
        >>> both.mask.sum(axis=-1)
        array([3, 3, 3, 2, 2])
    """
    ways = {"lengths": lengths, "documents": documents, "positions": positions}
    given = [name for name, value in ways.items() if value is not None]
    check(len(given) == 1, "packed()", "given one of lengths, documents and positions", given)
    first = check_index("packed(): first", first)
    check(first == 0 or positions is None, "packed(): first", "left out with positions", first)
    if lengths is not None:
        return _of_lengths(lengths, first, library(xp or "numpy"))
    name = given[0]
    ids = check_positions(f"packed(): {name}", documents if positions is None else positions)
    check(xp is None, "packed(): xp", f"left out, as {name} is an array", xp)
    space = namespace(ids)
    if positions is not None:
        begins = ids[..., 1:] <= ids[..., :-1]
        return Packed(ids, _counted(begins, ids, space))
    whole = is_integer(ids)
    check(whole, "packed(): documents", "integers", dtype_name(ids), error=EncodingTypeError)
    count = ids.shape[-1]
    check_fits("packed(): first", first, first + count, space)
    begins = ids[..., 1:] != ids[..., :-1]
    number = _counted(begins, ids, space)
    places = adopt(space.arange(count), like=ids, xp=space)
    places = space.broadcast_to(space.astype(places, number.dtype), number.shape)
    # Where a document begins it begins anew; elsewhere the latest beginning counts.
    starts = space.where(begins, places[..., 1:], space.zeros_like(places[..., 1:]))
    starts = running_max(space.concat([space.zeros_like(places[..., :1]), starts], axis=-1))
    return Packed(places - starts + first, number)


def _of_lengths(lengths: Iterable[int], first: int, xp: Namespace) -> Packed:
    where = "packed(): lengths"
    iterable = isinstance(lengths, Iterable)
    check(iterable, where, "a list of integers", lengths, error=EncodingTypeError)
    counts = [checked_length(f"{where}[{i}]", n) for i, n in enumerate(lengths)]
    ends = len(counts) > 2 and counts[0] == 0 and all(a < b for a, b in pairwise(counts))
    hint = "From cumulative lengths: numpy.diff(cu)."
    check(not ends, where, "tokens of each document, not where each ends", counts, hint)
    check(sum(counts) <= LIMIT, where, f"at most {LIMIT} together", sum(counts))
    number = np.repeat(np.arange(len(counts)), counts)
    check_fits("packed(): first", first, first + sum(counts), xp)
    begins = np.repeat(np.cumsum([0, *counts])[:-1], counts)
    place = np.arange(sum(counts)) - begins + first
    return Packed(xp.asarray(place), xp.asarray(number))


def _counted(begins: Array, like: Array, xp: Namespace) -> Array:
    """The number of each token's document, given for every token but the first if it begins one."""
    wide = xp.int64 if has_int64(xp) else xp.int32
    start = xp.zeros_like(xp.astype(like[..., :1], wide))
    return xp.concat([start, xp.cumulative_sum(xp.astype(begins, wide), axis=-1)], axis=-1)
