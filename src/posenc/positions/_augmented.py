"""Positions moved and stretched at random in training, so that a code is learned as relative."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc._arrays import adopt, has_int64, namespace
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check, check_index
from posenc.positions._check import check_positions

_WHERE = "augmented()"


def augmented(
    positions: Array,
    *,
    rng: np.random.Generator | None,
    global_shift: float = 0.0,
    local_shift: float = 0.0,
    scaling: float = 1.0,
    centered: bool = False,
    coordinates: int = 1,
) -> Array:
    """Positions for a sinusoid that augmentation makes relative: CAPE.

        p' = (p - mean + D + e) s,  D in [-global, global], e in +-local/2, ln s in +-ln scaling

    D and s are drawn once a row (D for each coordinate), e for every token. What comes back goes
    into ``Sinusoidal``, whose code CAPE adds to tokens. For cells of images, from -1 to 1, it has
    waves in directions of k = 0, 1, ... radians:

        turns = 10 ** ((k + 1) / bands) / 2
        spec = RandomFourier(dim=2 * bands, coordinates=2, waves="cos-sin")
        arrays = {"frequencies": turns * numpy.stack([numpy.cos(k), numpy.sin(k)])}

    Args:
        positions: ``(n,)`` or ``(*batch, n)``; with several coordinates they are on one more axis.
        rng: A NumPy generator; None for evaluation, which only centers.
        global_shift: How far a row is moved at most, in units of position.
        local_shift: The width that a token is moved within: up to 1 of the distance between
            tokens keeps their order.
        scaling: The largest factor, at least 1; its inverse is the smallest.
        centered: Whether the mean of each row is taken off first.
        coordinates: How many numbers a position has.

    Returns:
        Real positions of the same shape: float64, or float32 where the library has no other.

    Raises:
        EncodingError: If a bound has no meaning, or positions lack their coordinates.

    Example:
        >>> augmented(np.arange(4), rng=None, centered=True)
        array([-1.5, -0.5,  0.5,  1.5])

    References:
        Likhomanenko et al. 2021, arXiv:2106.03143, section 3.
    """
    positions = check_positions(f"{_WHERE}: positions", positions)
    count = check_index(f"{_WHERE}: coordinates", coordinates)
    check(count >= 1, f"{_WHERE}: coordinates", "at least 1", coordinates)
    shape = tuple(positions.shape)
    fits = count == 1 or (len(shape) > 1 and shape[-1] == count)
    check(fits, f"{_WHERE}: positions", f"of shape (*batch, n, {count})", shape)
    far, near = _size("global_shift", global_shift, 0.0), _size("local_shift", local_shift, 0.0)
    factor = math.log(_size("scaling", scaling, 1.0))
    xp = namespace(positions)
    at = xp.astype(positions, xp.float64 if has_int64(xp) else xp.float32)
    tokens = -1 if count == 1 else -2
    flag = isinstance(centered, bool)
    check(flag, f"{_WHERE}: centered", "True or False", centered, error=EncodingTypeError)
    if centered and shape[tokens]:
        at = at - xp.mean(at, axis=tokens, keepdims=True)
    if rng is None:
        return at
    drawn = isinstance(rng, np.random.Generator)
    hint = "Such as numpy.random.default_rng(seed); None outside of training."
    check(drawn, f"{_WHERE}: rng", "a NumPy Generator", rng, hint, error=EncodingTypeError)
    row = [*shape]
    row[tokens] = 1
    moved = rng.uniform(-far, far, row) + rng.uniform(-near / 2, near / 2, shape)
    one = row if count == 1 else [*row[:-1], 1]
    stretched = np.exp(rng.uniform(-factor, factor, one))
    return (at + _like(moved, at, xp)) * _like(stretched, at, xp)


def _like(values: np.ndarray[Any, Any], at: Array, xp: Namespace) -> Array:
    return xp.astype(adopt(values, like=at, xp=xp), at.dtype, copy=False)


def _size(name: str, value: Any, least: float) -> float:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    check(real, f"{_WHERE}: {name}", "a number", value, error=EncodingTypeError)
    within = least <= value <= 1e9
    check(within, f"{_WHERE}: {name}", f"at least {least:g} and at most 1e9", value)
    return float(value)
