"""Chapter 2: the first ideas everyone has, and what the sinusoid does better than each."""

from __future__ import annotations

import numpy as np

from posenc._facade import bind
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, code, cosine, farthest, sinusoid
from posenc.claims._models import learned_error
from posenc.specs._learned import Learned, RandomDirections
from posenc.specs._naive import OneHot

part = Part("naive")

_WAVES = """\
def P(p, d=64):
    z = p * 10000.0 ** (-np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(z), np.cos(z)], -1)
"""
_DRAWN = """\
drawn = np.random.default_rng(0).normal(size=(1024, 768))
unit = drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)
"""


def distances(rows: Matrix) -> Matrix:
    """The distance between every two rows; infinite from a row to itself."""
    size = (rows**2).sum(-1)
    squared = np.maximum(size[:, None] + size - 2 * rows @ rows.T, 0.0)
    np.fill_diagonal(squared, np.inf)
    return np.asarray(np.sqrt(squared))


def directions() -> Matrix:
    """1024 directions in 768 dimensions."""
    return code(RandomDirections(rows=1024, dim=768), 1024)


@part.claim(
    "one-hot",
    at_most=0.0,
    within=1e-12,
    source="B12",
    plain="""
        rows = np.eye(64)
        apart = np.linalg.norm(rows[:, None] - rows, axis=-1)
        value = np.abs(apart[~np.eye(64, dtype=bool)] - math.sqrt(2)).max()
    """,
)
def _one_hot() -> float:
    apart = distances(code(OneHot(rows=64), 64))
    return farthest(apart[np.isfinite(apart)], np.sqrt(2))


@part.claim(
    "neighbours",
    equal=0.966151,
    within=5e-7,
    source="B12 N2",
    plain=f"""{_WAVES}\
wave = P(7) @ P(8) / np.linalg.norm(P(7)) / np.linalg.norm(P(8))
value = wave - np.eye(64)[7] @ np.eye(64)[8]
""",
)
def _neighbours() -> float:
    wave, hot = sinusoid([7, 8]), code(OneHot(rows=64), [7, 8])
    return cosine(wave[0], wave[1]) - cosine(hot[0], hot[1])


@part.claim(
    "directions",
    equal=0.003,
    within=5e-4,
    source="C4 N9",
    plain=f"{_DRAWN}value = (unit[:-1] * unit[1:]).sum(-1).mean()",
)
def _directions() -> float:
    unit = directions()
    return float((unit[:-1] * unit[1:]).sum(-1).mean())


@part.claim(
    "directions-largest",
    equal=0.182,
    within=5e-4,
    source="C4 N9",
    plain=f"{_DRAWN}value = np.abs(unit @ unit.T - np.eye(1024)).max()",
)
def _directions_largest() -> float:
    unit = directions()
    return farthest(unit @ unit.T, np.eye(len(unit)))


@part.claim(
    "three-and-thirty",
    equal=0.539875,
    within=5e-7,
    source="B11 N4",
    plain=f"{_WAVES}value = P(3) @ P(30) / np.linalg.norm(P(3)) / np.linalg.norm(P(30))",
)
def _three_and_thirty() -> float:
    rows = sinusoid([3, 30])
    return cosine(rows[0], rows[1])


@part.claim(
    "closest",
    equal=1.471848,
    within=5e-7,
    source="B11 C5 N2 N4",
    plain=f"""{_WAVES}\
rows = P(np.arange(1024)[:, None])
apart = 64 - 2 * rows @ rows.T + 64 * np.eye(1024)
value = math.sqrt(apart.min())
""",
)
def _closest() -> float:
    return float(distances(sinusoid(1024)).min())


@part.claim(
    "bounded",
    equal=1.0,
    within=1e-12,
    source="A23 W8",
    plain=f"{_WAVES}value = np.abs(P(np.arange(1024)[:, None])).max()",
)
def _bounded() -> float:
    return float(np.abs(sinusoid(1024)).max())


@part.claim(
    "lookup",
    equal=0.0,
    source="B12 C27 W12",
    plain="""
        table = np.random.RandomState(7).randn(16, 8)
        value = np.abs(np.eye(16) @ table - [table[p] for p in range(16)]).max()
    """,
)
def _lookup() -> float:
    table = np.random.RandomState(7).randn(16, 8)
    looked_up = bind(Learned(rows=16, dim=8), {"table": table}).embed(np.arange(16))  # type: ignore[misc]
    return farthest(code(OneHot(rows=16), 16) @ table, looked_up)


@part.claim(
    "discrete",
    at_least=0.5,
    within=1e-9,
    verdict="false",
    actual=0.0,
    source="C27 W12",
    plain="""
        wanted = np.random.RandomState(7).randn(16)
        table = np.zeros(16)
        for _ in range(60):
            for p in range(16):
                table[p] -= 0.5 * (table[p] - wanted[p])
        value = np.abs(table - wanted).max()
    """,
)
def _discrete() -> float:
    return learned_error(code(OneHot(rows=16), 16), np.random.RandomState(7).randn(16))
