"""Tables of consecutive positions by composition, for NumPy without a compiler.

    E(block + row) = E(block) E(row)        # "shifting by a block is a rotation"

takes one complex product a pair in place of a sine and a cosine. Each factor is an exact angle's,
in float64, so the product is off by a last place of float64 and rounds to float32 once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.functional._angles import angles
from posenc.kernels._threads import shared

BLOCK = 512
"""Rows at a time: what is made of them stays in the cache of a core, and NumPy is busy for long
enough at a time for threads to get on beside it."""

Host = np.ndarray[Any, Any]


def consecutive(positions: Host) -> bool:
    """Whether positions are so many in a row, each one after the last, that blocks pay."""
    if positions.ndim != 1 or len(positions) < 4 * BLOCK:
        return False
    first, last = int(positions[0]), int(positions[-1])
    return last - first == len(positions) - 1 and bool((np.diff(positions) == 1).all())


def of_range(first: int, steps: Host, out: tuple[Host, Host]) -> None:
    """Fill two float32 tables, a row for each position from ``first`` on.

    Args:
        first: The first position.
        steps: ``(pairs,)``, int64, in units of 2^-64 turn per position.
        out: Where cos and sin go, ``(count, pairs)`` each.
    """
    count = len(out[0])
    within = _waves(np.arange(BLOCK), steps)
    starts = _waves(first + BLOCK * np.arange(-(-count // BLOCK)), steps)

    def part(first: int, last: int) -> None:
        made = np.empty_like(within)
        for number in range(first, last):
            rows = slice(BLOCK * number, min(BLOCK * (number + 1), count))
            size = rows.stop - rows.start
            np.multiply(within[:size], starts[number], out=made[:size])
            out[0][rows], out[1][rows] = made[:size].real, made[:size].imag

    shared(part, len(starts), size=count * len(steps) * 64)


def _waves(positions: Host, steps: Host) -> Host:
    cos, sin = angles(positions, steps, xp=np, float64=True)
    return np.asarray(cos + 1j * sin)
