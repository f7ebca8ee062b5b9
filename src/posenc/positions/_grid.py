"""Patches, voxels and frames: several coordinates for each token."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check, check_index, check_known
from posenc.positions._ranges import LIMIT, checked_length


def grid(
    *,
    order: str,
    prefix: int = 0,
    merge: int = 1,
    xp: Namespace | str | None = None,
    **sizes: int,
) -> Array:
    """The coordinates of every cell of a grid, cell after cell.

    Args:
        order: The letters of the axes in the order in which the coordinates are wanted. It has no
            default: models differ, and a square grid hides the mistake.
        prefix: Tokens in front that are in no cell, such as a class token: token j of them is at
            ``(0, ..., 0, j - prefix)``, where ``LearnedGrid`` has rows for them.
        merge: Cells come in blocks of so many along each of the two fastest axes, block after
            block, as patches do that an image tower merges into one token (``spatial_merge_size``
            of Qwen2-VL, GLM-4V and their kin). Other axes stay as they are.
        xp: The library; NumPy by default.
        **sizes: How many cells along each axis, by its letter, slowest first: ``h=14, w=20`` goes
            row by row, as images do when they are flattened.

    Returns:
        Integers of shape ``(prefix + cells, axes)``.

    Raises:
        EncodingError: If the letters do not match, a size has no meaning, or a side is no multiple
            of ``merge``.

    Example:
        >>> grid(h=2, w=3, order="hw").tolist()
        [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
        >>> grid(h=2, w=3, order="wh").tolist()
        [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
        >>> grid(h=1, w=2, order="hw", prefix=1).tolist()
        [[0, -1], [0, 0], [0, 1]]
        >>> grid(h=2, w=4, order="hw", merge=2).tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1], [0, 2], [0, 3], [1, 2], [1, 3]]

    References:
        Of blocks: ``get_vision_position_ids`` of transformers.
    """
    counts = _counts("grid()", order, sizes)
    cells = _in_blocks(_cells(counts, order), counts, merge)
    front = np.zeros((checked_length("grid(): prefix", prefix), len(order)), cells.dtype)
    front[:, -1] = np.arange(-len(front), 0)
    space: Namespace = library(xp or "numpy")
    return space.asarray(np.concatenate([front, cells]))


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
    counts = _counts("middle()", order, sizes)
    of, largest = check_index("middle(): of", of), max(counts.values())
    check(of >= largest, "middle(): of", f"at least {largest}, the largest size", of)
    space: Namespace = library(xp or "numpy")
    return space.asarray(
        _cells(counts, order) + (of - np.array([counts[name] for name in order])) // 2
    )


def centres(
    *,
    order: str,
    start: float = -1.0,
    over: Literal["own", "largest", "smallest"] = "own",
    xp: Namespace | str | None = None,
    **sizes: int,
) -> Array:
    """The centres of the cells of a grid that spans ``start`` to 1, cell after cell.

        c = (i + 1/2) / n             from 0 to 1
        c = 2 (i + 1/2) / n - 1       from -1 to 1

    Args:
        order: As of ``grid``.
        start: -1 or 0.
        over: What n is: the axis' "own" number of cells, or the "largest" or "smallest" of all,
            which keeps cells square but moves the middle of the other axes away from 0.
        xp: The library; NumPy by default.
        **sizes: As of ``grid``.

    Returns:
        Real numbers of shape ``(cells, axes)``.

    Raises:
        EncodingError: As ``grid``.

    Example:
        >>> centres(h=1, w=4, order="hw").tolist()
        [[0.0, -0.75], [0.0, -0.25], [0.0, 0.25], [0.0, 0.75]]

    References:
        Siméoni et al. 2025, arXiv:2508.10104; ``normalize_coords`` "separate", "max" and "min" of
        its code. From 0: the grids of SAM and its kin.
    """
    counts = _counts("centres()", order, sizes)
    check_known(over, _OVER, "centres(): over", "a known rule")
    spans = [_OVER[over](counts[name], counts.values()) for name in order]
    space: Namespace = library(xp or "numpy")
    check(start in (0, -1), "centres(): start", "0 or -1", start)
    return space.asarray(start + (1 - start) * (_cells(counts, order) + 0.5) / np.maximum(spans, 1))


def rescaled(
    *,
    order: str,
    to: int | Mapping[str, int],
    whole: bool = False,
    xp: Namespace | str | None = None,
    **sizes: int,
) -> Array:
    """The cells of a grid on the scale of the grid that a model was trained on.

        i -> i * to / n,  n the number of cells along the axis

    Args:
        order: As of ``grid``.
        to: Cells along each axis in training: one number for all, or one for each letter.
        whole: Round down to integers (CogView4) rather than give real numbers (EVA-02).
        xp: The library; NumPy by default.
        **sizes: As of ``grid``.

    Returns:
        Real numbers, or integers where ``whole``, of shape ``(cells, axes)``.

    Raises:
        EncodingError: As ``grid``, or if ``to`` has other letters.

    Example:
        >>> rescaled(h=1, w=3, order="hw", to=16).tolist()[-1]
        [0.0, 10.666666666666666]
        >>> rescaled(h=1, w=3, order="hw", to=256, whole=True).tolist()
        [[0, 0], [0, 85], [0, 170]]

    References:
        ``ref_feat_shape`` of timm; ``rope_axes_dim`` of CogView4 in diffusers.
    """
    counts = _counts("rescaled()", order, sizes)
    named = dict(to) if isinstance(to, Mapping) else dict.fromkeys(counts, to)
    must = f"one number, or one for each of the letters {''.join(counts)!r}"
    check(named.keys() == counts.keys(), "rescaled(): to", must, to)
    targets = {name: checked_length(f"rescaled(): to[{name!r}]", n) for name, n in named.items()}
    cells = _cells(counts, order) * np.asarray([targets[name] for name in order])
    sides = np.maximum([counts[name] for name in order], 1)
    space: Namespace = library(xp or "numpy")
    return space.asarray(cells // sides if whole else cells / sides)


_OVER: dict[str, Callable[[int, Iterable[int]], int]] = {
    "own": lambda own, every: own,
    "largest": lambda own, every: max(every),
    "smallest": lambda own, every: min(every),
}


def _counts(where: str, order: str, sizes: dict[str, int]) -> dict[str, int]:
    """How many cells each axis has, slowest first."""
    check(bool(sizes), where, "given sizes by letter", "none", "Such as h=14, w=20.")
    letters = all(len(name) == 1 for name in sizes)
    check(letters, where, "given sizes by single letters", sorted(sizes))
    counts = {name: checked_length(f"{where}: {name}", size) for name, size in sizes.items()}
    matches = sorted(str(order)) == sorted(counts)
    hint = "It says which coordinate comes first."
    check(matches, f"{where}: order", f"the letters {''.join(counts)!r} in some order", order, hint)
    cells = math.prod(counts.values())
    check(cells <= LIMIT, where, f"of at most {LIMIT} cells", cells)
    return counts


def _in_blocks(
    cells: np.ndarray[Any, np.dtype[np.int64]], counts: dict[str, int], merge: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The cells block after block along the two fastest axes."""
    merge = check_index("grid(): merge", merge)
    check(merge >= 1, "grid(): merge", "at least 1", merge)
    if merge == 1:
        return cells
    check(len(counts) >= 2, "grid(): merge", "1 where there is a single axis", merge)
    for name in list(counts)[-2:]:
        whole = counts[name] % merge == 0
        check(whole, f"grid(): {name}", f"a multiple of merge {merge}", counts[name])
    *slow, high, wide = counts.values()
    blocks = (math.prod(slow), high // merge, merge, wide // merge, merge, len(counts))
    return cells.reshape(blocks).swapaxes(2, 3).reshape(cells.shape)


def _cells(counts: dict[str, int], order: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The coordinates of every cell, in the order wanted."""
    axes = np.indices(tuple(counts.values())).reshape(len(counts), -1)
    names = list(counts)
    return np.stack([axes[names.index(name)] for name in order], axis=-1)
