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
    points: Array, frequencies: Array, *, xp: Namespace, float64: bool, phases: Array = None
) -> tuple[Array, Array]:
    """cos and sin of the turns ``points @ frequencies + phases``, multiplied out as they stand.

        angle = 2 pi (b + sum_a x[a] W[a]),  each product less its whole turns

    Frequencies that training or a draw gives are known only when the code runs, and gradients go
    through them, so phases are not counted in integers.

    Args:
        points: ``(*lead, coordinates)``, as ``points_of`` gives them.
        frequencies: Turns per unit of each coordinate, ``(coordinates, m)``.
        xp: The array namespace of ``points``.
        float64: Return float64 rather than float32.
        phases: Turns at the origin, ``(m,)``.

    Returns:
        Two arrays of shape ``(*lead, m)``.
    """
    wide = points.dtype
    rates = xp.astype(adopt(frequencies, like=points, xp=xp), wide, copy=False)
    turns = xp.zeros_like(rates[0, :])
    if phases is not None:
        turns = xp.astype(adopt(phases, like=points, xp=xp), wide, copy=False)
    for a in range(rates.shape[0]):
        # Less its whole turns before it is added: the sum keeps the digits that each product has,
        # whether or not a compiler rounds between the two.
        product = points[..., a : a + 1] * rates[a, :]
        turns = turns + (product - xp.round(product))
    angle = turns * math.tau
    real = xp.float64 if float64 else xp.float32
    return xp.astype(xp.cos(angle), real, copy=False), xp.astype(xp.sin(angle), real, copy=False)


def line_and_waves(
    times: Array, frequencies: Array, phases: Array, *, xp: Namespace, float64: bool
) -> Array:
    """``w_0 t + b_0``, then ``sin(w_i t + b_i)``, multiplied out as they stand.

    Args:
        times: ``(*lead, 1)``, as ``points_of`` gives them.
        frequencies: Radians per unit of time, ``(m,)``.
        phases: Radians at time 0, ``(m,)``.
        xp: The array namespace of ``times``.
        float64: Return float64 rather than float32.

    Returns:
        Shape ``(*lead, m)``.
    """
    w, b = (
        xp.astype(adopt(a, like=times, xp=xp), times.dtype, copy=False)
        for a in (frequencies, phases)
    )
    angle = times * w
    # The phase is added by turning: what is added to a large angle loses its digits.
    turned = xp.sin(angle) * xp.cos(b) + xp.cos(angle) * xp.sin(b)
    code = xp.concat([angle[..., :1] + b[:1], turned[..., 1:]], axis=-1)
    return xp.astype(code, xp.float64 if float64 else xp.float32, copy=False)
