"""Pictures made of characters, for terminals, logs and mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc.errors import check

__all__ = ["RAMP", "heat_map", "strip"]

RAMP = " .:-=+*#%@"
"""From the lowest value to the highest."""


def heat_map(
    values: Any, *, low: float | None = None, high: float | None = None, ramp: str = RAMP
) -> str:
    """A matrix as lines of characters, one per number, darker for larger.

    Args:
        values: Two-dimensional, finite; the first axis runs down.
        low: The value of the first character; the smallest value by default.
        high: The value of the last one; the largest by default.
        ramp: The characters, at least two.

    Returns:
        Lines of equal length joined by newlines; trailing blanks are kept.

    Example:
        >>> print(heat_map([[1, 0], [-1, 1]]))
        @=
         @
    """
    grid = np.asarray(values, np.float64)
    check(grid.ndim == 2, "heat_map(): values", "two-dimensional", grid.shape)
    check(bool(np.isfinite(grid).all()), "heat_map(): values", "finite", "NaN or infinity")
    check(len(ramp) >= 2, "heat_map(): ramp", "at least two characters", ramp)
    if grid.size == 0:
        return ""
    floor = float(grid.min()) if low is None else low
    ceiling = float(grid.max()) if high is None else high
    span = ceiling - floor or 1.0
    steps = np.clip(np.rint((grid - floor) / span * (len(ramp) - 1)), 0, len(ramp) - 1)
    return "\n".join("".join(ramp[i] for i in row) for row in steps.astype(int).tolist())


def strip(labels: Sequence[object], values: Sequence[object]) -> str:
    """Two aligned lines: what, and its value beneath; for buckets, slopes, turns.

    Example:
        >>> print(strip([0, 1, 20], [0, 17, 26]))
        0  1 20
        0 17 26
    """
    pairs = [(str(a), str(b)) for a, b in zip(labels, values, strict=True)]
    widths = [max(len(a), len(b)) for a, b in pairs]
    lines = (
        " ".join(pair[i].rjust(w) for pair, w in zip(pairs, widths, strict=True)) for i in (0, 1)
    )
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines)
