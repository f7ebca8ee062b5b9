"""Positions drawn at random in training, so that longer texts hold no position unseen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.positions._ranges import LIMIT, checked_length


def randomized(
    length: int,
    *,
    limit: int,
    rng: np.random.Generator,
    batch: tuple[int, ...] = (),
    xp: Namespace | str | None = None,
) -> Array:
    """A random rising subset of ``0, ..., limit - 1``: order is kept, distances vary.

    Args:
        length: Tokens in a row.
        limit: Positions to draw from: the longest text ever to be read.
        rng: A NumPy generator; a run is repeated by its seed.
        batch: The shape of the rows, each of which draws its own.
        xp: The library; NumPy by default.

    Returns:
        Rising integers, ``(*batch, length)``.

    Raises:
        EncodingError: If fewer than ``length`` positions are to draw from.

    Example:
        >>> randomized(4, limit=100, rng=np.random.default_rng(0))
        array([26, 50, 62, 82])

    References:
        Ruoss et al. 2023, arXiv:2305.16843, section 3.
    """
    length, limit, rows = _checked("randomized()", length, limit, rng, batch)
    draws = [np.sort(rng.choice(limit, length, replace=False)) for _ in range(rows)]
    return _made(np.reshape(np.array(draws, np.int64), (*batch, length)), xp)


def random_offset(
    length: int,
    *,
    limit: int,
    rng: np.random.Generator,
    batch: tuple[int, ...] = (),
    xp: Namespace | str | None = None,
) -> Array:
    """Consecutive positions from a random start, all below ``limit``.

    Args:
        length: Tokens in a row.
        limit: The longest text ever to be read.
        rng: A NumPy generator.
        batch: The shape of the rows, each of which draws its own start.
        xp: The library; NumPy by default.

    Returns:
        Integers, ``(*batch, length)``.

    Raises:
        EncodingError: If ``limit`` is below ``length``.

    Example:
        >>> random_offset(3, limit=100, rng=np.random.default_rng(0))
        array([83, 84, 85])

    References:
        Kiyono et al. 2021, arXiv:2109.05644 (SHAPE).
    """
    length, limit, _ = _checked("random_offset()", length, limit, rng, batch)
    starts = rng.integers(0, limit - length, size=batch, endpoint=True)
    return _made(np.asarray(starts)[..., None] + np.arange(length), xp)


def _checked(
    where: str, length: object, limit: object, rng: object, batch: Any
) -> tuple[int, int, int]:
    count = checked_length(f"{where}: length", length)
    most = checked_length(f"{where}: limit", limit)
    check(most >= count, f"{where}: limit", f"at least length {count}", most)
    drawn = isinstance(rng, np.random.Generator)
    hint = "Such as numpy.random.default_rng(seed)."
    check(drawn, f"{where}: rng", "a NumPy Generator", rng, hint, error=EncodingTypeError)
    shape = isinstance(batch, tuple)
    check(shape, f"{where}: batch", "a tuple", batch, error=EncodingTypeError)
    rows = math.prod([checked_length(f"{where}: batch", n) for n in batch])
    check(rows * count <= LIMIT, where, f"of at most {LIMIT} positions", rows * count)
    return count, most, rows


def _made(positions: Array, xp: Namespace | str | None) -> Array:
    space: Namespace = library(xp or "numpy")
    return space.asarray(positions)
