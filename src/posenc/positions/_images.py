"""Where things are in a picture or on a page, in the terms of learned tables."""

from __future__ import annotations

import numpy as np

from posenc._arrays import library, namespace
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.positions._check import check_positions
from posenc.positions._grid import grid
from posenc.positions._ranges import checked_length


def fractional(*, order: str, cells: int, xp: Namespace | str | None = None, **sizes: int) -> Array:
    """The cell of a square table in which each patch of an image of any size begins.

        floor(i * cells / size)     along each axis, in whole numbers

    So an image of any shape reads a table that was trained on squares, without resizing it.

    Args:
        order: As for ``grid``.
        cells: Cells of the table along each side: 70 in Idefics2, 27 in SigLIP at 384 pixels.
        xp: The library; NumPy by default.
        **sizes: How many patches along each axis, by its letter, slowest first.

    Returns:
        Integers of shape ``(patches, axes)``, from 0 to ``cells - 1``.

    Raises:
        EncodingError: If the letters do not match, or a size has no meaning.

    Example:
        >>> fractional(h=2, w=3, order="hw", cells=4).tolist()
        [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]]

    References:
        Dehghani et al. 2023, arXiv:2307.06304, section 3.2; Laurencon et al. 2024,
        arXiv:2405.02246, and ``Idefics2VisionEmbeddings`` of transformers, whose fractions in
        float32 fall into the cell before where they end on an edge.
    """
    count = checked_length("fractional(): cells", cells)
    check(count >= 1, "fractional(): cells", "at least 1", cells)
    patches = grid(order=order, **sizes)
    space: Namespace = library(xp or "numpy")
    return space.asarray(patches * count // np.asarray([sizes[name] for name in order]))


def boxes(corners: Array) -> Array:
    """Corners, height and width of each box on a page, as LayoutLM's tables are read.

    Args:
        corners: ``(*batch, n, 4)``, integers: x0, y0, x1, y1, from 0 to 1000 of the page.

    Returns:
        ``(*batch, n, 6)``: x0, y0, x1, y1, y1 - y0, x1 - x0.

    Raises:
        EncodingError: If corners are not four to a box.

    Example:
        >>> import numpy as np
        >>> boxes(np.array([[10, 20, 40, 25]])).tolist()
        [[10, 20, 40, 25, 5, 30]]

    References:
        Xu et al. 2019, arXiv:1912.13318, section 2.3, and ``LayoutLMEmbeddings`` of transformers.
    """
    where, xp = "boxes(): corners", namespace(corners, "boxes(): corners")
    shape = tuple(corners.shape)
    check(len(shape) >= 2 and shape[-1] == 4, where, "of shape (*batch, n, 4)", shape)
    corners = check_positions(where, corners)
    left, top, right, bottom = (corners[..., i] for i in range(4))
    return xp.stack([left, top, right, bottom, bottom - top, right - left], axis=-1)
