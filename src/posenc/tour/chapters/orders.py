"""Chapter 9 on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from posenc.claims._codes import Matrix
from posenc.claims._turned import pair, scores
from posenc.claims.orders_grid import (
    SIDE,
    grid_code,
    likeness,
    neighbours_found,
    raster_code,
)
from posenc.claims.orders_time import STAMPS, alike, along, turning_pairs
from posenc.figures.text import heat_map, strip
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say


def page(context: Context) -> Iterator[Block]:
    """Positions need not count words: a patch has two, an event has a time, a frame a unit."""
    yield Say("uses")
    yield from _patches(context)
    yield from _stamps()
    yield from _frames(context)


def _patches(context: Context) -> Iterator[Block]:
    yield Say("patches")
    raster, grid = raster_code(), grid_code()
    yield Drawing("maps", _beside(_picture(raster), _picture(grid)))
    here = likeness(raster, 7, 6), likeness(grid, 7, 6)
    ends = likeness(raster, 6, 13), likeness(grid, 6, 13)
    rows = [
        (_word("right", context), *(float(m[7, 7]) for m in here)),
        (_word("below", context), *(float(m[8, 6]) for m in here)),
        (_word("diagonal", context), *(float(m[8, 7]) for m in here)),
        (_word("row-end", context), *(float(m[7, 0]) for m in ends)),
        (_word("found", context), neighbours_found(raster), neighbours_found(grid)),
    ]
    headings = ("", _word("raster", context), _word("two", context))
    yield Grid("neighbours", headings, rows)
    yield Prove(
        [
            "orders.raster-right",
            "orders.raster-below",
            "orders.raster-row-end",
            "orders.raster-strangers",
            "orders.other-width",
            "orders.grid-right",
            "orders.grid-below",
            "orders.grid-even",
            "orders.grid-diagonal",
            "orders.grid-row-end",
            "orders.grid-strangers",
            "orders.grid-map",
        ]
    )


def _picture(code: Matrix) -> str:
    """Likeness to the patch in row 7 and column 6; twice as wide, as characters are tall."""
    return heat_map(np.repeat(likeness(code, 7, 6), 2, axis=1), low=0.4, high=1)


def _beside(left: str, right: str) -> str:
    pairs = zip(left.splitlines(), right.splitlines(), strict=True)
    return "\n".join(f"{a.ljust(2 * SIDE)}  |  {b}" for a, b in pairs)


def _stamps() -> Iterator[Block]:
    yield Say("stamps")
    yield Drawing("events", strip(["n", *range(len(STAMPS))], ["t", *STAMPS]))
    q, k = pair()
    gaps = [(f"{a:g} → {b:g}", b - a) for a, b in pairwise(STAMPS)]
    turned = [float(scores(q, k, [b], [a])[0]) for a, b in pairwise(STAMPS)]
    columns = zip(gaps, along(len(STAMPS)), along(STAMPS), turned, strict=True)
    rows = [(name, round(gap, 9), n, t, score) for (name, gap), n, t, score in columns]
    headings = ("t", "Δt", "cos PE(n), PE(n+1)", "cos PE(t), PE(t+Δt)", "R(t+Δt)q · R(t)k")
    yield Grid("gaps", headings, rows)
    yield Prove(
        [
            "orders.by-index",
            "orders.by-time",
            "orders.real-gap",
            "orders.real-map",
            "orders.real-rotary",
        ]
    )


def _frames(context: Context) -> Iterator[Block]:
    yield Say("frames")
    rows = [
        (_word("next-frame", context), alike(100, 101), alike(100 / 100, 101 / 100)),
        (_word("second-100", context), alike(100, 200), alike(100 / 100, 200 / 100)),
        (_word("second-50", context), alike(50, 100), alike(50 / 50, 100 / 50)),
        (_word("turning", context), turning_pairs(3000), turning_pairs(30)),
    ]
    headings = ("", _word("in-frames", context), _word("in-seconds", context))
    yield Grid("units", headings, rows)
    yield Prove(
        [
            "orders.frame-after-frame",
            "orders.second-in-frames",
            "orders.second-in-seconds",
            "orders.turning",
            "orders.seconds-are-slow-frames",
        ]
    )


def _word(key: str, context: Context) -> str:
    return sentence("tour/orders", key, context.language)
