"""Waves of coordinates: the order they stand in, and angles where frequencies are learned."""

from __future__ import annotations

import math
from typing import Any

from posenc._arrays import adopt
from posenc._typing import Array, Namespace

ORDERS = (
    "coordinate-band-wave",
    "band-wave-coordinate",
    "wave-band-coordinate",
    "wave-coordinate-band",
)
"""What changes slowest along the channels, what fastest: one word each."""


def ordered(
    cos: Array, sin: Array, *, coordinates: int, order: str, sin_first: bool, xp: Namespace
) -> Array:
    """Lay out the waves of every coordinate in every band.

    Args:
        cos: One column per coordinate and band, the bands of a coordinate together.
        sin: The same shape.
        coordinates: How many there are.
        order: One of ``ORDERS``.
        sin_first: Which of the two waves comes first.
        xp: The array namespace.

    Returns:
        Shape ``(*lead, 2 m)`` for m columns.
    """
    *lead, columns = cos.shape
    both = xp.stack([sin, cos] if sin_first else [cos, sin], axis=-2)
    both = xp.reshape(both, (*lead, 2, coordinates, columns // coordinates))
    names = ("wave", "coordinate", "band")
    axes = [len(lead) + names.index(name) for name in order.split("-")]
    both = xp.permute_dims(both, (*range(len(lead)), *axes))
    return xp.reshape(both, (*lead, 2 * columns))


def points_of(positions: Array, *, coordinates: int, real: Any, xp: Namespace) -> Array:
    """Positions as real numbers of dtype ``real``, ``(*lead, coordinates)``."""
    points = positions if coordinates > 1 else positions[..., None]
    return xp.astype(points, real, copy=False)


def turned(
    points: Array, frequencies: Array, *, xp: Namespace, float64: bool
) -> tuple[Array, Array]:
    """cos and sin of the turns ``points @ frequencies``, multiplied out as they stand.

        angle = 2 pi sum_a x[a] W[a],  each product less its whole turns

    Frequencies that training or a draw gives are known only when the code runs, and gradients go
    through them, so phases are not counted in integers.

    Args:
        points: ``(*lead, coordinates)``, as ``points_of`` gives them.
        frequencies: Turns per unit of each coordinate, ``(coordinates, m)``.
        xp: The array namespace of ``points``.
        float64: Return float64 rather than float32.

    Returns:
        Two arrays of shape ``(*lead, m)``.
    """
    rates = xp.astype(adopt(frequencies, like=points, xp=xp), points.dtype, copy=False)
    turns = 0.0
    for a in range(rates.shape[0]):
        # Less its whole turns before it is added: the sum keeps the digits that each product has,
        # whether or not a compiler rounds between the two.
        product = points[..., a : a + 1] * rates[a, :]
        turns = turns + (product - xp.round(product))
    return _waves(turns * math.tau, xp=xp, float64=float64)


def swung(
    times: Array, frequencies: Array, *, xp: Namespace, float64: bool
) -> tuple[Array, Array, Array]:
    """The angles ``times * frequencies`` themselves, their cos and their sin.

    Args:
        times: ``(*lead, 1)``, as ``points_of`` gives them.
        frequencies: Radians per unit of time, ``(m,)``.
        xp: The array namespace of ``times``.
        float64: Return float64 rather than float32.
    """
    angle = times * xp.astype(adopt(frequencies, like=times, xp=xp), times.dtype, copy=False)
    cos, sin = _waves(angle, xp=xp, float64=float64)
    return xp.astype(angle, cos.dtype, copy=False), cos, sin


def shifted(cos: Array, sin: Array, phases: Array, *, xp: Namespace) -> tuple[Array, Array]:
    """cos and sin of angles to which ``phases`` are added, radians.

    By turning: what is added to a large angle itself loses its digits.
    """
    phases = xp.astype(adopt(phases, like=cos, xp=xp), cos.dtype, copy=False)
    b, c = xp.sin(phases), xp.cos(phases)
    return cos * c - sin * b, sin * c + cos * b


def _waves(angle: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
    real = xp.float64 if float64 else xp.float32
    return xp.astype(xp.cos(angle), real, copy=False), xp.astype(xp.sin(angle), real, copy=False)
