"""Consecutive positions, the same for every row or each row from its own start."""

from __future__ import annotations

from posenc._arrays import adopt, is_concrete, is_integer, library, namespace
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._bits import check_fits, ends
from posenc.positions._check import check_positions

LIMIT = 2**31  # tokens; a slip such as 10**12 is refused before memory is taken


def arange(length: int, *, offset: int | Array = 0, xp: Namespace | str | None = None) -> Array:
    """Consecutive positions ``offset, ..., offset + length - 1``.

    Args:
        length: How many tokens; 0 gives an empty array.
        offset: The first position: the number of tokens that a cache already holds. May be
            negative. An integer array of shape ``(*batch,)`` gives each row its own.
        xp: The library to make them in: a namespace, or ``"numpy"`` (the default), ``"torch"``,
            ``"jax"``. Where ``offset`` is an array, its own.

    Returns:
        Integers of shape ``(length,)``, or ``(*batch, length)`` with an offset for each row:
        int64, or int32 in JAX without 64-bit mode.

    Raises:
        EncodingError: If ``length`` is negative or absurd, or either is not an integer.

    Example:
        >>> arange(3, offset=8)
        array([ 8,  9, 10])
        >>> import numpy as np
        >>> arange(2, offset=np.array([8, 100]))
        array([[  8,   9],
               [100, 101]])
    """
    length = checked_length("arange(): length", length)
    if hasattr(offset, "shape") and offset.shape != ():
        return _each_row(length, offset, xp)
    if not isinstance(offset, int) and hasattr(offset, "shape") and not is_concrete(offset):
        return _each_row(length, offset[None], xp)[0]  # a number that a compiler holds open
    offset = check_index("arange(): offset", offset)
    space: Namespace = library(xp or "numpy")
    check_fits("arange(): offset", offset, offset + max(length - 1, 0), space)
    return space.arange(offset, offset + length)


def _each_row(length: int, offset: Array, xp: Namespace | str | None) -> Array:
    where = "arange(): offset"
    starts = check_positions(where, offset)
    kind = is_integer(starts)
    check(kind, where, "integers", str(starts.dtype), error=EncodingTypeError)
    space = namespace(starts)
    given = library(xp)
    same = given is None or given is space
    check(same, "arange(): xp", "left out, as offset is an array", xp)
    if found := ends(starts):
        check_fits(where, found[0], found[1] + max(length - 1, 0), space)
    steps = adopt(space.arange(length), like=starts, xp=space)
    return starts[..., None] + space.astype(steps, starts.dtype)


def checked_length(where: str, length: object) -> int:
    """A number of tokens that memory might hold."""
    count = check_index(where, length)
    check(0 <= count <= LIMIT, where, f"between 0 and {LIMIT}", count)
    return count
