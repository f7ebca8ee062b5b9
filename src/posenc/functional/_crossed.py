"""Rotary tables laid over channels in the order of the other pairing."""

from __future__ import annotations

from posenc._arrays import adopt, is_float64
from posenc._typing import Array, Layout, Namespace
from posenc.functional._layouts import join_pairs, split_pairs


def crossed(x: Array, cos: Array, sin: Array, *, layout: Layout, xp: Namespace) -> Array:
    """What becomes of ``x`` if channels are paired one way and angles laid out the other.

        y[c] = x[c] cos(angle[c]) + partner(x)[c] sin(angle[c])

    The two channels of a pair have different angles, so that it is no rotation.

    Args:
        x: Any leading axes, the last of ``2 * cos.shape[-1]`` channels.
        cos: One column per angle; broadcasts with ``x`` over the leading axes.
        sin: The same shape.
        layout: Which channels are partners.
        xp: The array namespace.

    Returns:
        Same shape and dtype as ``x``; computed in float64 if ``x`` is, else in float32.
    """
    wide = xp.float64 if is_float64(x) else xp.float32
    other: Layout = "half" if layout == "interleaved" else "interleaved"
    cos, sin = (xp.astype(adopt(t, like=x, xp=xp), wide, copy=False) for t in (cos, sin))
    cos, sin = (join_pairs(t, t, other, xp=xp) for t in (cos, sin))
    plain = xp.astype(x, wide, copy=False)
    a, b = split_pairs(plain, layout)
    partner = join_pairs(-b, a, layout, xp=xp)
    return xp.astype(plain * cos + partner * sin, x.dtype, copy=False)
