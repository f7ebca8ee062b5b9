"""Codes that are added to token vectors, from sines to bits."""

from __future__ import annotations

from posenc._arrays import adopt, is_real
from posenc._typing import Array, Layout, Namespace
from posenc.functional._layouts import join_pairs


def waves(
    cos: Array, sin: Array, *, layout: Layout, sin_first: bool, dim: int, xp: Namespace
) -> Array:
    """Lay out sines and cosines as the channels of a code.

    Args:
        cos: One column per frequency.
        sin: The same shape.
        layout: Sine and cosine of a frequency side by side, or all of one kind and then the other.
        sin_first: Which of the two comes first.
        dim: Channels to return: surplus ones are cut from the second kind, missing ones are zero.
        xp: The array namespace.

    Returns:
        Shape ``(*cos.shape[:-1], dim)``.
    """
    a, b = (sin, cos) if sin_first else (cos, sin)
    if dim < 2 * a.shape[-1] and layout == "half":
        return xp.concat([a, b[..., : dim - a.shape[-1]]], axis=-1)
    code = join_pairs(a, b, layout, xp=xp)
    missing = dim - code.shape[-1]
    if missing <= 0:
        return code[..., :dim]
    zeros = xp.zeros_like(code[..., :1])
    return xp.concat([code, *[zeros] * missing], axis=-1)


def bits(positions: Array, *, count: int, xp: Namespace) -> Array:
    """The lowest ``count`` binary digits of each position, least significant first.

        bit_j(p) = floor(p / 2^j) mod 2

    Returns:
        Zeros and ones in the integer dtype of ``positions``, shape ``(*positions.shape, count)``.
    """
    digits = [(positions >> j) & 1 for j in range(count)]
    return xp.stack(digits, axis=-1)


def gray(positions: Array) -> Array:
    """The Gray code of each position: neighbours differ in exactly one bit."""
    return positions ^ (positions >> 1)


def rows(table: Array, indices: Array, *, xp: Namespace) -> Array:
    """Rows of ``table`` at ``indices``; NaN where there is no such row.

    Callers refuse bad indices where values can be seen. Under jit they cannot, and a NaN is loud
    where the wrapped or clamped row that array libraries return would be fluent and wrong.
    """
    table = adopt(table, like=indices, xp=xp)
    # Not clip: its wrapper for PyTorch tests bounds for NaN, which no traced size survives.
    inside = (indices >= 0) & (indices < table.shape[0])
    index = xp.where(inside, indices, xp.zeros_like(indices))
    found = xp.reshape(
        xp.take(table, xp.reshape(index, (-1,)), axis=0), (*indices.shape, *table.shape[1:])
    )
    known = xp.reshape(inside, (*indices.shape, *[1] * (table.ndim - 1)))
    missing = float("nan") if is_real(found) else -1
    return xp.where(known, found, xp.full_like(found, missing))
