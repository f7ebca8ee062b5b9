"""Scores of polar coordinates: content says how long a channel's arrow is, position where to."""

from __future__ import annotations

from posenc._arrays import adopt, is_float64
from posenc._typing import Array, Namespace


def lengths(x: Array, *, xp: Namespace) -> Array:
    """Softplus, ln(1 + e^x): a length for every channel; float32 or wider."""
    wide = xp.astype(x, xp.float64 if is_float64(x) else xp.float32, copy=False)
    return xp.logaddexp(wide, xp.zeros_like(wide))


def arrows(x: Array, cos: Array, sin: Array, *, xp: Namespace) -> Array:
    """(r cos a, r sin a) of every channel, the cosines first: twice as wide as ``x``.

    Args:
        x: ``(..., n, dim)``.
        cos: Of each channel's angle, broadcasting with ``x``.
        sin: The same shape.
        xp: The array namespace.
    """
    long = lengths(x, xp=xp)
    cos, sin = (xp.astype(adopt(t, like=x, xp=xp), long.dtype, copy=False) for t in (cos, sin))
    return xp.concat([long * cos, long * sin], axis=-1)


def further(cos: Array, sin: Array, by: Array, *, xp: Namespace) -> tuple[Array, Array]:
    """cos and sin of the angles moved on by ``by``."""
    c, s = xp.cos(by), xp.sin(by)
    return cos * c - sin * s, sin * c + cos * s
