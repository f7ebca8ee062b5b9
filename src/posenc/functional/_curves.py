"""Biases that are a curve of the distance, with learned numbers or none."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._arrays import clipped, held
from posenc._typing import Array, Namespace


def kerple(distances: Array, p: Array, a: Array, *, form: str, xp: Namespace) -> Array:
    """A conditionally positive definite kernel of the distance, for each head.

        log:    -p ln(1 + a |r|)
        power:  -a |r|^p

    Args:
        distances: Query minus key, ``(*batch, q, k)``.
        p: One number a head, positive; of the power at most 2.
        a: One number a head, positive.
        form: "log" or "power".
        xp: The array namespace.

    Returns:
        Shape ``(*batch, heads, q, k)`` in the dtype of ``p``.

    References:
        Chi et al. 2022, arXiv:2205.09921, section 4, eq. 6 and 7.
    """
    reach = xp.astype(xp.abs(distances), p.dtype)[..., None, :, :]
    p, a = p[:, None, None], a[:, None, None]
    return -p * xp.log1p(a * reach) if form == "log" else -a * reach**p


def within(values: Array, low: float, high: float | None, *, xp: Namespace) -> Array:
    """Values brought into a range, with the gradient of the values as they are.

    A reference that clamps its parameters between two steps of training never loses their
    gradient; a plain clip would, and what once fell below would stay there.
    """
    return values + held(clipped(values, low, high, xp=xp) - values)


def sandwich_scales(heads: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the curve of each head is multiplied by: H / 8h for h = 1 .. H."""
    return np.asarray(heads / (8 * np.arange(1, heads + 1)))


def sandwich(
    q: tuple[Array, Array], k: tuple[Array, Array], scales: Array, *, xp: Namespace
) -> Array:
    """The inner products of sinusoidal codes less those of a position with itself.

        (sum_j cos(r w_j) - d/2) * scale_h,    cos(r w) = cos(m w) cos(n w) + sin(m w) sin(n w)

    Args:
        q: cos and sin where the queries are, ``(*batch, q, d/2)``.
        k: The same of keys.
        scales: One number a head.
        xp: The array namespace.

    Returns:
        Shape ``(*batch, heads, q, k)``.

    References:
        Chi et al. 2022, arXiv:2212.10356, section 5.
    """
    codes = (xp.concat(pair, axis=-1) for pair in (q, k))
    rows, columns = codes
    products = rows @ xp.matrix_transpose(columns)
    return (products - q[0].shape[-1])[..., None, :, :] * scales[:, None, None]


def fire_input(
    distances: Array, q_positions: Array, c: Array, threshold: Array, *, xp: Namespace
) -> Array:
    """The distance of each key as a share of what the query can look back on.

        ln(1 + |c r|) / (ln(1 + |c max(m, L)|) + 1e-6)

    Args:
        distances: Query minus key, ``(*batch, q, k)``.
        q_positions: Where the queries are, ``(*batch, q)``.
        c: One learned number.
        threshold: L, one number: nearer to the start than this all queries count alike.
        xp: The array namespace.

    Returns:
        Shape ``(*batch, q, k)`` in the dtype of ``c``: between 0 and 1 for keys before the query.

    References:
        Li et al. 2023, arXiv:2310.04418, eq. 9 and the code of appendix E.
    """
    reach = xp.astype(distances, c.dtype)
    behind = xp.maximum(xp.astype(q_positions, c.dtype), threshold)
    whole = xp.log1p(xp.abs(c * behind)) + 1e-6
    return xp.log1p(xp.abs(c * reach)) / whole[..., None]
