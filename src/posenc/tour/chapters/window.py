"""Chapter 10 on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc.claims._codes import farthest
from posenc.claims._turned import tokens, turned
from posenc.claims.window_drift import FORMATS, drift
from posenc.claims.window_slide import (
    NEW,
    STALE,
    WINDOW,
    added_output,
    codes_that_move,
    corrections,
    from_cache,
    turned_output,
)
from posenc.figures.text import strip
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say


def page(context: Context) -> Iterator[Block]:
    """One token in, one token out: what changes, what stays, and what a cache has to do."""
    yield Say("slide")
    yield Drawing("strip", _slide())
    yield Prove(["window.recoded"])
    yield Say("map")
    before, after = codes_that_move()
    rows = [(p, p - 1, float(np.linalg.norm(after[p - 1] - before[p - 1]))) for p in _SHOWN]
    yield Grid("steps", ("p", "p − 1", "|PE(p − 1) − PE(p)|"), rows)
    yield Prove(["window.step", "window.map"])
    yield Say("cache")
    yield _todo(context)
    yield Prove(
        [
            "window.turn-back",
            "window.cache-turned",
            "window.cache-growing",
            "window.cache-untouched",
        ]
    )
    yield Say("added")
    yield Prove(
        [
            "window.added-everything",
            "window.added-no-one-map",
            "window.added-untouched",
            "window.added-growing",
        ]
    )
    yield Say("drift")
    moves = [(name, drift(name, turns=1), drift(name, turns=1000)) for name in FORMATS]
    yield Grid("drifts", ("", "1 × (−1000)", "1000 × (−1)"), moves, digits=7)
    yield Prove(
        [
            "window.one-jump",
            "window.drift",
            "window.drift-float16",
            "window.drift-bfloat16",
        ]
    )


_SHOWN = (1, 2, 1000, 2046)


def _slide() -> str:
    """Where each token stands before and after; a dot is outside the window."""
    names = ["T100", "T101", "T102", "…", f"T{99 + WINDOW}", f"T{100 + WINDOW}"]
    first, last = NEW[:3].tolist(), NEW[-2:].tolist()
    before = [*first, "…", last[1], "·"]
    after = ["·", *first[:2], "…", *last]
    return "\n".join([strip(names, before), strip(names, after).splitlines()[1]])


def _todo(context: Context) -> Grid:
    """What one step costs each way, and how far off the newest output is if it is left undone."""

    def word(key: str) -> str:
        return sentence("tour/window", key, context.language)

    keys, values = (int(np.count_nonzero(np.abs(c).max(-1) > 0)) for c in corrections())
    anew = turned_output(from_cache(turn=-1), WINDOW - 1)
    left = turned_output(from_cache(turn=0), WINDOW - 1)
    grown = turned_output(turned(tokens(WINDOW, 16)[1], NEW + 101), WINDOW + 100)
    moved = int(np.count_nonzero(np.abs(_cached_step()).max(-1) > 0))
    rows = [
        (word("way-added"), keys, values, farthest(added_output(STALE), added_output(NEW))),
        (word("way-turned"), moved, 0, farthest(left, anew)),
        (word("way-growing"), 0, 0, farthest(grown, anew)),
    ]
    return Grid("todo", (word("way"), word("keys"), word("values"), word("undone")), rows)


def _cached_step() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """How much each cached key moves when all of them are turned by -1."""
    return from_cache(turn=-1)[:-1] - from_cache(turn=0)[:-1]
