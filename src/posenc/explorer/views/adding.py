"""A word and its position, added or set side by side: what is drowned, and what can be read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from posenc.claims._codes import Matrix, sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

DIMS = (16, 64, 128, 768)
DEVIATIONS = (0.02, 1.0)
"""Of words: as models draw them, and of variance 1."""

_PLACES, _SEEN, _HELD_OUT = 64, 4096, 1024


def scales(dim: int) -> list[float]:
    """Deviations of words, each as it is and times the square root of the width."""
    return [by * deviation for deviation in DEVIATIONS for by in (1.0, math.sqrt(dim))]


@cache
def read_outs() -> Matrix:
    """How often a linear read-out names the position under words that it never saw.

    Returns:
        In tenths of a percent, a row for each width and scale: the share that is right and the
        ends of its 95 % interval, from the sum and from word and position side by side.
    """
    rows = [_read(dim) for dim in DIMS]
    return np.asarray(np.rint(1000 * np.array(rows)), int).reshape(-1, 6)


def _read(dim: int) -> list[list[float]]:
    rng = np.random.default_rng(7)
    places = rng.integers(0, _PLACES, _SEEN + _HELD_OUT)
    drawn = rng.standard_normal((len(places), dim), dtype=np.float32)
    codes = sinusoid(_PLACES, dim=dim).astype(np.float32)[places]
    found = []
    for scale in scales(dim):
        words = drawn * np.float32(scale)
        both = words + codes, np.hstack([words, codes])
        found.append([each for x in both for each in interval(right(x, places))])
    return found


def right(x: Matrix, places: Matrix) -> float:
    """The share right of a read-out fitted to the rows seen: means, each channel over its variance.

    It is linear in x, and has a constant for each position.
    """
    seen, there = x[:_SEEN], places[:_SEEN]
    means = np.array([seen[there == p].mean(0) for p in range(_PLACES)])
    variance = ((seen - means[there]) ** 2).mean(0)
    weights = (means / (variance + 1e-3 * variance.mean())).T
    scores = x[_SEEN:] @ weights - (means.T * weights).sum(0) / 2
    return float((scores.argmax(1) == places[_SEEN:]).mean())


def interval(share: float) -> Iterator[float]:
    """A share, and the ends of its 95 % interval (Wilson 1927)."""
    z, n = 1.96, _HELD_OUT
    middle = share + z**2 / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    yield from (share, (middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n))


view = View(
    chapter="input",
    claims=(
        "input.almost-square",
        "input.squarer-when-wide",
        "input.word-share",
        "input.word-share-unit",
        "input.never-drowned",
        "input.read-from-the-sum",
        "input.concat-is-two-projections",
    ),
    ladders={"paper-768-10000": of(Sinusoidal(dim=768))},
    numbers=lambda: {
        "adding.scales": np.array([scales(dim) for dim in DIMS]),
        "adding.read": read_outs(),
    },
    picture=lambda: _svg.svg(
        [
            _svg.path("M9 71H209", "sin"),
            _svg.path("M9 71V9", "cos", ' stroke-dasharray="6 3"'),
            _svg.path("M9 71L209 9", "mark"),
        ]
    ),
)
