"""Chapter 9: a picture of 14 x 14 patches, by raster number and by row and column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, cosine, farthest, sinusoid
from posenc.claims._turned import Vector, ladder, worst
from posenc.specs._sinusoidal import Sinusoidal

part = Part("orders")

SIDE = 14
"""Patches along each side: a picture of 224 x 224 cut into patches of 16 x 16."""

_CODES = """\
def code(p, d):
    a = np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / d))
    return np.concatenate([np.sin(a), np.cos(a)], -1) / 32 ** 0.5
n = np.arange(196)
"""
_RASTER = f"""{_CODES}\
c = code(n, 64)
"""
_GRID = f"""{_CODES}\
c = np.concatenate([code(n // 14, 32), code(n % 14, 32)], -1)
"""
_MARGIN = """\
inner = [p for p in n if 0 < p // 14 < 13 and 0 < p % 14 < 13]
near = lambda p: [p - 1, p + 1, p - 14, p + 14]
value = min((c[near(p)] @ c[p]).min() - np.delete(c @ c[p], [p, *near(p)]).max() for p in inner)
"""


def raster_code(side: int = SIDE) -> Matrix:
    """Each patch by its number in reading order, 64 channels."""
    return sinusoid(side * side)


def grid_code(side: int = SIDE) -> Matrix:
    """Each patch by its row, 32 channels, and by its column, 32 more."""
    row, column = np.divmod(np.arange(side * side), side)
    return np.concatenate([sinusoid(row, dim=32), sinusoid(column, dim=32)], axis=-1)


def likeness(code: Matrix, row: int, column: int) -> Matrix:
    """Cosine of every patch's code with that of one patch, ``(SIDE, SIDE)``."""
    sizes = np.linalg.norm(code, axis=-1)
    here = row * SIDE + column
    return np.asarray((code @ code[here] / (sizes * sizes[here])).reshape(SIDE, SIDE))


def _between(code: Matrix, down: int, right: int) -> Any:
    """Cosines of all patches with the one so far down and to the right of them."""
    grid = code.reshape(SIDE, SIDE, -1)
    here, there = grid[: SIDE - down, : SIDE - right], grid[down:, right:]
    sizes = np.linalg.norm(here, axis=-1) * np.linalg.norm(there, axis=-1)
    return (here * there).sum(-1) / sizes


def _neighbourhoods(code: Matrix) -> Iterator[tuple[Vector, Vector]]:
    """For each inner patch, cosines with its four neighbours, and with all other patches."""
    sizes = np.linalg.norm(code, axis=-1)
    alike = code @ code.T / np.outer(sizes, sizes)
    for row in range(1, SIDE - 1):
        for column in range(1, SIDE - 1):
            here = row * SIDE + column
            near = [here - 1, here + 1, here - SIDE, here + SIDE]
            yield alike[here, near], np.delete(alike[here], [here, *near])


def margin(code: Matrix) -> float:
    """By how much a neighbour is nearer in code than any stranger, at the worst inner patch."""
    return min(float(near.min() - far.max()) for near, far in _neighbourhoods(code))


def neighbours_found(code: Matrix) -> float:
    """How many of four neighbours are nearer in code than all strangers: mean of inner patches."""
    found = [np.count_nonzero(near > far.max()) for near, far in _neighbourhoods(code)]
    return float(np.mean(found))


@part.claim(
    "raster-right",
    equal=0.966151,
    within=5e-7,
    source="N9 B19",
    plain=f"""{_RASTER}\
s = np.array([c[p] @ c[p + 1] for p in n if p % 14 < 13])
value = s[np.abs(s - 0.966151).argmax()]
""",
)
def _raster_right() -> float:
    return worst(_between(raster_code(), 0, 1), 0.966151)


@part.claim(
    "raster-below",
    equal=0.631262,
    within=5e-7,
    source="N9 B19",
    plain=f"""{_RASTER}\
s = np.array([c[p] @ c[p + 14] for p in n[:-14]])
value = s[np.abs(s - 0.631262).argmax()]
""",
)
def _raster_below() -> float:
    return worst(_between(raster_code(), 1, 0), 0.631262)


@part.claim(
    "raster-row-end",
    at_most=0.7,
    within=5e-7,
    verdict="false",
    actual=0.966151,
    source="N9",
    plain=f"""{_RASTER}\
value = max(c[p] @ c[p + 1] for p in n[:-1] if p % 14 == 13)
""",
)
def _raster_row_end() -> float:
    code = raster_code()
    ends = range(SIDE - 1, SIDE * SIDE - 1, SIDE)
    return max(cosine(code[p], code[p + 1]) for p in ends)


@part.claim(
    "raster-strangers",
    equal=-0.253234,
    within=5e-7,
    source="N9 B19",
    plain=f"{_RASTER}{_MARGIN}",
)
def _raster_strangers() -> float:
    return margin(raster_code())


@part.claim(
    "other-width",
    equal=0.605401,
    within=5e-7,
    source="N9 B19",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        value = np.cos(16 * w).mean()
    """,
)
def _other_width() -> float:
    code = raster_code(16)
    return cosine(code[100], code[100 + 16])


@part.claim(
    "grid-right",
    equal=0.978552,
    within=5e-7,
    source="N9 B19",
    plain=f"""{_GRID}\
s = np.array([c[p] @ c[p + 1] for p in n if p % 14 < 13])
value = s[np.abs(s - 0.978552).argmax()]
""",
)
def _grid_right() -> float:
    return worst(_between(grid_code(), 0, 1), 0.978552)


@part.claim(
    "grid-below",
    equal=0.978552,
    within=5e-7,
    source="N9 B19",
    plain=f"""{_GRID}\
s = np.array([c[p] @ c[p + 14] for p in n[:-14]])
value = s[np.abs(s - 0.978552).argmax()]
""",
)
def _grid_below() -> float:
    return worst(_between(grid_code(), 1, 0), 0.978552)


@part.claim(
    "grid-even",
    at_most=1e-14,
    source="N9",
    plain=f"""{_GRID}\
a = np.array([c[p] @ c[p + 1] for p in n if p % 14 < 13])
b = np.array([c[p] @ c[p + 14] for p in n[:-14]])
value = np.abs(a[:, None] - b).max()
""",
)
def _grid_even() -> float:
    code = grid_code()
    # One number for all pairs of neighbours: that of either half, the other half being equal.
    same = (1 + np.cos(ladder(32)).mean()) / 2
    return max(farthest(_between(code, *step), same) for step in ((0, 1), (1, 0)))


@part.claim(
    "grid-diagonal",
    equal=0.957103,
    within=5e-7,
    source="N9",
    plain=f"""{_GRID}\
s = np.array([c[p] @ c[p + 15] for p in n[:-15] if p % 14 < 13])
value = s[np.abs(s - 0.957103).argmax()]
""",
)
def _grid_diagonal() -> float:
    return worst(_between(grid_code(), 1, 1), 0.957103)


@part.claim(
    "grid-row-end",
    equal=0.824599,
    within=5e-7,
    source="N9",
    plain=f"""{_GRID}\
value = max(c[p] @ c[p + 1] for p in n[:-1] if p % 14 == 13)
""",
)
def _grid_row_end() -> float:
    code = grid_code()
    ends = range(SIDE - 1, SIDE * SIDE - 1, SIDE)
    return worst([cosine(code[p], code[p + 1]) for p in ends], 0.824599)


@part.claim(
    "grid-strangers",
    equal=0.021448,
    within=5e-7,
    source="N9 B19",
    plain=f"{_GRID}{_MARGIN}",
)
def _grid_strangers() -> float:
    return margin(grid_code())


@part.claim(
    "grid-map",
    at_most=1e-13,
    source="N9 B19",
    plain="""
        w = 10000.0 ** (-np.arange(0, 32, 2) / 32)
        z = np.exp(1j * np.arange(14)[:, None] * w)
        c = np.array([[np.r_[z[row], z[column]] for column in range(14)] for row in range(14)])
        step = np.r_[np.exp(2j * w), np.exp(3j * w)]
        value = np.abs(c[:-2, :-3] * step - c[2:, 3:]).max()
    """,
)
def _grid_map() -> float:
    code, half = grid_code().reshape(SIDE, SIDE, 64), Sinusoidal(dim=32)
    rows = code[:-2, :-3, :32] @ half.shift(2).T
    columns = code[:-2, :-3, 32:] @ half.shift(3).T
    return max(farthest(rows, code[2:, 3:, :32]), farthest(columns, code[2:, 3:, 32:]))
