"""What xPos multiplies turned channels by: a power that grows with the position."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc._arrays import adopt, in_sight, is_concrete, is_host, namespace
from posenc._typing import Array, Namespace
from posenc.errors import check


def zetas(dim: int, gamma: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The base of each pair's power, below 1: (2i / dim + gamma) / (1 + gamma); float64.

    References:
        Sun et al. 2022, arXiv:2212.10554, section 3.2.
    """
    return np.asarray((np.arange(0, dim, 2) / dim + gamma) / (1 + gamma))


def growth(apart: Array, decay: Array, *, xp: Namespace, float64: bool) -> Array:
    """exp(apart * decay) for every distance from the centre and every pair.

    Args:
        apart: Of any shape.
        decay: Of a pair, the logarithm of its power per token: (m,).
        xp: The array namespace of ``apart``.
        float64: Return float64.
    """
    wide = xp.float64 if float64 or is_host(xp) else xp.float32
    decay = xp.astype(adopt(decay, like=apart, xp=xp), wide)
    power = xp.exp(xp.astype(apart, wide)[..., None] * decay)
    return xp.astype(power, xp.float64 if float64 else xp.float32, copy=False)


def bounded(scale: Array, apart: Array, reach: int, *, what: str, xp: Namespace) -> Array:
    """``scale``, or one sentence where a token is farther than ``reach`` from the centre.

    Where values cannot be looked at, what is too far is NaN.
    """
    if is_concrete(apart) and 0 not in apart.shape:
        seen = in_sight(apart)
        far = float(namespace(seen).max(namespace(seen).abs(seen)))
        hint = "Put the centre amid the text: scores do not depend on it."
        check(far <= reach, "XPos: positions", f"within {reach} of the centre {what}", far, hint)
    near = xp.abs(apart)[..., None] <= reach
    return xp.where(near, scale, xp.full_like(scale, math.nan))
