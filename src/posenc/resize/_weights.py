"""One axis of a table at another size, as a matrix: old rows to new rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.errors import check, check_index, check_known

Weights = np.ndarray[Any, np.dtype[np.float64]]
Kernel = Callable[[Weights], Weights]

LIMIT = 2**28  # numbers of a matrix or a table; a slip is refused before memory is taken


def weights(old: int, new: int, *, method: str) -> Weights:
    """The matrix that resizes one axis: row i holds the share of each old row in new row i.

    Every row sums to 1. The centre of new row i lies at old row x:

        x = (i + 1/2) old / new - 1/2          # "nearest" floor(i old / new)
        x = i (old - 1) / (new - 1)            # "linear-corners": ends on ends

    "linear" and "cubic" weigh the old rows around x by the triangle max(0, 1 - abs(t)) and by Keys'
    cubic with a = -0.75; what would lie past an end is the row at that end. With "antialias" the
    kernel stretches by max(1, old / new), past the ends there is nothing and the rest is scaled to
    sum to 1; the cubic there has a = -0.5.

    Args:
        old: How many rows there are.
        new: How many are wanted.
        method: One of ``METHODS``.

    Returns:
        Shape ``(new, old)``, float64.

    Raises:
        EncodingError: If a size is below 1 or the method is not known.

    Example:
        >>> weights(2, 3, method="linear")
        array([[1. , 0. ],
               [0.5, 0.5],
               [0. , 1. ]])

    References:
        Keys 1981, doi:10.1109/TASSP.1981.1163711, equation 4; ``interpolate`` of PyTorch with
        mode "bilinear" or "bicubic" and its ``align_corners`` and ``antialias``.
    """
    old, new = (checked_size(f"resize.weights(): {n}", s) for n, s in (("old", old), ("new", new)))
    check_known(method, METHODS, "resize.weights(): method", "a known one")
    check(old * new <= LIMIT, "resize.weights(): old * new", f"at most {LIMIT}", old * new)
    if old == new:
        return np.eye(old)
    return METHODS[method](old, new)


def checked_size(where: str, size: object) -> int:
    """How many rows, cells or offsets."""
    count = check_index(where, size)
    check(count >= 1, where, "at least 1", size)
    return count


def linear(t: Weights) -> Weights:
    """The triangle."""
    return np.asarray(np.maximum(0.0, 1 - np.abs(t)))


def cubic(a: float) -> Kernel:
    """Keys' kernel: 1 at 0, 0 at every other whole number and past 2."""

    def kernel(t: Weights) -> Weights:
        t = np.abs(t)
        near = ((a + 2) * t - (a + 3)) * t * t + 1
        far = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
        return np.where(t <= 1, near, np.where(t < 2, far, 0.0))

    return kernel


def _centers(old: int, new: int) -> Weights:
    """x of every new row, each rounded once."""
    return ((2 * np.arange(new) + 1) * old - new) / (2 * new)


def _interpolated(kernel: Kernel) -> Callable[[int, int], Weights]:
    def matrix(old: int, new: int) -> Weights:
        return between(_centers(old, new), old, kernel)

    return matrix


def between(x: Weights, old: int, kernel: Kernel) -> Weights:
    """Shares of the rows around each x; the two past an end go to the row at that end."""
    shares = kernel(x[:, None] - np.arange(-2, old + 2))
    matrix = shares[:, 2:-2]
    matrix[:, 0] += shares[:, :2].sum(-1)
    matrix[:, -1] += shares[:, -2:].sum(-1)
    return matrix


def _antialiased(kernel: Kernel) -> Callable[[int, int], Weights]:
    def matrix(old: int, new: int) -> Weights:
        away = _centers(old, new)[:, None] - np.arange(old)
        shares = kernel(away / max(1.0, old / new))
        return np.asarray(shares / shares.sum(-1, keepdims=True))

    return matrix


def _corners(old: int, new: int) -> Weights:
    return between(np.arange(new) * (old - 1) / max(new - 1, 1), old, linear)


def _nearest(old: int, new: int) -> Weights:
    return np.eye(old)[np.arange(new) * old // new]


METHODS: dict[str, Callable[[int, int], Weights]] = {
    "nearest": _nearest,
    "linear": _interpolated(linear),
    "linear-antialias": _antialiased(linear),
    "linear-corners": _corners,
    "cubic": _interpolated(cubic(-0.75)),
    "cubic-antialias": _antialiased(cubic(-0.5)),
}
"""The matrix of each method of every table; a relative table has two more."""
