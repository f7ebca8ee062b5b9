"""Rotation of channel pairs: the one formula of every rotary encoding."""

from __future__ import annotations

from posenc._arrays import adopt, is_float64
from posenc._onnx import rotary_operator
from posenc._typing import Array, Layout, Namespace
from posenc.functional._layouts import join_pairs, split_pairs


def rotate(
    x: Array, cos: Array, sin: Array, *, layout: Layout, xp: Namespace, start: int = 0
) -> Array:
    """Turn each channel pair of ``x`` by its angle, counter-clockwise.

        (a, b) -> (a cos - b sin, a sin + b cos)

    Args:
        x: Any leading axes, the last of at least ``start + 2 * cos.shape[-1]`` channels.
        cos: One column per pair; broadcasts with ``x`` over the leading axes.
        sin: The same shape.
        layout: Which channels form a pair.
        xp: The array namespace.
        start: The first channel that turns; those around the pairs stay as they are.

    Returns:
        Same shape and dtype as ``x``; computed in float64 if ``x`` is, else in float32.

    References:
        Su et al. 2021, arXiv:2104.09864, eq. 34.
    """
    end = start + 2 * cos.shape[-1]
    if end - start < x.shape[-1]:
        turned = rotate(x[..., start:end], cos, sin, layout=layout, xp=xp)
        return xp.concat([x[..., :start], turned, x[..., end:]], axis=-1)
    wide = xp.float64 if is_float64(x) else xp.float32
    cos, sin = (xp.astype(adopt(t, like=x, xp=xp), wide, copy=False) for t in (cos, sin))
    by_operator = rotary_operator(x, cos, sin, layout)
    if by_operator is not None:
        return by_operator
    a, b = (xp.astype(part, wide, copy=False) for part in split_pairs(x, layout))
    # Rounded before they are joined: what joins them moves half the bytes, compiled or not.
    first, second = (
        xp.astype(t, x.dtype, copy=False) for t in (a * cos - b * sin, a * sin + b * cos)
    )
    turned = join_pairs(first, second, layout, xp=xp)
    return xp.astype(turned, x.dtype, copy=False)  # NumPy joins in the machine's order of bytes
