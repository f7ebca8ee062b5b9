"""Where a digit is within its number, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from posenc._arrays import adopt, dtype_name, has_int64, is_integer, namespace, running_max
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._bits import check_fits, ends

_WHERE = "digits()"


def digits(tokens: Array, *, ids: Sequence[int], offset: int | Array = 0) -> Array:
    """The place of each digit within its number, from 1; 0 for every other token: Abacus.

    Digits of one weight have one place when numbers are written with their last digit first.
    What comes back goes into ``Learned``. In training all digits are moved by a number that is
    drawn anew, so that the rows of longer numbers are trained by short ones:
    ``offset=rng.integers(100)``.

    Args:
        tokens: Token ids, ``(n,)`` or ``(*batch, n)``.
        ids: The ids of the digits.
        offset: What is added to the place of every digit; ``(*batch,)`` gives each row its own.

    Returns:
        Integers of the shape of ``tokens``.

    Raises:
        EncodingError: If ids or tokens are not whole numbers, or ``offset`` is negative.

    Example:
        >>> import numpy as np
        >>> digits(np.array([7, 1, 2, 3, 7, 4, 5]), ids=[1, 2, 3, 4, 5])
        array([0, 1, 2, 3, 0, 1, 2])

    References:
        McLeish et al. 2024, arXiv:2405.17399, and abacus.py of its code.
    """
    xp = namespace(tokens, f"{_WHERE}: tokens")
    where, error = f"{_WHERE}: tokens", EncodingTypeError
    check(is_integer(tokens), where, "integers", dtype_name(tokens), error=error)
    check(tokens.ndim >= 1, where, "of shape (n,) or (*batch, n)", tuple(tokens.shape))
    kind = xp.int64 if has_int64(xp) else xp.int32
    tokens = xp.astype(tokens, kind)
    listed = isinstance(ids, Iterable)
    check(listed, f"{_WHERE}: ids", "the ids of the digits", ids, error=EncodingTypeError)
    wanted = [check_index(f"{_WHERE}: ids[{i}]", one) for i, one in enumerate(ids)]
    check(len(wanted) >= 1, f"{_WHERE}: ids", "at least one", wanted)
    count = tokens.shape[-1]
    moved = _moved(offset, count, tokens, kind, xp)
    digit = tokens == wanted[0]
    for one in wanted[1:]:
        digit = digit | (tokens == one)
    index = xp.astype(adopt(xp.arange(count), like=tokens, xp=xp), kind)
    before = running_max(xp.where(digit, xp.full_like(tokens, -1), index))
    return xp.where(digit, index - before + moved, xp.zeros_like(tokens))


def _moved(offset: int | Array, count: int, tokens: Array, kind: object, xp: Namespace) -> Array:
    """The offset as an array that every row of tokens can be added to."""
    where = f"{_WHERE}: offset"
    if not hasattr(offset, "shape") or offset.shape == ():
        number = check_index(where, offset)
        check(number >= 0, where, "at least 0", number)
        check_fits(where, number, number + count, xp)
        return xp.full_like(tokens[..., :1], number)
    check(is_integer(offset), where, "integers", dtype_name(offset), error=EncodingTypeError)
    rows, shape = tuple(tokens.shape[:-1]), tuple(offset.shape)
    check(shape == rows, where, f"a number, or of shape {rows}", shape)
    if found := ends(offset):
        check(found[0] >= 0, where, "at least 0", found[0])
        check_fits(where, found[0], found[1] + count, xp)
    return xp.astype(adopt(offset, like=tokens, xp=xp), kind)[..., None]
