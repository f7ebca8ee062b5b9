"""Angles by learned frequencies, which may mix several coordinates and be of each head its own."""

from __future__ import annotations

from posenc._arrays import adopt, has_float64, swapped
from posenc._typing import Array, Namespace


def mixed_angles(
    positions: Array, freqs: Array, *, xp: Namespace, float64: bool = False
) -> tuple[Array, Array]:
    """cos and sin of the sum of ``positions[a] * freqs[a]`` over the coordinates a.

    A learned frequency is a floating-point number that may change at any step, so the angle is
    multiplied out: in float64 wherever the library has it, and then off by 1e-16 of itself. JAX
    as it comes has float32, whose angle is off by up to 2e-7 of the sum of abs(positions * freqs).

    Args:
        positions: ``(*batch, n, coordinates)``.
        freqs: ``(heads, pairs, coordinates)``, in radians per unit of a coordinate.
        xp: The array namespace of ``positions``.
        float64: Return float64, where the library has it.

    Returns:
        Two arrays of shape ``(*batch, heads, n, pairs)``, float32 unless ``float64``.
    """
    wide = xp.float64 if has_float64(positions) else xp.float32
    places = xp.astype(positions, wide)[..., None, :, None, :]
    rates = xp.astype(adopt(freqs, like=positions, xp=xp), wide)[:, None, :, :]
    terms = [places[..., a] * rates[..., a] for a in range(freqs.shape[-1])]
    angle = sum(terms[1:], start=terms[0])
    real = wide if float64 else xp.float32
    return xp.astype(xp.cos(angle), real, copy=False), xp.astype(xp.sin(angle), real, copy=False)


def beside_tokens(table: Array, *, head_axis: int | None, xp: Namespace) -> Array:
    """``(*batch, heads, n, pairs)`` with its heads where tokens have theirs."""
    if head_axis is None:
        return table[..., 0, :, :]
    return table if head_axis == -3 else swapped(table, -3, -2, xp=xp)
