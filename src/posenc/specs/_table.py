"""A row of a table per position, and the refusal of positions that have none."""

from __future__ import annotations

import numpy as np

from posenc._arrays import in_sight, is_concrete, namespace, to_host
from posenc._hooks import scheme_of
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.functional._additive import rows
from posenc.scheme import Scheme
from posenc.specs._record import Spec


def check_table(spec: Spec) -> None:
    """Refuse a table that no memory holds."""
    count, dim = spec.learned()["table"]
    where = f"{type(spec).__name__}.rows"
    check(count * dim <= 2**28, where, f"at most {2**28 // dim} for dim {dim}", count)


def table_scheme(table: Array, *, offset: int, xp: Namespace | str | None) -> Scheme:
    """The scheme that adds row ``position + offset`` of ``table``."""
    count = table.shape[0]

    def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
        check_range(positions, -offset, count - 1 - offset, "the rows of the table")
        return positions + offset

    def embed(indices: Array, *, xp: Namespace) -> Array:
        return rows(table, indices, xp=xp)

    return scheme_of(place=place, embed=embed, whole=True, xp=xp)


_MORE = "use more rows, or an encoding given by a formula."


def check_range(
    positions: Array,
    low: int,
    high: int,
    what: str,
    hint: str = _MORE,
    *,
    where: str = "embed(): positions",
) -> None:
    """Name the first row with positions outside ``low..high``, where values can be looked at."""
    if not is_concrete(positions) or 0 in positions.shape:
        return
    seen = in_sight(positions)
    if low <= int(namespace(seen).min(seen)) and int(namespace(seen).max(seen)) <= high:
        return
    host = to_host(seen)
    row = tuple(int(i) for i in np.argwhere((host < low) | (host > high))[0, :-1])
    first = host[row]
    least, most = int(first.min()), int(first.max())
    ends = [(max(least, high + 1), most)] if most > high else []
    ends += [(least, min(most, low - 1))] if least < low else []
    missing = " and ".join(str(a) if a == b else f"{a}..{b}" for a, b in ends)
    check(
        False,
        f"{where}{[*row] if row else ''}",
        f"between {low} and {high}, {what}",
        least if least == most else f"{least}..{most}",
        f"There is nothing for {missing}: {hint}",
    )
