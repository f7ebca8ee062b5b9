"""The codes that several chapters measure, made by the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from posenc._facade import bind
from posenc.specs import Spec
from posenc.specs._sinusoidal import Sinusoidal

Matrix = np.ndarray[Any, np.dtype[Any]]

Where: TypeAlias = int | Sequence[float] | np.ndarray[Any, Any]
"""How many positions from 0 on, or which."""


def code(spec: Spec, positions: Where, *, dtype: Any = np.float64, **options: Any) -> Matrix:
    """Rows of a spec's code: the first ``positions`` of them, or those named."""
    where = np.arange(positions) if isinstance(positions, int) else np.asarray(positions)
    return np.asarray(bind(spec, **options).embed(where, dtype=dtype))  # type: ignore[misc]


def sinusoid(positions: Where, dim: int = 64, **fields: Any) -> Matrix:
    """Rows of the sinusoidal code of the paper, float64, ``(positions, dim)``."""
    return code(Sinusoidal(dim=dim, **fields), positions)


def cosine(a: Matrix, b: Matrix) -> float:
    """Cosine of the angle between two vectors."""
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def farthest(a: Any, b: Any) -> float:
    """The largest absolute difference between two arrays."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
