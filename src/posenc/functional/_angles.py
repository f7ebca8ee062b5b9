"""cos and sin of every frequency at every position, right to the last bits of float32.

Three bodies of one definition, chosen by what the library offers:

- on the host, the whole 64-bit phase becomes a float64 angle within half a turn;
- on a device with 64-bit integers, its top 32 bits become a float32 angle within half a turn;
- on a device without them (JAX as it comes), the top 32 bits are built from 32-bit words.

The bound, for every integer position in (-2^31, 2^31): 1e-7 on the host, 5e-7 on devices.
"""

from __future__ import annotations

import math

from posenc._arrays import adopt, dtype_name, has_int64, is_host, is_integer, is_real
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.functional._turns import RADIANS
from posenc.functional._words import high_word, multiply_high

_QUARTER = 2**30  # a quarter turn, in units of 2^-32 turn
_TOP = 2**32


def angles(
    positions: Array,
    rates: Array,
    *,
    xp: Namespace,
    float64: bool = False,
    axis: Array | None = None,
    fine: Array | None = None,
    stretch: Array | None = None,
) -> tuple[Array, Array]:
    """cos and sin of ``positions * rate`` for every rate.

        phase = p * step mod 2^64          # integers: exact, modulo one turn

    Args:
        positions: Where tokens are, of any shape; integers, or float32 or float64 taken as the
            exact numbers that they are.
        rates: What a position turns by. Integers from ``turns_per_position``, of shape (m,), are
            exact, also as two uint32 words. Floats are radians and are simply multiplied out,
            which is what reference implementations do and what learned frequencies need.
        xp: The array namespace of ``positions``.
        float64: Return float64, with a float64 angle, where the library has it.
        axis: Of positions of several coordinates, on their last axis: which one each rate reads,
            integers of shape (m,).
        fine: Of rates of half a turn or more: the steps of ``1 / stretch`` of a position.
        stretch: What is left of a real position is multiplied by it, a power of two; see ``steps``.

    Returns:
        Two arrays of shape ``(*positions.shape, m)``, or ``(*positions.shape[:-1], m)`` with
        ``axis``; float32 unless ``float64``.
    """
    if axis is None:
        positions = positions[..., None]
    else:
        axis = adopt(axis, like=positions, xp=xp)
        positions = xp.take(positions, axis, axis=-1)
    if is_real(positions) and not is_real(rates):
        # Where values cannot be looked at, what cannot be counted becomes NaN, not a position.
        counted = xp.isfinite(positions) & (
            xp.abs(positions) < (2.0**53 if has_int64(xp) else 2.0**31)
        )
        where = xp.where(counted, positions, xp.zeros_like(positions))
        pair = _angles(where, rates, fine, stretch, xp=xp, float64=float64)
        cos, sin = (xp.where(counted, t, xp.full_like(t, math.nan)) for t in pair)
        return cos, sin
    return _angles(positions, rates, None, None, xp=xp, float64=float64)


def _angles(
    positions: Array,
    rates: Array,
    fine: Array | None,
    stretch: Array | None,
    *,
    xp: Namespace,
    float64: bool,
) -> tuple[Array, Array]:
    rates = adopt(rates, like=positions, xp=xp)
    real = xp.float64 if float64 else xp.float32
    if is_real(rates):
        angle = xp.astype(positions, rates.dtype, copy=False) * rates
        return xp.astype(xp.cos(angle), real), xp.astype(xp.sin(angle), real)
    if dtype_name(rates) == "uint32":
        return _from_quarter(_top_of_words(positions, rates, fine, stretch, xp=xp), xp=xp)
    hint = "Bind again: the scheme was bound while jax_enable_x64 was on."
    check(has_int64(xp), "jax_enable_x64", "on, as it was at bind()", "off", hint)
    if fine is None or is_integer(positions):
        whole, part = _split(positions, xp=xp, integer=xp.int64)
        phase = whole * rates
    else:
        first, left = _stretched(positions, stretch, xp=xp)
        whole, part = _split(left, xp=xp, integer=xp.int64)
        phase = xp.astype(first, xp.int64) * rates
        rates = adopt(fine, like=positions, xp=xp)
        phase = phase + whole * rates
    if is_host(xp) or float64:
        angle = xp.astype(phase, xp.float64) * RADIANS
        if part is not None:
            freqs = xp.astype(rates, xp.float64) * RADIANS
            angle = angle + xp.astype(part, xp.float64) * freqs
        return xp.astype(xp.cos(angle), real), xp.astype(xp.sin(angle), real)
    top = phase >> 32
    if part is not None:
        # 31 bits of the fraction times the upper word of the step stay below 2^63.
        bits = xp.astype(xp.floor(part * 2**31), xp.int64)
        top = top + ((bits * (rates >> 32)) >> 31)
        top = ((top + _TOP // 2) & (_TOP - 1)) - _TOP // 2
    angle = xp.astype(top, xp.float32) * (math.tau / _TOP)
    return xp.cos(angle), xp.sin(angle)


def _stretched(positions: Array, stretch: Array | None, *, xp: Namespace) -> tuple[Array, Array]:
    """Of real positions the whole numbers towards 0, and what is left times a power of two.

    Neither is rounded: towards 0 what is left has the digits that it had.
    """
    whole = xp.trunc(positions)
    return whole, (positions - whole) * xp.astype(
        adopt(stretch, like=positions, xp=xp), positions.dtype
    )


def _split(positions: Array, *, xp: Namespace, integer: object) -> tuple[Array, Array | None]:
    """Whole positions as ``integer``, and what is left of real ones, in [0, 1)."""
    if is_integer(positions):
        return xp.astype(positions, integer, copy=False), None
    whole = xp.floor(positions)
    return xp.astype(whole, integer), positions - whole


def _top_of_words(
    positions: Array, words: Array, fine: Array | None, stretch: Array | None, *, xp: Namespace
) -> Array:
    """The top 32 bits of every phase as uint32, from steps held as two words."""
    if fine is None or is_integer(positions):
        whole, part = _split(positions, xp=xp, integer=xp.int32)
        top = _whole_turns(whole, words, xp=xp)
    else:
        first, left = _stretched(positions, stretch, xp=xp)
        whole, part = _split(left, xp=xp, integer=xp.int32)
        top = _whole_turns(xp.astype(first, xp.int32), words, xp=xp)
        words = adopt(fine, like=positions, xp=xp)
        top = top + _whole_turns(whole, words, xp=xp)
    if part is None:
        return top
    high = words[0]
    bits = xp.astype(part * float(_TOP), xp.uint32)
    backwards = xp.where((high >> 31) == 1, bits, xp.zeros_like(bits))  # a negative frequency
    return top + multiply_high(bits, high) - backwards


def _whole_turns(whole: Array, words: Array, *, xp: Namespace) -> Array:
    p = xp.astype(whole, xp.uint32)
    return high_word(p, words[0], words[1], negative=whole < 0, xp=xp)


def _from_quarter(top: Array, *, xp: Namespace) -> tuple[Array, Array]:
    """cos and sin of a uint32 phase: nearest quarter turn, a short polynomial, swap and sign.

    Within an eighth of a turn the terms left out are below 2e-9; the coefficients are least squares
    fits on that range. Compiled by XLA this is several times faster than its own cos.
    """
    shifted = top + _QUARTER // 2
    quarter = shifted >> 30
    rest = xp.astype(shifted & (_QUARTER - 1), xp.int32) - _QUARTER // 2
    r = xp.astype(rest, xp.float32) * (math.tau / _TOP)
    s = r * r
    cos = 1 + s * (-0.5 + s * (4.166664622e-2 + s * (-1.388734087e-3 + s * 2.443577910e-5)))
    sin = r + r * s * (-1.666665018e-1 + s * (8.331957430e-3 + s * -1.949342772e-4))
    swapped = (quarter & 1) == 1
    a, b = xp.where(swapped, sin, cos), xp.where(swapped, cos, sin)
    flip_a = ((quarter + 1) & 2) == 2
    flip_b = (quarter & 2) == 2
    return xp.where(flip_a, -a, a), xp.where(flip_b, -b, b)
