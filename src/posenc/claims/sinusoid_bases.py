"""Chapter 3: what another base would do, and positions far beyond any text."""

from __future__ import annotations

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import farthest, sinusoid
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

BASES = (100.0, 1e4, 5e5)
"""The paper's, one much smaller, and one of today's long-context models."""


def still_pairs(base: float, tokens: int = 20) -> int:
    """How many of the 32 pairs turn by less than a tenth of a radian over a sentence."""
    return int((tokens * Sinusoidal(dim=64, base=base).frequencies() < 0.1).sum())


def first_below_half(base: float) -> int:
    """The first distance at which two codes have a cosine below one half."""
    rows = sinusoid(400, base=base)
    return int((rows @ rows[0] / 32 < 0.5).argmax())


@part.claim(
    "still-pairs",
    equal=0.0,
    source="A29 C11",
    plain="""
        value = 0
        for base, printed in [(100, 0), (10000, 13), (500000, 19)]:
            w = float(base) ** (-np.arange(0, 64, 2) / 64)
            value = max(value, abs((20 * w < 0.1).sum() - printed))
    """,
)
def _still_pairs() -> float:
    return farthest([still_pairs(base) for base in BASES], [0, 13, 19])


@part.claim(
    "below-half",
    equal=0.0,
    source="A29 C11",
    plain="""
        value = 0
        for base, printed in [(100, 5), (10000, 28), (500000, 78)]:
            w = float(base) ** (-np.arange(0, 64, 2) / 64)
            alike = np.cos(np.arange(200)[:, None] * w).mean(-1)
            value = max(value, abs((alike < 0.5).argmax() - printed))
    """,
)
def _below_half() -> float:
    return farthest([first_below_half(base) for base in BASES], [5, 28, 78])


@part.claim(
    "base-near-one",
    equal=0.453977,
    within=5e-7,
    source="C11",
    plain="""
        w = 1.01 ** (-np.arange(0, 64, 2) / 64)
        k = np.arange(1, 1024)[:, None]
        value = np.sqrt((4 * np.sin(k * w / 2) ** 2).sum(-1)).min()
    """,
)
def _base_near_one() -> float:
    return most_alike(1.01)[1]


def most_alike(base: float) -> tuple[int, float]:
    """The distance below 1024 at which two codes come nearest to each other, and how near."""
    rows = sinusoid(1024, base=base)
    gap = np.linalg.norm(rows[1:] - rows[0], axis=-1)
    return int(gap.argmin()) + 1, float(gap.min())


@part.claim(
    "far",
    at_most=0.0,
    within=1e-9,
    source="A19 A22 W11",
    plain="""
        w = 10000.0 ** (-62 / 64)
        far = [10**6, 2**31 - 1]
        code = [[math.sin(p), math.cos(p), math.sin(p * w), math.cos(p * w)] for p in far]
        printed = [[-0.349993502171, 0.936752127533, 0.986328763639, 0.164789471806],
                   [-0.724916555145, -0.688836691878, 0.325450854611, -0.945558957094]]
        value = np.abs(np.subtract(code, printed)).max()
    """,
)
def _far() -> float:
    printed = [
        [-0.349993502171, 0.936752127533, 0.986328763639, 0.164789471806],
        [-0.724916555145, -0.688836691878, 0.325450854611, -0.945558957094],
    ]
    return farthest(sinusoid([10**6, 2**31 - 1])[:, [0, 1, 62, 63]], printed)


@part.claim(
    "far-looks-near",
    at_least=0.966151,
    within=5e-7,
    verdict="false",
    actual=0.400846,
    source="A22 B14 W11",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        angle = np.arange(2048)[:, None] * w
        code = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
        value = (code[1024:] @ code[:1024].T / 32).max(-1).min()
    """,
)
def _far_looks_near() -> float:
    seen, unseen = sinusoid(1024), sinusoid(range(1024, 2048, 4))
    return float((unseen @ seen.T / 32).max(-1).min())
