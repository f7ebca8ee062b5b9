"""Chapter 11: which pairs meet new angles once a text outgrows the training."""

from __future__ import annotations

import math

import numpy as np

from posenc._facade import tables
from posenc.claims._chapter import Part
from posenc.claims._pairs import TEXTBOOK, TRAINED, turns, unfinished, unseen
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal

part = Part("longer")

_W = "w = 10000.0 ** (-np.arange(0, 128, 2) / 128)\n"


@part.claim(
    "never-turn",
    equal=18,
    source="B17 W11",
    plain=f"""{_W}value = (4096 * w < 2 * np.pi).sum()""",
)
def _never_turn() -> float:
    return float(unfinished(TEXTBOOK, TRAINED).sum())


@part.claim(
    "trained-more",
    equal=0,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
counts = [(length * w < 2 * np.pi).sum() for length in (2048, 4096, 8192)]
value = np.abs(np.array(counts) - (23, 18, 14)).max()
""",
)
def _trained_more() -> float:
    counts = [int(unfinished(TEXTBOOK, length).sum()) for length in (2048, 4096, 8192)]
    return float(np.abs(np.subtract(counts, (23, 18, 14))).max())


@part.claim(
    "fastest-turns",
    equal=651.898647,
    within=5e-7,
    source="arXiv:2309.00071",
    plain="value = 4096 / (2 * np.pi)",
)
def _fastest_turns() -> float:
    return float(turns(TEXTBOOK, TRAINED)[0])


@part.claim(
    "slowest-turns",
    equal=0.075280,
    within=5e-7,
    source="arXiv:2309.00071",
    plain="value = 4096 / (2 * np.pi) * 10000.0 ** (-126 / 128)",
)
def _slowest_turns() -> float:
    return float(turns(TEXTBOOK, TRAINED)[-1])


@part.claim(
    "fast-pairs-first",
    equal=0,
    verdict="false",
    actual=46,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
trained, longer = 4096 * w / (2 * np.pi), 8192 * w / (2 * np.pi)
value = np.flatnonzero((trained < 1) & (longer > trained))[0]
""",
)
def _fast_pairs_first() -> float:
    return float(np.flatnonzero(unseen(TEXTBOOK, TRAINED, 2 * TRAINED))[0])


@part.claim(
    "nothing-but-new",
    equal=0,
    source="arXiv:2309.00071",
    plain=f"""{_W}\
counts = [(length * w < 2 * np.pi).sum() for length in (8192, 16384)]
value = np.abs(np.array(counts) - (14, 9)).max()
""",
)
def _nothing_but_new() -> float:
    counts = [
        int((unseen(TEXTBOOK, TRAINED, n) & (turns(TEXTBOOK, n) < 1)).sum()) for n in (8192, 16384)
    ]
    return float(np.abs(np.subtract(counts, (14, 9))).max())


@part.claim(
    "by-itself",
    equal=0,
    verdict="false",
    actual=18,
    source="W11 A22 B14 B17",
    plain=f"""{_W}\
trained, longer = 4096 * w / (2 * np.pi), 16384 * w / (2 * np.pi)
value = ((trained < 1) & (longer > trained)).sum()
""",
)
def _by_itself() -> float:
    return float(unseen(TEXTBOOK, TRAINED, 4 * TRAINED).sum())


@part.claim(
    "sinusoid-too",
    equal=18,
    source="W11 B17 A26",
    plain="""
        w = np.exp(-np.log(10000) * np.arange(64) / 64)
        value = (4096 * w < 2 * np.pi).sum()
    """,
)
def _sinusoid_too() -> float:
    freqs = Sinusoidal(dim=128).frequencies()
    return float((freqs * TRAINED < math.tau).sum())


@part.claim(
    "slow-for-regions",
    equal=4853,
    source="B10",
    plain="""
        w = 10000.0 ** (-np.arange(48, 64, 2) / 64)
        alike = np.cos(np.arange(6000)[:, None] * w).sum(-1)
        value = np.flatnonzero(np.diff(alike) > 0)[0]
    """,
)
def _slow_for_regions() -> float:
    cos, _ = tables(Rope(dim=64, layout="half"), np.arange(6000), float64=True)
    alike = cos[:, 24:].sum(-1)
    return float(np.flatnonzero(np.diff(alike) > 0)[0])
