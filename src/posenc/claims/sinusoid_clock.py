"""Chapter 3: a clock whose slow hands give range and whose fast ones resolution."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.claims._half import bfloat16, distinct
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

_HALF = """\
bits = np.float32(np.stack([np.sin(angle), np.cos(angle)], axis=-1)).view(np.uint32)
half = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
"""


def hand_count(dim: int) -> int:
    """Pairs of channels whose point moves on a circle."""
    squares = sinusoid(200, dim) ** 2
    sums = squares[:, :, None] + squares[:, None, :]
    first, second = np.nonzero(np.ptp(sums, axis=0) < 1e-9)
    return int((first < second).sum())


def reading(rows: Matrix) -> Matrix:
    """The position as the slowest hand shows it, within its first turn."""
    slowest = Sinusoidal(dim=rows.shape[-1]).frequencies()[-1]
    return np.asarray(np.arctan2(rows[:, -2], rows[:, -1]) % math.tau / slowest)


def told_apart(positions: int, channels: slice = slice(None)) -> int:
    """How many of the first positions these channels of width 64 tell apart in bfloat16."""
    return distinct(bfloat16(sinusoid(positions)[:, channels]))


@part.claim(
    "hands",
    equal=64.0,
    verdict="false",
    actual=32.0,
    source="A12 A14 W13",
    plain="""
        angle = np.arange(200)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
        squares = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1) ** 2
        sums = squares[:, :, None] + squares[:, None, :]
        value = (np.ptp(sums, axis=0) < 1e-9).sum() / 2
    """,
)
def _hands() -> float:
    return hand_count(64)


@part.claim(
    "hand-angle",
    at_most=0.0,
    within=1e-12,
    source="A14",
    plain="""
        turn = np.arange(1024)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
        hand = np.arctan2(np.sin(turn), np.cos(turn))
        off = hand - turn
        value = np.abs(off - 2 * np.pi * np.rint(off / (2 * np.pi))).max()
    """,
)
def _hand_angle() -> float:
    hands = sinusoid(1024).reshape(1024, 32, 2)
    turn = np.arange(1024)[:, None] * 10_000 ** (-np.arange(0, 64, 2) / 64)
    off = np.arctan2(hands[..., 0], hands[..., 1]) - turn
    return farthest(off, math.tau * np.rint(off / math.tau))


@part.claim(
    "slowest-hand-halved",
    equal=502.0,
    source="A14 N6",
    plain=f"""\
angle = np.arange(1024) * 10000.0 ** (-62 / 64)
{_HALF}value = len(np.unique(half, axis=0))
""",
)
def _slowest_hand_halved() -> float:
    return told_apart(1024, slice(62, 64))


@part.claim(
    "fastest-hand-halved",
    equal=737.0,
    source="A14 N6",
    plain=f"""\
angle = np.arange(1024)
{_HALF}value = len(np.unique(half, axis=0))
""",
)
def _fastest_hand_halved() -> float:
    return told_apart(1024, slice(0, 2))


@part.claim(
    "all-hands-halved",
    equal=8192.0,
    source="A14 B11 N6",
    plain=f"""\
angle = np.arange(8192)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
{_HALF}value = len({{row.tobytes() for row in half}})
""",
)
def _all_hands_halved() -> float:
    return told_apart(8192)
