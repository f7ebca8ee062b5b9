"""A word and its position, added or set side by side: what is drowned, and what can be read."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

SCALES = (0.02, 0.16, 1.0)
"""Deviations of words: as models draw them, times the square root of 64, and of variance 1."""

_PLACES, _SEEN, _HELD_OUT = 64, 4096, 2048


@cache
def read_out(scale: float, *, beside: bool) -> tuple[float, float, float]:
    """How often a linear map, fitted to some words, names the position under words it never saw.

    Returns:
        The share that is right, and the ends of its 95 % interval (Wilson 1927).
    """
    rng = np.random.default_rng(7)
    count = _SEEN + _HELD_OUT
    places = rng.integers(0, _PLACES, count)
    words, codes = rng.normal(0, scale, (count, 64)), sinusoid(_PLACES)[places]
    x = np.hstack([words, codes]) if beside else words + codes
    x = np.hstack([x, np.ones((count, 1))])
    fitted = np.linalg.lstsq(x[:_SEEN], np.eye(_PLACES)[places[:_SEEN]], rcond=None)[0]
    right = float(((x[_SEEN:] @ fitted).argmax(1) == places[_SEEN:]).mean())
    z, n = 1.96, _HELD_OUT
    middle = right + z**2 / (2 * n)
    half = z * math.sqrt(right * (1 - right) / n + z**2 / (4 * n**2))
    return right, (middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)


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
        "adding.sum": np.array([read_out(scale, beside=False) for scale in SCALES]),
        "adding.beside": np.array([read_out(1.0, beside=True)]),
    },
    picture=lambda: _svg.bars(
        sinusoid([12])[0, :32] + np.random.default_rng(7).normal(size=32), largest=3
    ),
)
