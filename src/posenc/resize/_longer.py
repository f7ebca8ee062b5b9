"""Matrices that make a table of one axis longer without resampling it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from posenc.resize._weights import Weights


def _tiled(old: int, new: int) -> Weights:
    return np.eye(old)[np.arange(new) % old]


def _hierarchical(old: int, new: int, alpha: float) -> Weights:
    one = np.eye(old)
    leading, last = np.divmod(np.arange(new), old)
    return np.asarray(one[last] + alpha / (1 - alpha) * (one[leading] - one[0]))


LONGER: dict[str, Callable[..., Weights]] = {"tiled": _tiled, "hierarchical": _hierarchical}
"""By the names of the public functions."""
