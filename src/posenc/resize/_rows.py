"""Tables of one axis at another length: resampled, repeated, or counted in two digits."""

from __future__ import annotations

from typing import Any

from posenc._typing import Array
from posenc.errors import EncodingTypeError, check
from posenc.resize._tables import check_table, checked_count, grid, resampled
from posenc.resize._weights import checked_size


def rows(table: Array, *, new: int, method: str, prefix: int = 0) -> Array:
    """A learned table of one axis, for another number of positions.

    Args:
        table: ``(*lead, prefix + old, dim)``.
        new: How many positions it is wanted for.
        method: One of ``METHODS``, as for ``grid``.
        prefix: Rows in front that are no positions, such as RoBERTa's and OPT's 2; copied.

    Returns:
        ``(*lead, prefix + new, dim)``, as ``grid`` gives it.

    Raises:
        EncodingError: As ``grid``.

    Example:
        >>> import numpy as np
        >>> rows(np.array([[0.0], [4.0]]), new=4, method="linear")[:, 0]
        array([0., 1., 3., 4.])

    References:
        ``get_rel_pos`` of ViTDet and SAM, which resize tables of offsets so.
    """
    old = _positions("resize.rows()", table, prefix)
    return grid(table, old=(old,), new=(new,), method=method, prefix=prefix)


def tiled(table: Array, *, new: int, prefix: int = 0) -> Array:
    """A table repeated until it is long enough: position p has the row of p mod old.

    Args:
        table: ``(*lead, prefix + old, dim)``.
        new: How many positions it is wanted for; the last copy may be cut.
        prefix: Rows in front that are no positions, such as RoBERTa's 2; copied once.

    Returns:
        ``(*lead, prefix + new, dim)`` in the library and of the dtype of ``table``.

    Raises:
        EncodingError: If the table has no rows behind the prefix, or ``new`` has no meaning.

    Example:
        >>> import numpy as np
        >>> tiled(np.array([[9.0], [1.0], [2.0]]), new=5, prefix=1)[:, 0]
        array([9., 1., 2., 1., 2., 1.])

    References:
        Beltagy et al. 2020, arXiv:2004.05150, section 5: RoBERTa's 512 rows, 8 times.
    """
    old, new = _lengths("resize.tiled()", table, new, prefix)
    return resampled("resize.tiled()", table, [("tiled", old, new)], before=prefix)


def hierarchical(table: Array, *, new: int, alpha: float = 0.4, prefix: int = 0) -> Array:
    """A table of n rows for up to n^2 positions, each counted in two digits of base n.

        T'[i n + j] = alpha u[i] + (1 - alpha) u[j],   u[k] = (T[k] - alpha T[0]) / (1 - alpha)
                    = T[j] + alpha / (1 - alpha) (T[i] - T[0])

    The first n positions keep their rows.

    Args:
        table: ``(*lead, prefix + n, dim)``.
        new: How many positions it is wanted for, at most n^2.
        alpha: The share of the leading digit, above 0 and below 1; not 1/2, at which positions
            i n + j and j n + i are the same.
        prefix: Rows in front that are no positions; copied.

    Returns:
        ``(*lead, prefix + new, dim)`` in the library and of the dtype of ``table``.

    Raises:
        EncodingError: If ``new`` is above n^2, or ``alpha`` has no meaning.

    Example:
        >>> import numpy as np
        >>> hierarchical(np.array([[1.0], [2.0]]), new=4, alpha=0.2)[:, 0]
        array([1.  , 2.  , 1.25, 2.25])

    References:
        Su 2020, kexue.fm/archives/7947, and ``PositionEmbedding`` of his bert4keras.
    """
    old, new = _lengths("resize.hierarchical()", table, new, prefix)
    where = "resize.hierarchical(): alpha"
    given: Any = alpha
    real = isinstance(given, int | float) and not isinstance(given, bool)
    check(real, where, "a number", alpha, error=EncodingTypeError)
    hint = "At 1/2 two positions share a row."
    check(0 < alpha < 1 and alpha != 0.5, where, "above 0, below 1 and not 1/2", alpha, hint)
    most = f"at most {old**2}, the square of the {old} positions there are"
    check(new <= old**2, "resize.hierarchical(): new", most, new)
    axis = ("hierarchical", old, new, float(alpha))
    return resampled("resize.hierarchical()", table, [axis], before=prefix)


def _lengths(where: str, table: Array, new: int, prefix: int) -> tuple[int, int]:
    return _positions(where, table, prefix), checked_size(f"{where}: new", new)


def _positions(where: str, table: Array, prefix: int) -> int:
    """How many rows a table of one axis has behind its prefix."""
    prefix = checked_count(f"{where}: prefix", prefix)
    check_table(where, table)
    count = int(table.shape[-2])
    check(count > prefix, f"{where}: table", f"of more rows than prefix {prefix}", count)
    return count - prefix
