"""Rows of several lengths in one batch: positions that padding does not shift."""

from __future__ import annotations

from typing import NamedTuple

from posenc._arrays import (
    dtype_name,
    has_int64,
    in_sight,
    is_concrete,
    is_integer,
    namespace,
    running_sum,
)
from posenc._typing import Array
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._bits import check_fits


class Padded(NamedTuple):
    """A padded batch.

    Attributes:
        positions: ``(*batch, n)``: real tokens count up from ``first``, whatever is between them;
            a pad has the position of the real token before it, or ``first``.
        mask: ``(*batch, 1, 1, n)``, for ``attend``: True for the keys that are real.
        following: ``(*batch,)``: where the next token of each row goes. A decode step is at
            ``arange(1, offset=padded.following)``.
    """

    positions: Array
    mask: Array
    following: Array


def from_mask(mask: Array, *, first: int = 0) -> Padded:
    """Positions of the real tokens of a padded batch, from the left, the right or anywhere.

    Args:
        mask: ``(*batch, n)``, bool or 0 and 1: 1 for a real token (``attention_mask``).
        first: The position of the first real token; RoBERTa and its kin start at
            ``padding_idx + 1``. A ``Learned`` with an ``offset``, as of the entry
            ``learned-offset``, adds it itself: give one or the other, never both.

    Returns:
        Positions, the mask for ``attend``, and the position that each row goes on from: a row of
        three real tokens goes on at ``first + 3``, on whichever side its pads are.

    Raises:
        EncodingError: If the mask is not of 0 and 1, or has no axis.

    Example:
        >>> import numpy as np
        >>> padded = from_mask(np.array([[0, 0, 1, 1], [1, 1, 1, 0]]))
        >>> padded.positions
        array([[0, 0, 0, 1],
               [0, 1, 2, 2]])
        >>> padded.following
        array([2, 3])
    """
    real = checked_mask("from_mask(): mask", mask, form="(*batch, n)", one="a real token")
    xp = namespace(mask)
    first = check_index("from_mask(): first", first)
    check_fits("from_mask(): first", first, first + mask.shape[-1], xp)
    counts = xp.astype(real, xp.int64 if has_int64(xp) else xp.int32)
    seen = running_sum(counts)
    return Padded(
        positions=xp.clip(seen - 1, 0, None) + first,
        mask=real[..., None, None, :],
        following=xp.sum(counts, axis=-1) + first,
    )


def checked_mask(where: str, mask: Array, *, form: str, one: str) -> Array:
    """A mask of 0 and 1, or boolean, as a boolean one.

    Args:
        where: What is refused, as the caller wrote it.
        mask: Such a mask.
        form: Its shape in words, an axis a word.
        one: What a 1 means.
    """
    xp = namespace(mask)
    known = dtype_name(mask) == "bool" or is_integer(mask)
    hint, must = f"1 is {one}.", "of 0 and 1, or boolean"
    check(known, where, must, dtype_name(mask), hint, error=EncodingTypeError)
    check(mask.ndim >= form.count(","), where, f"of shape {form}", tuple(mask.shape))
    if is_concrete(mask) and dtype_name(mask) != "bool":
        shown = in_sight(mask)
        plain = bool(namespace(shown).all((shown == 0) | (shown == 1)))
        check(plain, where, must, mask, "Additive masks and document ids are something else.")
    return xp.astype(mask, xp.bool)
