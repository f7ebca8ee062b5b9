"""What positions may be where a library has 32-bit integers alone."""

from __future__ import annotations

import numpy as np

from posenc._arrays import dtype_name, has_int64, is_concrete, namespace, to_host
from posenc._typing import Array, Namespace
from posenc.errors import check


def check_fits(where: str, least: int, most: int, xp: Namespace) -> None:
    """Refuse whole numbers that the library's positions cannot be."""
    bits = 53 if has_int64(xp) else 31
    hint = "" if bits == 53 else "JAX counts in 32 bits unless 64-bit mode is on."
    fits = -(2**bits) < least <= most < 2**bits
    check(fits, where, f"such that positions are below 2**{bits} in size", (least, most), hint)


def ends(array: Array) -> tuple[int, int] | None:
    """The least and the largest of whole numbers, where they can be looked at."""
    if not is_concrete(array) or 0 in array.shape:
        return None
    host = np.asarray(to_host(array))
    return int(host.min()), int(host.max())


def distance(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
    """Query position minus key position, of shape ``(*batch, q, k)``.

    Where the library has 32 bits alone, distances that do not fit are the largest that do.
    """
    q, k = q_positions[..., :, None], k_positions[..., None, :]
    apart = q - k
    if dtype_name(apart) != "int32" or has_int64(namespace(apart)):
        return apart
    ahead = q < k
    most = xp.full_like(apart, 2**31 - 1)
    fits = ((apart < 0) == ahead) & (apart >= -most)  # the least number has no negative
    return xp.where(fits, apart, xp.where(ahead, -most, most))
