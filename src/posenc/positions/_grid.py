"""Patches, voxels and frames: several coordinates for each token."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check, check_index
from posenc.positions._ranges import LIMIT, checked_length


def grid(*, order: str, xp: Namespace | str | None = None, **sizes: int) -> Array:
    """The coordinates of every cell of a grid, cell after cell.

    Args:
        order: The letters of the axes in the order in which the coordinates are wanted. It has no
            default: models differ, and a square grid hides the mistake.
        xp: The library; NumPy by default.
        **sizes: How many cells along each axis, by its letter, slowest first: ``h=14, w=20`` goes
            row by row, as images do when they are flattened.

    Returns:
        Integers of shape ``(cells, axes)``.

    Raises:
        EncodingError: If the letters do not match, or a size has no meaning.

    Example:
        >>> grid(h=2, w=3, order="hw").tolist()
        [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
        >>> grid(h=2, w=3, order="wh").tolist()
        [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
    """
    cells, _ = _cells("grid()", order, sizes)
    return _space(xp).asarray(cells)


def middle(*, of: int, order: str, xp: Namespace | str | None = None, **sizes: int) -> Array:
    """The cells in the middle of a larger square grid, by their coordinates there.

    Stable Diffusion 3 cuts every image's codes out of one table so: the middle of an image has
    the same code at every size.

        p = i + (of - n) // 2

    Args:
        of: How many cells the larger grid has along each axis: ``pos_embed_max_size``.
        order: As for ``grid``.
        xp: The library; NumPy by default.
        **sizes: As for ``grid``.

    Returns:
        Integers of shape ``(cells, axes)``.

    Raises:
        EncodingError: As ``grid``, and if a size is above ``of``.

    Example:
        >>> middle(of=8, h=1, w=3, order="hw").tolist()
        [[3, 2], [3, 3], [3, 4]]

    References:
        ``PatchEmbed.cropped_pos_embed`` of diffusers.
    """
    cells, counts = _cells("middle()", order, sizes)
    of = check_index("middle(): of", of)
    check(of >= counts.max(), "middle(): of", f"at least {counts.max()}, the largest size", of)
    return _space(xp).asarray(cells + (of - counts) // 2)


def centres(*, start: float, order: str, xp: Namespace | str | None = None, **sizes: int) -> Array:
    """The centre of every cell of a grid whose sides go from ``start`` to 1, at any size.

        p = (i + 1/2) / n             from 0 to 1
        p = 2 (i + 1/2) / n - 1       from -1 to 1

    Args:
        start: 0 or -1.
        order: As for ``grid``.
        xp: The library; NumPy by default.
        **sizes: As for ``grid``.

    Returns:
        Real numbers of shape ``(cells, axes)``: float64, or float32 in JAX without 64-bit mode.

    Raises:
        EncodingError: As ``grid``, and if ``start`` is another number.

    Example:
        >>> centres(start=-1, h=1, w=4, order="hw").tolist()
        [[0.0, -0.75], [0.0, -0.25], [0.0, 0.25], [0.0, 0.75]]

    References:
        Siméoni et al. 2025, arXiv:2508.10104 (DINOv3), from -1; ``build_normalized_grid`` and the
        like of SAM and its kin, from 0.
    """
    cells, counts = _cells("centres()", order, sizes)
    check(start in (0, -1), "centres(): start", "0 or -1", start)
    return _space(xp).asarray(start + (1 - start) * (cells + 0.5) / counts)


def _cells(where: str, order: str, sizes: Mapping[str, int]) -> tuple[Array, Array]:
    """Whole coordinates of every cell, and how many cells there are along each of them."""
    check(bool(sizes), where, "given sizes by letter", "none", "Such as h=14, w=20.")
    letters = all(len(name) == 1 for name in sizes)
    check(letters, where, "given sizes by single letters", sorted(sizes))
    counts = {name: checked_length(f"{where}: {name}", size) for name, size in sizes.items()}
    matches = sorted(str(order)) == sorted(counts)
    hint = "It says which coordinate comes first."
    check(matches, f"{where}: order", f"the letters {''.join(counts)!r} in some order", order, hint)
    cells = math.prod(counts.values())
    check(cells <= LIMIT, where, f"of at most {LIMIT} cells", cells)
    axes = dict(
        zip(counts, np.indices(tuple(counts.values())).reshape(len(counts), -1), strict=True)
    )
    each = np.array([counts[name] for name in order])
    return np.stack([axes[name] for name in order], axis=-1), each


def _space(xp: Namespace | str | None) -> Namespace:
    return library(xp or "numpy")
