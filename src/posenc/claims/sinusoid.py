"""Chapter 3: the sinusoidal code under the microscope."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Chapter
from posenc.claims._codes import cosine, sinusoid

chapter = Chapter("sinusoid")


@chapter.claim(
    "norm",
    equal=math.sqrt(32),
    within=1e-12,
    source="N2 W16 B20",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        angle = np.arange(1024)[:, None] * w
        size = np.sqrt((np.sin(angle) ** 2 + np.cos(angle) ** 2).sum(-1))
        value = size[np.abs(size - size[0]).argmax()]
    """,
)
def _norm() -> float:
    size = np.linalg.norm(sinusoid(1024), axis=-1)
    return float(size[np.abs(size - size[0]).argmax()])


@chapter.claim(
    "longest-period",
    equal=math.tau * 10_000,
    within=0.01,
    verdict="false",
    actual=47117.242780,
    source="W2 C10 N2",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        value = 2 * np.pi / w[-1]
    """,
)
def _longest_period() -> float:
    from posenc.specs._sinusoidal import Sinusoidal

    return float(math.tau / Sinusoidal(dim=64).frequencies()[-1])


@chapter.claim(
    "neighbour-cosine",
    equal=0.966151,
    within=5e-7,
    source="N2 B12",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        value = np.cos(w).mean()
    """,
)
def _neighbour_cosine() -> float:
    rows = sinusoid([500, 501])
    return cosine(rows[0], rows[1])
