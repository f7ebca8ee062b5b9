"""Tables of consecutive positions without a compiler: the same numbers, made of few."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc.functional._angles import angles
from posenc.kernels._range import BLOCK, consecutive, of_range

STEPS = posenc.Rope(dim=10, layout="half").constants()["rates"]


@pytest.mark.parametrize("first", [0, 70_001, -300, 2**31 - 1 - 5 * BLOCK])
@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, 4 * BLOCK + 7])
def test_every_row_is_exact(first: int, count: int) -> None:
    out = np.zeros((count, 5), np.float32), np.zeros((count, 5), np.float32)
    of_range(first, STEPS, out)
    due = angles(first + np.arange(count), STEPS, xp=np, float64=True)
    for made, true in zip(out, due, strict=True):
        np.testing.assert_allclose(made, true, atol=3.1e-8, rtol=0)


def test_what_is_consecutive() -> None:
    row = np.arange(70_001, 70_001 + 4 * BLOCK)
    assert consecutive(row)
    assert not consecutive(row[:-1])
    assert not consecutive(row[::-1])
    assert not consecutive(row[None])
    gap = row.copy()
    gap[[5, 6]] = gap[[6, 5]]
    assert not consecutive(gap)


def test_it_is_taken_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    rope, taken = posenc.Rope(dim=10, layout="half"), []
    monkeypatch.setattr("posenc.kernels._angles.compiled", lambda: False)
    monkeypatch.setattr(
        "posenc.kernels._angles.of_range", lambda *given: taken.append(of_range(*given))
    )
    row = np.arange(8, 8 + 4 * BLOCK)
    cos, _ = posenc.tables(rope, row)
    assert len(taken) == 1
    np.testing.assert_allclose(cos, np.cos(row[:, None] * rope.frequencies()), atol=1e-7)
    posenc.tables(rope, row[::2])
    assert len(taken) == 1
