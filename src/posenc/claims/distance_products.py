"""Chapter 4: the dot product of two codes, which knows their distance alone."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid

part = Part("distance")

STARTS = (0, 20, 100)
OFFSETS = (0, 1, 2, 4, 8, 16, 32, 64)
"""What the printed table of dot products shows."""

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"
_CODE = f"""{_W}\
angle = np.arange(1024)[:, None] * w
code = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
"""


def products(count: int, dim: int = 64, *, start: int = 0) -> Matrix:
    """PE(start) . PE(start + k) for k = 0, 1, ..., count - 1."""
    rows = sinusoid(range(start, start + count), dim)
    return np.asarray(rows @ rows[0])


def first_rise(dim: int) -> int:
    """The first distance whose dot product is smaller than that of the next."""
    return int((np.diff(products(64, dim)) > 0).argmax())


@part.claim(
    "products",
    at_most=5e-7,
    source="B13 D9 N4 W4",
    plain=f"""{_W}\
printed = [32.000000, 30.916832, 28.303862, 23.934362, 22.413912, 19.372820, 19.553972, 13.906089]
k, value = np.array([0, 1, 2, 4, 8, 16, 32, 64])[:, None], 0
for p in (0, 20, 100):
    dot = np.sin(p * w) * np.sin((p + k) * w) + np.cos(p * w) * np.cos((p + k) * w)
    value = max(value, np.abs(dot.sum(axis=-1) - printed).max())
""",
)
def _products() -> float:
    printed = [32.000000, 30.916832, 28.303862, 23.934362]
    printed += [22.413912, 19.372820, 19.553972, 13.906089]
    return max(farthest(products(65, start=p)[list(OFFSETS)], printed) for p in STARTS)


@part.claim(
    "sum-of-cosines",
    at_most=0.0,
    within=1e-11,
    source="B13 N4",
    plain=f"""{_CODE}\
cosines = np.cos(np.arange(1024)[:, None] * w).sum(axis=-1)
value = max(np.abs(code[p:] @ code[p] - cosines[: 1024 - p]).max() for p in (0, 20, 100, 900))
""",
)
def _sum_of_cosines() -> float:
    w = 10_000 ** (-np.arange(0, 64, 2) / 64)
    cosines = np.cos(np.arange(1024)[:, None] * w).sum(axis=-1)
    return max(farthest(products(1024, start=p), cosines) for p in (*STARTS, 70_001))


@part.claim(
    "absolute",
    at_least=0.001,
    within=1e-11,
    verdict="false",
    actual=0.0,
    source="B13 B16 N4 W18",
    plain=f"""{_CODE}\
offsets = [1, 2, 4, 8, 16, 32, 64, 512]
value = max(np.ptp((code[:-k] * code[k:]).sum(axis=-1)) for k in offsets)
""",
)
def _absolute() -> float:
    rows = sinusoid(1024)
    offsets = (1, 2, 4, 8, 16, 32, 64, 512)
    return max(float(np.ptp((rows[:-k] * rows[k:]).sum(axis=-1))) for k in offsets)


@part.claim(
    "phase",
    at_most=0.0,
    within=1e-12,
    source="B13 A20",
    plain=f"""{_W}\
p, k = np.arange(500)[:, None], 27
here, there = np.exp(1j * p * w), np.exp(1j * (p + k) * w)
off = np.angle(there / here) - k * w
value = np.abs(off - 2 * np.pi * np.rint(off / (2 * np.pi))).max()
""",
)
def _phase() -> float:
    k, hands = 27, sinusoid(527).reshape(527, 32, 2)
    angle = np.arctan2(hands[..., 0], hands[..., 1])
    off = angle[k:] - angle[:-k] - k * 10_000 ** (-np.arange(0, 64, 2) / 64)
    return farthest(off, math.tau * np.rint(off / math.tau))


@part.claim(
    "falls",
    at_most=0.0,
    within=5e-7,
    verdict="false",
    actual=499 / 1023,
    source="B10 D9 N4 W4",
    plain=f"""{_W}\
near = np.cos(np.arange(1024)[:, None] * w).sum(axis=-1)
value = (np.diff(near) > 0).mean()
""",
)
def _falls() -> float:
    return float((np.diff(products(1024)) > 0).mean())


@part.claim(
    "sixteen-thirty-two",
    equal=0.181152,
    within=1e-6,
    source="D9 N4 W4",
    plain=f"{_W}value = np.cos(32 * w).sum() - np.cos(16 * w).sum()",
)
def _sixteen_thirty_two() -> float:
    near = products(33, start=100)
    return float(near[32] - near[16])


@part.claim(
    "first-rise",
    equal=0.0,
    source="N4 W4",
    plain="""
        value = 0
        for d, printed in [(16, 3), (64, 5), (128, 11), (256, 24), (512, 43), (768, 43)]:
            w = 10000.0 ** (-np.arange(0, d, 2) / d)
            near = np.cos(np.arange(64)[:, None] * w).sum(axis=-1)
            value = max(value, abs((np.diff(near) > 0).argmax() - printed))
    """,
)
def _first_rise() -> float:
    printed = {16: 3, 64: 5, 128: 11, 256: 24, 512: 43, 768: 43}
    return max(abs(first_rise(d) - k) for d, k in printed.items())


@part.claim(
    "five-six",
    at_most=5e-7,
    source="N4 W4",
    plain=f"""{_W}\
five, six = np.cos(5 * w).sum(), np.cos(6 * w).sum()
value = max(abs(five - 23.503971), abs(six - 23.559397))
""",
)
def _five_six() -> float:
    return farthest(products(7)[5:], [23.503971, 23.559397])


@part.claim(
    "minimum",
    equal=-1.417268,
    within=5e-7,
    source="N4",
    plain=f"{_W}value = np.cos(np.arange(1024)[:, None] * w).sum(axis=-1).min()",
)
def _minimum() -> float:
    return float(products(1024).min())


@part.claim(
    "minimum-place",
    equal=965.0,
    source="N4",
    plain=f"{_W}value = np.cos(np.arange(1024)[:, None] * w).sum(axis=-1).argmin()",
)
def _minimum_place() -> float:
    return int(products(1024).argmin())


@part.claim(
    "nearest",
    equal=1.471848,
    within=5e-7,
    source="B11 C5 N4",
    plain=f"""{_W}\
k = np.arange(1, 20001)[:, None]
gap = np.sqrt((4 * np.sin(k * w / 2) ** 2).sum(axis=-1))
value = gap[0] if gap.argmin() == 0 else math.nan
""",
)
def _nearest() -> float:
    rows = sinusoid(20001)
    gap = np.linalg.norm(rows[1:] - rows[0], axis=-1)
    return float(gap[0]) if gap.argmin() == 0 else math.nan


@part.claim(
    "next-nearest",
    equal=28.303862,
    within=5e-7,
    source="N4 W4",
    plain=f"""{_W}\
near = np.cos(np.arange(4096)[:, None] * w).sum(axis=-1)
value = near[2] if near[2:].argmax() == 0 else math.nan
""",
)
def _next_nearest() -> float:
    near = products(4096)
    return float(near[2]) if near[2:].argmax() == 0 else math.nan
