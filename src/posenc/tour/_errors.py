"""What float32 angles and exact ones are off by, measured as the page is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posenc._facade import tables
from posenc.claims._codes import Matrix
from posenc.specs._rope import Rope
from posenc.tour._blocks import Grid


def cosine_errors(spec: Rope, length: int) -> tuple[Matrix, Matrix]:
    """Of each pair, the largest error of a cosine in the 64 positions before ``length``.

    Returns:
        With phases counted in turns, and with angles formed in float32.
    """
    where = np.arange(max(0, length - 64), length)
    true, _ = tables(spec, where, length=length, float64=True)
    exact, _ = tables(spec, where, length=length)
    rounded, _ = tables(spec, where, length=length, arithmetic="float32")
    return np.abs(exact - true).max(0), np.abs(rounded - true).max(0)


def error_table(title: str, spec: Rope, lengths: Sequence[int]) -> Grid:
    """Per length: the step of bfloat16 there, the error of float32 angles, and ours."""
    rows = []
    for n in lengths:
        exact, rounded = cosine_errors(spec, n)
        step = max(1, 2 ** ((n - 1).bit_length() - 8))  # of eight significant bits
        rows.append((n, step, float(rounded.max()), float(exact.max())))
    return Grid(title, ("n", "Δ bfloat16", "float32", "2⁻⁶⁴"), rows, digits=5)
