"""Chapter 3: from binary digits to sines, and the code as a Fourier transform."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import farthest, sinusoid
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

Phasors = np.ndarray[Any, np.dtype[np.complex128]]

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"


def doubling(positions: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A code of ten pairs with the periods 2, 4, 8, ..., 1024: those of the binary digits.

    A ladder whose ratio is two, read at pi times the position.
    """
    return sinusoid(math.pi * np.asarray(positions), dim=20, base=1024.0)


def phasors(rows: np.ndarray[Any, np.dtype[np.float64]]) -> Phasors:
    """Each pair as one complex number, cos - i sin = e^(-i p w)."""
    return np.asarray(rows[..., 1::2] - 1j * rows[..., 0::2])


def impulse(p: int, size: int = 1024) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A signal that is 1 at position p and 0 elsewhere."""
    return np.eye(1, size, p).ravel()


@part.claim(
    "impulse",
    at_most=0.0,
    within=1e-12,
    source="B15 N9 W17",
    plain=f"""{_W}\
p = 500
signal = np.eye(1024)[p]
transform = signal @ np.exp(-1j * np.outer(np.arange(1024), w))
value = np.abs(transform - (np.cos(p * w) - 1j * np.sin(p * w))).max()
""",
)
def _impulse() -> float:
    waves = np.exp(-1j * np.outer(np.arange(1024), 10_000 ** (-np.arange(0, 64, 2) / 64)))
    return max(farthest(impulse(p) @ waves, phasors(sinusoid([p])[0])) for p in (0, 3, 500))


@part.claim(
    "impulse-fft",
    at_most=0.0,
    within=1e-12,
    source="B15 N9 W17",
    plain="""
        p, j = 500, np.arange(10)
        spectrum = np.fft.fft(np.eye(1024)[p])[1024 // 2 ** (j + 1)]
        angle = 2 * np.pi * p / 2.0 ** (j + 1)
        value = np.abs(spectrum - (np.cos(angle) - 1j * np.sin(angle))).max()
    """,
)
def _impulse_fft() -> float:
    bins = 1024 // 2 ** np.arange(1, 11)
    return max(
        farthest(np.fft.fft(impulse(p))[bins], phasors(doubling([p])[0])) for p in (0, 3, 500)
    )


@part.claim(
    "shift-theorem",
    at_most=0.0,
    within=1e-12,
    source="B15 N9 W17",
    plain=f"""{_W}\
p, k = np.arange(100)[:, None], 7
pairs = np.cos(p * w) - 1j * np.sin(p * w)
moved = np.cos(p * w + k * w) - 1j * np.sin(p * w + k * w)
value = np.abs(moved - pairs * np.exp(-1j * k * w)).max()
""",
)
def _shift_theorem() -> float:
    rows, factor = sinusoid(100), np.exp(-7j * 10_000 ** (-np.arange(0, 64, 2) / 64))
    moved = rows @ Sinusoidal(dim=64).shift(7).T
    return farthest(phasors(moved), phasors(rows) * factor)


@part.claim(
    "sum-of-waves",
    equal=10.0,
    verdict="false",
    actual=1.0,
    source="B15 W17",
    plain="""
        angle = np.pi * np.arange(1024)[:, None] / 2.0 ** np.arange(10)
        code = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
        spectrum = np.abs(np.fft.rfft(code, axis=0))
        value = (spectrum > 1e-6).sum(axis=0).max()
    """,
)
def _sum_of_waves() -> float:
    spectrum = np.abs(np.fft.rfft(doubling(np.arange(1024)), axis=0))
    return int((spectrum > 1e-6).sum(axis=0).max())
