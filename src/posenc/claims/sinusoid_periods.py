"""Chapter 3: how long each pair takes for a turn, and which distances that catches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, Where, cosine, farthest, sinusoid
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"


def periods(dim: int, **fields: Any) -> Matrix:
    """Positions that each pair needs for a whole turn."""
    return np.asarray(math.tau / Sinusoidal(dim=dim, **fields).frequencies())


def turned(last: int, dim: int = 64) -> Matrix:
    """Turns that each pair makes on its way from position 0 to ``last``, by its own hand."""
    hands = sinusoid(last + 1, dim).reshape(last + 1, -1, 2)
    angle = np.unwrap(np.arctan2(hands[..., 0], hands[..., 1]), axis=0)
    return np.asarray((angle[-1] - angle[0]) / math.tau)


def miss(k: Where, dim: int) -> Matrix:
    """How far the period nearest to each distance is from it, as a part of the distance."""
    ladder = periods(dim)
    above = np.searchsorted(ladder, k).clip(1, len(ladder) - 1)
    off = np.minimum(np.abs(ladder[above] - k), np.abs(ladder[above - 1] - k))
    return np.asarray(off / k)


def apart(k: Where) -> Matrix:
    """How far the first pair is from itself ``k`` positions on."""
    pair = sinusoid(np.concatenate([[0], k]), dim=2)
    return np.asarray(np.linalg.norm(pair[1:] - pair[0], axis=-1))


@part.claim(
    "periods",
    at_most=5e-7,
    source="C8 N2",
    plain="""
        printed = [6.283185, 19.869177, 62.831853, 198.691765]
        printed += [628.318531, 1986.917653, 6283.185307, 19869.176532]
        value = np.abs(2 * np.pi * 10000.0 ** (np.arange(0, 16, 2) / 16) - printed).max()
    """,
)
def _periods() -> float:
    printed = [6.283185, 19.869177, 62.831853, 198.691765]
    printed += [628.318531, 1986.917653, 6283.185307, 19869.176532]
    return farthest(periods(16), printed)


@part.claim(
    "periods-64",
    at_most=5e-7,
    source="C8 N2",
    plain="""
        period = 2 * np.pi * 10000.0 ** (np.arange(0, 64, 2) / 64)
        printed = [6.283185, 8.378762, 11.173259, 47117.242780]
        value = np.abs(period[[0, 1, 2, 31]] - printed).max()
    """,
)
def _periods_64() -> float:
    return farthest(periods(64)[[0, 1, 2, 31]], [6.283185, 8.378762, 11.173259, 47117.242780])


@part.claim(
    "periods-768",
    at_most=5e-4,
    source="A12 C8 N2",
    plain="""
        period = 2 * np.pi * 10000.0 ** (np.arange(0, 768, 2) / 768)
        value = np.abs(period[[0, 1, 2, 383]] - [6.283185, 6.435711, 6.591939, 61342.744]).max()
    """,
)
def _periods_768() -> float:
    return farthest(periods(768)[[0, 1, 2, 383]], [6.283185, 6.435711, 6.591939, 61342.744])


@part.claim(
    "longest-period",
    equal=math.tau * 10_000,
    within=0.01,
    verdict="false",
    actual=47117.242780,
    source="C10 N2 W2",
    plain=f"{_W}value = 2 * np.pi / w[-1]",
)
def _longest_period() -> float:
    return float(periods(64)[-1])


@part.claim(
    "longest-periods",
    at_most=0.5,
    source="C10 N2 W2",
    plain="""
        value = 0
        for d, printed in [(8, 6283), (16, 19869), (64, 47117), (768, 61343)]:
            value = max(value, abs(2 * np.pi * 10000.0 ** (1 - 2 / d) - printed))
    """,
)
def _longest_periods() -> float:
    printed = {8: 6283, 16: 19869, 64: 47117, 768: 61343}
    return max(abs(float(periods(d)[-1]) - last) for d, last in printed.items())


@part.claim(
    "tensor2tensor",
    equal=62831.853072,
    within=5e-7,
    source="C10 N2 W2",
    plain="value = 2 * np.pi * 10000.0 ** (np.arange(32) / 31)[-1]",
)
def _tensor2tensor() -> float:
    return float(periods(64, ladder="tensor2tensor")[-1])


@part.claim(
    "ladders-differ",
    equal=2.0,
    within=5e-5,
    source="C10 W2 tensorflow/tensor2tensor#1423",
    plain="""
        p, i = np.arange(1024)[:, None], np.arange(32)
        paper, ours = p * 10000.0 ** (-i / 32), p * 10000.0 ** (-i / 31)
        value = np.abs(np.sin(paper) - np.sin(ours)).max()
    """,
)
def _ladders_differ() -> float:
    return farthest(sinusoid(1024), sinusoid(1024, ladder="tensor2tensor"))


@part.claim(
    "ratios",
    at_most=5e-7,
    source="C13 N2",
    plain="""
        ratio = 10000.0 ** (2 / np.array([16, 64, 512, 768]))
        gap = (ratio - 1) / (ratio + 1)
        value = max(np.abs(ratio - [3.162278, 1.333521, 1.036633, 1.024275]).max(),
                    np.abs(gap - [0.519494, 0.142926, 0.017987, 0.011992]).max())
    """,
)
def _ratios() -> float:
    ladders = [periods(d) for d in (16, 64, 512, 768)]
    ratio = np.array([[ladder[1] / ladder[0], ladder[-1] / ladder[-2]] for ladder in ladders]).T
    gap = (ratio - 1) / (ratio + 1)
    return max(
        farthest(ratio, [3.162278, 1.333521, 1.036633, 1.024275]),
        farthest(gap, [0.519494, 0.142926, 0.017987, 0.011992]),
    )


@part.claim(
    "turns",
    at_most=5e-7,
    source="A16 A17 N2",
    plain=f"""{_W}\
turns = 63 * w[[0, 5, 15]] / (2 * np.pi)
value = np.abs(turns - [10.026761, 2.377720, 0.133709]).max()
""",
)
def _turns() -> float:
    return farthest(turned(63)[[0, 5, 15]], [10.026761, 2.377720, 0.133709])


@part.claim(
    "slow-turn",
    equal=1.0,
    within=5e-7,
    verdict="false",
    actual=0.021712,
    source="A13 N2 W3",
    plain=f"{_W}value = 1023 * w[-1] / (2 * np.pi)",
)
def _slow_turn() -> float:
    return float(turned(1023)[-1])


@part.claim(
    "slow-angle",
    equal=7.816,
    within=0.0005,
    source="N2 W3",
    plain=f"{_W}value = math.degrees(1023 * w[-1])",
)
def _slow_angle() -> float:
    return float(360 * turned(1023)[-1])


@part.claim(
    "unfinished",
    equal=0.0,
    source="A13 N2 W3",
    plain="""
        value = 0
        for d, printed in [(64, (14, 11)), (768, (171, 142))]:
            period = 2 * np.pi * 10000.0 ** (np.arange(0, d, 2) / d)
            counts = [(period > length).sum() for length in (1024, 2047)]
            value = max(value, np.abs(np.subtract(counts, printed)).max())
    """,
)
def _unfinished() -> float:
    printed = {(64, 1024): 14, (768, 1024): 171, (64, 2047): 11, (768, 2047): 142}
    counts = {(d, n): int((periods(d) > n).sum()) for d, n in printed}
    return max(abs(counts[case] - count) for case, count in printed.items())


@part.claim(
    "nearest-period",
    at_most=0.012,
    within=5e-7,
    verdict="false",
    actual=5.283185,
    source="C13 W7",
    plain="""
        period = 2 * np.pi * 10000.0 ** (np.arange(0, 768, 2) / 768)
        k = np.arange(1, 2048)
        value = (np.abs(period[:, None] - k).min(axis=0) / k).max()
    """,
)
def _nearest_period() -> float:
    return float(miss(np.arange(1, 2048), 768).max())


@part.claim(
    "nearest-period-inside",
    at_most=0.012,
    verdict="only if",
    source="C13 N2 W7",
    plain="""
        period = 2 * np.pi * 10000.0 ** (np.arange(0, 768, 2) / 768)
        k = np.arange(7, 61343)
        i = np.searchsorted(period, k).clip(1, 383)
        off = np.minimum(np.abs(period[i] - k), np.abs(period[i - 1] - k))
        value = (off / k).max()
    """,
)
def _nearest_period_inside() -> float:
    return float(miss(np.arange(7, 61343), 768).max())


@part.claim(
    "nearest-period-elsewhere",
    at_most=0.0005,
    source="C13 W7",
    plain="""
        value, one, six, rest = 0, (768, 1, 2, 5.283), (768, 6, 7, 0.047), (64, 7, 47118, 0.143)
        for d, first, end, printed in (one, six, rest):
            period = 2 * np.pi * 10000.0 ** (np.arange(0, d, 2) / d)
            k = np.arange(first, end)
            i = np.searchsorted(period, k).clip(1, d // 2 - 1)
            off = np.minimum(np.abs(period[i] - k), np.abs(period[i - 1] - k)) / k
            value = max(value, abs(off.max() - printed))
    """,
)
def _nearest_period_elsewhere() -> float:
    one, six = miss([1, 6], 768)
    narrow = miss(np.arange(7, 47118), 64).max()
    return farthest([one, six, narrow], [5.283, 0.047, 0.143])


@part.claim(
    "distance-six",
    at_most=5e-7,
    source="C9 N5 W6",
    plain="""
        k = np.array([6, 44, 710])
        off = np.abs(2 * np.abs(np.sin(k / 2)) - [0.282240, 0.017703, 0.000060])
        value = max(off.max(), abs(math.cos(6) - 0.960170))
    """,
)
def _distance_six() -> float:
    near = farthest(apart([6, 44, 710]), [0.282240, 0.017703, 0.000060])
    return max(near, abs(cosine(*sinusoid([0, 6], dim=2)) - 0.960170))


@part.claim(
    "caught-distance",
    equal=6.0,
    verdict="false",
    actual=710.0,
    source="C9 N5 W6",
    plain="value = 1 + np.abs(np.sin(np.arange(1, 1001) / 2)).argmin()",
)
def _caught_distance() -> float:
    return 1 + int(apart(np.arange(1, 1001)).argmin())


@part.claim(
    "never-repeats",
    equal=2.900699e-6,
    within=5e-13,
    source="C12 N5 W22",
    plain="value = 2 * np.abs(np.sin(np.arange(1, 312690) / 2)).min()",
)
def _never_repeats() -> float:
    return float(apart(np.arange(1, 312690)).min())


@part.claim(
    "with-pi",
    at_most=0.0,
    within=1e-12,
    source="C12 N5 W22",
    plain="""
        p = np.arange(1000)
        pair = np.stack([np.sin(np.pi * p), np.cos(np.pi * p)], axis=-1)
        value = np.abs(pair - np.stack([0 * p, (-1.0) ** p], axis=-1)).max()
    """,
)
def _with_pi() -> float:
    p = np.arange(1000)
    pair = sinusoid(math.pi * p, dim=2)
    return farthest(pair, np.stack([0 * p, (-1.0) ** p], axis=-1))
