"""What a linear layer may do, and what a projection does: the two are often taken for one."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc.claims._codes import Matrix


def linear(x: Matrix, weight: Matrix) -> Matrix:
    """A linear layer: one matrix, no activation."""
    return np.asarray(x @ weight)


def unit(x: Matrix) -> Matrix:
    """Each row at length 1."""
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


def projected(x: Matrix, axes: Any) -> Matrix:
    """The nearest point to ``x`` in the space that the rows of ``axes`` span."""
    basis, _ = np.linalg.qr(np.transpose(axes))
    return np.asarray(x @ basis @ basis.T)


def shadow(x: Matrix, axis: Any) -> float:
    """How far along ``axis`` the foot of the perpendicular from ``x`` lies."""
    return float(x @ np.asarray(axis) / np.linalg.norm(axis))


def coordinates(x: Matrix, axes: Any) -> Matrix:
    """How much of each axis has to be added up to give ``x``; the axes need not be square."""
    return np.asarray(np.linalg.solve(np.transpose(axes), x))


def axes_at(degrees: float) -> Matrix:
    """Two axes of length 1 in the plane, the second turned by ``degrees`` from the first."""
    angle = np.radians(degrees)
    return np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
