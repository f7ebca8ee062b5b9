"""Patches, voxels and frames: several coordinates for each token."""

from __future__ import annotations

import math

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.positions._ranges import LIMIT, checked_length


def grid(*, order: str, prefix: int = 0, xp: Namespace | str | None = None, **sizes: int) -> Array:
    """The coordinates of every cell of a grid, cell after cell.

    Args:
        order: The letters of the axes in the order in which the coordinates are wanted. It has no
            default: models differ, and a square grid hides the mistake.
        prefix: Tokens in front that are in no cell, such as a class token: token j of them is at
            ``(0, ..., 0, j - prefix)``, where ``LearnedGrid`` has rows for them.
        xp: The library; NumPy by default.
        **sizes: How many cells along each axis, by its letter, slowest first: ``h=14, w=20`` goes
            row by row, as images do when they are flattened.

    Returns:
        Integers of shape ``(prefix + cells, axes)``.

    Raises:
        EncodingError: If the letters do not match, or a size has no meaning.

    Example:
        >>> grid(h=2, w=3, order="hw").tolist()
        [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
        >>> grid(h=2, w=3, order="wh").tolist()
        [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
        >>> grid(h=1, w=2, order="hw", prefix=1).tolist()
        [[0, -1], [0, 0], [0, 1]]
    """
    check(bool(sizes), "grid()", "given sizes by letter", "none", "Such as h=14, w=20.")
    letters = all(len(name) == 1 for name in sizes)
    check(letters, "grid()", "given sizes by single letters", sorted(sizes))
    counts = {name: checked_length(f"grid(): {name}", size) for name, size in sizes.items()}
    matches = sorted(str(order)) == sorted(counts)
    hint = "It says which coordinate comes first."
    check(matches, "grid(): order", f"the letters {''.join(counts)!r} in some order", order, hint)
    cells = math.prod(counts.values())
    check(cells <= LIMIT, "grid()", f"of at most {LIMIT} cells", cells)
    axes = np.indices(tuple(counts.values())).reshape(len(counts), -1)
    names = list(counts)
    placed = np.stack([axes[names.index(name)] for name in order], axis=-1)
    front = np.zeros((checked_length("grid(): prefix", prefix), len(names)), placed.dtype)
    front[:, -1] = np.arange(-len(front), 0)
    space: Namespace = library(xp or "numpy")
    return space.asarray(np.concatenate([front, placed]))
