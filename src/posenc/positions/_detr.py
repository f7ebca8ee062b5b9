"""Images of several sizes in one batch: where each pixel is in the part that is no padding."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from posenc._arrays import has_int64, namespace, running_sum
from posenc._typing import Array
from posenc.errors import check
from posenc.positions._padding import checked_mask

_EPS = 1e-6  # of every implementation


class Pixels(NamedTuple):
    """A padded batch of images, flattened row by row.

    Attributes:
        positions: ``(*batch, h * w, 2)``: y and x as shares of the image, real numbers from 0 to 1.
        mask: ``(*batch, 1, 1, h * w)``, for ``attend``: True for the keys that are real.
    """

    positions: Array
    mask: Array


def detr(mask: Array, *, offset: Any = 0.0) -> Pixels:
    """Positions of the pixels of padded images, as DETR and its kin count them.

    Real pixels are counted from 1 along each axis, and divided by how many there are:

        y = (rows so far + offset) / (rows in all + 1e-6)

    so that padding decides the code: the same pixel of the same image is elsewhere if the rows
    that pad it are not masked.

    Args:
        mask: ``(*batch, h, w)``, bool or 0 and 1: 1 for a real pixel (``pixel_mask``).
        offset: -0.5 for Deformable DETR, which takes the centres of pixels.

    Returns:
        Positions for ``GridSinusoidal`` with ``scales=(2 pi, 2 pi)``, and the mask for ``attend``.
        float64, or float32 in JAX without 64-bit mode.

    Raises:
        EncodingError: If the mask is not of 0 and 1, or has fewer than two axes.

    Example:
        >>> import numpy as np
        >>> padded = np.array([[1, 1, 0, 0]])
        >>> detr(padded).positions.round(3).tolist()
        [[1.0, 0.5], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]]

    References:
        Carion et al. 2020, arXiv:2005.12872, and its models/position_encoding.py; Zhu et al.
        2020, arXiv:2010.04159. The same as in ``DetrSinePositionEmbedding`` of transformers.
    """
    real = checked_mask("detr(): mask", mask, form="(*batch, h, w)", one="a real pixel")
    number = isinstance(offset, int | float) and not isinstance(offset, bool)
    must = "a finite number"
    check(number and math.isfinite(offset), "detr(): offset", must, offset)
    xp = namespace(mask)
    wide = xp.float64 if has_int64(xp) else xp.float32
    counts = xp.astype(real, wide)
    y, x = (running_sum(counts, axis=axis) for axis in (-2, -1))
    # Where there are none at all, pads among pads, references divide the offset by 1e-6.
    one = xp.ones_like(counts[..., :1, :1])
    y = (y + offset) / (xp.maximum(y[..., -1:, :], one) + _EPS)
    x = (x + offset) / (xp.maximum(x[..., -1:], one) + _EPS)
    flat = (*mask.shape[:-2], mask.shape[-2] * mask.shape[-1])
    positions = xp.reshape(xp.stack([y, x], axis=-1), (*flat, 2))
    return Pixels(positions, xp.reshape(real, flat)[..., None, None, :])
