"""Where each token is, as an explicit array: the only source of positions in this library."""

from __future__ import annotations

import operator

from posenc._arrays import (
    dtype_name,
    is_concrete,
    is_integer,
    is_narrow,
    is_real,
    library,
    namespace,
)
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check

__all__ = ["arange", "check_positions"]

_LIMIT = 2**40  # tokens; a slip such as 10**12 is refused before memory is taken


def arange(length: int, *, offset: int = 0, xp: Namespace | str | None = None) -> Array:
    """Consecutive positions ``offset, ..., offset + length - 1``.

    Args:
        length: How many tokens; 0 gives an empty array.
        offset: The first position: the number of tokens that a cache already holds. May be
            negative.
        xp: The library to make them in: a namespace, or ``"numpy"`` (the default), ``"torch"``,
            ``"jax"``.

    Returns:
        Integers of shape ``(length,)``: int64, or int32 in JAX without 64-bit mode.

    Raises:
        EncodingError: If ``length`` is negative or absurd, or either is not an integer.

    Example:
        >>> arange(3, offset=8)
        array([ 8,  9, 10])
    """
    for name, value in (("length", length), ("offset", offset)):
        whole = hasattr(value, "__index__") and not isinstance(value, bool)
        check(whole, f"arange(): {name}", "an integer", value, error=EncodingTypeError)
    length, offset = operator.index(length), operator.index(offset)
    check(0 <= length <= _LIMIT, "arange(): length", f"between 0 and {_LIMIT}", length)
    check(abs(offset) < 2**62, "arange(): offset", "below 2**62 in size", offset)
    space: Namespace = library(xp or "numpy")
    return space.arange(offset, offset + length)


def check_positions(where: str, positions: Array) -> Array:
    """``positions`` if they can say where tokens are, else one sentence.

    Half-precision floats are refused: bfloat16 cannot count past 256, float16 not past 2048, so
    neighbouring tokens would share a position without a word.
    """
    namespace(positions)
    check(
        is_integer(positions) or is_real(positions),
        where,
        "integers or real numbers",
        dtype_name(positions),
        "A position says where a token is; a mask says which tokens count.",
        error=EncodingTypeError,
    )
    check(
        not is_narrow(positions),
        where,
        "integers, float32 or float64",
        dtype_name(positions),
        "Half precision merges neighbouring positions (bfloat16 from 257, float16 from 2049).",
    )
    check(
        positions.ndim >= 1,
        where,
        "of shape (n,) or (*batch, n)",
        tuple(positions.shape),
        "A single token is an array of length 1.",
    )
    if is_real(positions) and is_concrete(positions):
        xp = namespace(positions)
        finite = bool(xp.all(xp.isfinite(positions)))
        check(finite, where, "finite", positions, "A NaN or infinite position is nowhere.")
    return positions
