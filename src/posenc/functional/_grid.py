"""The code of several coordinates: that of each, one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from posenc._typing import Array, Layout, Namespace
from posenc.functional._layouts import join_pairs


def side_by_side(
    cos: Array,
    sin: Array,
    *,
    dims: Sequence[int],
    layout: Layout,
    sin_first: bool,
    dim: int,
    xp: Namespace,
) -> Array:
    """Lay out the waves of every coordinate as channels, those of the first coordinate first.

    Args:
        cos: One column per frequency, the frequencies of each coordinate together.
        sin: The same shape.
        dims: Channels of each coordinate, two for each of its frequencies; or all in one, to keep
            the kinds of waves apart in all of them.
        layout: Within each of ``dims``: sine and cosine of a frequency side by side, or all of one
            kind and then the other.
        sin_first: Which of the two comes first.
        dim: Channels to return: surplus ones are cut from the end, missing ones are zero there.
        xp: The array namespace.

    Returns:
        Shape ``(*cos.shape[:-1], dim)``.

    References:
        He et al. 2021, arXiv:2111.06377; Carion et al. 2020, arXiv:2005.12872, appendix.
    """
    a, b = (sin, cos) if sin_first else (cos, sin)
    ends = itertools.pairwise([0, *itertools.accumulate(d // 2 for d in dims)])
    code = xp.concat(
        [join_pairs(a[..., i:j], b[..., i:j], layout, xp=xp) for i, j in ends], axis=-1
    )
    missing = dim - code.shape[-1]
    if missing <= 0:
        return code[..., :dim]
    zero = xp.zeros_like(code[..., :1])
    return xp.concat([code, xp.broadcast_to(zero, (*code.shape[:-1], missing))], axis=-1)
