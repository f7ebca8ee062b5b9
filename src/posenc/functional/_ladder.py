"""The geometric ladder of frequencies that sinusoids and rotations share."""

from __future__ import annotations

from typing import Any

import numpy as np


def geometric(dim: int, base: float, *, pairs: int | None = None) -> np.ndarray[Any, Any]:
    """Radians per position of each pair, fastest first: base^(-2 i / dim); float64.

    References:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
        Su et al. 2021, arXiv:2104.09864, eq. 15.
    """
    count = dim // 2 if pairs is None else pairs
    return np.asarray(base ** (-2.0 * np.arange(count) / dim))


def inclusive(pairs: int, base: float) -> np.ndarray[Any, Any]:
    """The same from 1 to exactly 1 / base: base^(-i / (pairs - 1)); float64.

    References:
        tensor2tensor's ``get_timing_signal_1d``; fairseq's ``SinusoidalPositionalEmbedding``.
    """
    return np.asarray(base ** (-np.arange(pairs) / max(pairs - 1, 1)))


def rounded(dim: int, base: float) -> np.ndarray[Any, Any]:
    """The same ladder with every step rounded to float32, as reference implementations do it.

        1 / base^(float32(2 i) / dim)

    Torch's own power is a last bit off the rounded one in about one value of a hundred.
    """
    exponents = np.arange(0, dim, 2, dtype=np.float32) / np.float32(dim)
    powers = (base ** exponents.astype(np.float64)).astype(np.float32)
    return np.asarray(np.float32(1) / powers)


def linear(pairs: int, largest: float) -> np.ndarray[Any, Any]:
    """Evenly spaced from pi to pi times ``largest / 2``, slowest first; float64.

    References:
        ``freqs_for="pixel"`` of rotary-embedding-torch; ``pixel_freq_bands`` of timm.
    """
    return np.asarray(np.linspace(1.0, largest / 2, pairs) * np.pi)


def rising(pairs: int, base: float) -> np.ndarray[Any, Any]:
    """From pi/2 to ``base`` times that, in equal ratios, slowest first; float64.

    References:
        ``LTXVideoRotaryPosEmbed`` of diffusers.
    """
    return np.asarray(base ** np.linspace(0.0, 1.0, pairs) * (np.pi / 2))


def between(bands: int, start: float, stop: float, *, spacing: str) -> np.ndarray[Any, Any]:
    """Frequencies from ``start`` towards ``stop``, of which either may be the larger; float64.

    Args:
        bands: How many.
        start: The first.
        stop: Where they end.
        spacing: "geometric" in equal ratios and "linear" in equal steps, both to ``stop`` itself;
            "open" in equal ratios, of which one more would lead to ``stop``.
    """
    if spacing == "linear":
        return np.linspace(start, stop, bands)
    ratios = bands if spacing == "open" else max(bands - 1, 1)
    return np.asarray(start * (stop / start) ** (np.arange(bands) / ratios))


def octaves(bands: int, start: float) -> np.ndarray[Any, Any]:
    """Each frequency twice the one before; float64.

    References:
        Mildenhall et al. 2020, arXiv:2003.08934, eq. 4.
    """
    return np.asarray(start * 2.0 ** np.arange(bands))
