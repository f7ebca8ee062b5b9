"""Offsets whose steps grow by one ratio: how BEiT spreads a relative table over a larger window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from posenc.errors import check
from posenc.resize._weights import Weights, linear


def spread(old: int, new: int) -> Weights:
    """Where the 2 old - 1 offsets of a window of ``old`` lie in one of ``new``.

        0, 1, 1 + q, 1 + q + q^2, ..., new - 1       and the same to the other side

    Near offsets keep their distance, the last ones end on the ends. q is found to the last bit.
    """
    steps = np.ones(old - 1)
    low, high = 1.0, float(new)
    while low < (middle := (low + high) / 2) < high:
        if np.polyval(steps, middle) > new - 1:
            high = middle
        else:
            low = middle
    ahead = np.cumsum(low ** np.arange(old - 1))
    return np.concatenate([-ahead[::-1], [0.0], ahead])


def check_growth(where: str, old: Sequence[int], new: Sequence[int]) -> None:
    """Refuse windows that cannot grow by one ratio."""
    for a, b in zip(old, new, strict=True):
        hint = "It spreads a table over a larger window."
        check(b >= a, f"{where}: new", f"at least old {a} along each axis", b, hint)
        hint = "Steps that grow by one ratio reach farther only from the third offset on."
        must = "at least 3 along an axis that grows geometrically"
        check(a >= 3 or a == b, f"{where}: old", must, a, hint)


def _offsets(interpolate: Callable[[Weights, Weights], Weights]) -> Callable[[int, int], Weights]:
    def matrix(old: int, new: int) -> Weights:
        at, last = spread((old + 1) // 2, (new + 1) // 2), new // 2
        return interpolate(np.clip(np.arange(-last, last + 1.0), at[0], at[-1]), at)

    return matrix


def _lines(x: Weights, at: Weights) -> Weights:
    """Shares of the two points around each x."""
    place = np.interp(x, at, np.arange(len(at)))
    return linear(place[:, None] - np.arange(len(at)))


def _spline(x: Weights, at: Weights) -> Weights:
    """Shares of each point in the cubic spline through all.

    Its third derivative does not jump at the second point nor at the last but one.
    """
    knots = np.concatenate([at[:1].repeat(4), at[2:-2], at[-1:].repeat(4)])
    through, there = _pieces(at, knots), _pieces(x, knots)
    return np.asarray(np.linalg.solve(through.T, there.T).T)


def _pieces(x: Weights, knots: Weights) -> Weights:
    """Every cubic B-spline on the knots at every x, by de Boor's recurrence."""
    last = len(knots) - 5
    span = np.clip(np.searchsorted(knots, x, side="right") - 1, 3, last)
    pieces = (np.arange(len(knots) - 1) == span[:, None]).astype(np.float64)
    for degree in (1, 2, 3):
        gaps = knots[degree:] - knots[:-degree]
        rate = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=gaps > 0)
        rising = (x[:, None] - knots[: -degree - 1]) * rate[:-1] * pieces[:, :-1]
        falling = (knots[degree + 1 :] - x[:, None]) * rate[1:] * pieces[:, 1:]
        pieces = rising + falling
    return np.asarray(pieces)


GEOMETRIC: dict[str, Callable[[int, int], Weights]] = {
    "geometric-cubic": _offsets(_spline),
    "geometric-linear": _offsets(_lines),
}
"""The matrix of each method of relative tables alone, from odd numbers of offsets."""
