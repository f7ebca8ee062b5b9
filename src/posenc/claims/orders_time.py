"""Chapter 9: real numbers as positions: irregular time stamps, frames and seconds."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from posenc._facade import tables
from posenc.claims._chapter import Part
from posenc.claims._codes import cosine, farthest, sinusoid
from posenc.claims._turned import ladder, pair, scores, spun, worst
from posenc.specs._rope import Rope
from posenc.specs._scaling import Linear
from posenc.specs._sinusoidal import Sinusoidal

part = Part("orders")

STAMPS = (0.0, 0.4, 0.5, 3.0, 3.2)
"""When five events happened, in seconds."""

_LADDER = """\
w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
"""


def along(positions: Any) -> list[float]:
    """Cosines of the codes of each event and the next."""
    rows = sinusoid(positions)
    return [cosine(a, b) for a, b in pairwise(rows)]


def alike(a: float, b: float) -> float:
    """Cosine of the codes of two positions, whole or not."""
    rows = sinusoid([a, b])
    return cosine(rows[0], rows[1])


def turning_pairs(span: float) -> int:
    """How many of the 32 pairs finish a turn while the position grows by ``span``."""
    return int(np.count_nonzero(Sinusoidal(dim=64).frequencies() * span >= math.tau))


@part.claim(
    "by-index",
    equal=0.966151,
    within=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
value = np.cos(w).mean()
""",
)
def _by_index() -> float:
    return worst(along(len(STAMPS)), 0.966151)


@part.claim(
    "by-time",
    at_most=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
gaps = np.diff([0.0, 0.4, 0.5, 3.0, 3.2])
cosines = np.cos(gaps[:, None] * w).mean(-1)
value = np.abs(cosines - [0.994336, 0.999643, 0.839595, 0.998575]).max()
""",
)
def _by_time() -> float:
    return farthest(np.array(along(STAMPS)), [0.994336, 0.999643, 0.839595, 0.998575])


@part.claim(
    "real-gap",
    equal=0.995017,
    within=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
a = np.arange(2003)[:, None] / 8 * w
s = (np.sin(a[3:]) * np.sin(a[:-3]) + np.cos(a[3:]) * np.cos(a[:-3])).mean(-1)
value = s[np.abs(s - 0.995017).argmax()]
""",
)
def _real_gap() -> float:
    code = sinusoid(np.arange(2003) / 8)
    return worst((code[3:] * code[:-3]).sum(-1) / 32, 0.995017)


@part.claim(
    "real-map",
    at_most=1e-12,
    source="B19",
    plain=f"""{_LADDER}\
t = np.arange(2000)[:, None] / 7
value = np.abs(np.exp(1j * t * w) * np.exp(0.37j * w) - np.exp(1j * (t + 0.37) * w)).max()
""",
)
def _real_map() -> float:
    times = np.arange(2000) / 7
    shift = Sinusoidal(dim=64).shift(0.37)
    return farthest(sinusoid(times) @ shift.T, sinusoid(times + 0.37))


@part.claim(
    "real-rotary",
    at_most=1e-12,
    source="B4 B19",
    plain="""
        w = 10000.0 ** (-np.arange(4) / 4)
        q, k = np.random.default_rng(0).standard_normal((2, 8))
        turn = lambda x, t: (x[:4] + 1j * x[4:]) * np.exp(1j * t * w)
        score = lambda t, s: (turn(q, t) * turn(k, s).conj()).real.sum()
        value = max(abs(score(n / 8 + 0.375, n / 8) - score(0.375, 0)) for n in range(2000))
    """,
)
def _real_rotary() -> float:
    q, k = pair()
    times = np.arange(2000) / 8
    closed = (spun(q, 0.375) * spun(k, 0).conj()).real.sum()
    return farthest(scores(q, k, times + 0.375, times), closed)


@part.claim(
    "frame-after-frame",
    equal=0.999996,
    within=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
value = np.cos(0.01 * w).mean()
""",
)
def _frame_after_frame() -> float:
    return worst(along(np.arange(300) / 100), 0.999996)


@part.claim(
    "second-in-frames",
    at_most=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
value = max(abs(np.cos(100 * w).mean() - 0.558583), abs(np.cos(50 * w).mean() - 0.489806))
""",
)
def _second_in_frames() -> float:
    return farthest(np.array([alike(200, 300), alike(100, 150)]), [0.558583, 0.489806])


@part.claim(
    "second-in-seconds",
    equal=0.966151,
    within=5e-7,
    source="B4 B19",
    plain=f"""{_LADDER}\
value = np.cos(w * (300 / 100 - 200 / 100)).mean()
""",
)
def _second_in_seconds() -> float:
    return worst([alike(200 / 100, 300 / 100), alike(100 / 50, 150 / 50)], 0.966151)


@part.claim(
    "turning",
    equal=0.0,
    source="B4 B19",
    plain=f"""{_LADDER}\
frames, seconds = (np.count_nonzero(span * w >= 2 * np.pi) for span in (3000, 30))
value = max(abs(frames - 22), abs(seconds - 6))
""",
)
def _turning() -> float:
    return float(max(abs(turning_pairs(3000) - 22), abs(turning_pairs(30) - 6)))


@part.claim(
    "seconds-are-slow-frames",
    at_most=1e-12,
    source="B4 B19",
    plain=f"""{_LADDER}\
frames = np.arange(3000)[:, None]
value = np.abs(np.exp(1j * frames * (w / 100)) - np.exp(1j * (frames / 100) * w)).max()
""",
)
def _seconds_are_slow_frames() -> float:
    slowed = Rope(dim=64, layout="half", scaling=Linear(factor=100.0))
    frames = np.arange(3000)
    cos, sin = tables(slowed, frames, float64=True)
    other_cos, other_sin = tables(Rope(dim=64, layout="half"), frames / 100, float64=True)
    by_hand = np.exp(1j * frames[:, None] / 100 * ladder(64))
    return max(farthest(cos + 1j * sin, by_hand), farthest(other_cos + 1j * other_sin, by_hand))
