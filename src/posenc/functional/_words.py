"""The top 32 bits of a 64-bit product, in a library that has only 32-bit integers."""

from __future__ import annotations

from posenc._typing import Array, Namespace


def high_word(p: Array, high: Array, low: Array, *, negative: Array, xp: Namespace) -> Array:
    """Bits 32 to 63 of p * (high * 2^32 + low), wrapping; all uint32.

    Args:
        p: A position's 32 bits; broadcasts with the rest.
        high: Upper word of the step.
        low: Lower word of the step.
        negative: Where ``p`` stands for p - 2^32, which takes ``low`` off the upper word.
        xp: The array namespace.
    """
    borrowed = xp.where(negative, low, xp.zeros_like(low))
    return p * high + multiply_high(p, low) - borrowed


def multiply_high(a: Array, b: Array) -> Array:
    """The upper 32 bits of the 64-bit product of two uint32, by 16-bit limbs."""
    a1, a0, b1, b0 = a >> 16, a & 0xFFFF, b >> 16, b & 0xFFFF
    cross = a1 * b0 + ((a0 * b0) >> 16)  # no carry is lost: at most 2^32 - 1
    other = a0 * b1 + (cross & 0xFFFF)
    return a1 * b1 + (cross >> 16) + (other >> 16)
