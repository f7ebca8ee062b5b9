"""Every idea of chapter 2 against every wish, measured on the spot."""

from __future__ import annotations

import numpy as np

from posenc._facade import bind
from posenc.claims._codes import Matrix, code
from posenc.claims._models import shift_error
from posenc.claims.naive_codes import distances
from posenc.errors import EncodingError
from posenc.specs import Spec
from posenc.specs._learned import RandomDirections
from posenc.specs._naive import (
    Binary,
    Gray,
    Integer,
    NormalizedInteger,
    OneHot,
)
from posenc.specs._sinusoidal import Sinusoidal
from posenc.text import Language, sentence
from posenc.tour._blocks import Grid

_COUNT = 128  # positions, as many as seven bits can count
_IDEAS: tuple[Spec, ...] = (
    Integer(dim=64),
    NormalizedInteger(dim=64),
    Binary(bits=7),
    Gray(bits=7),
    OneHot(rows=_COUNT),
    RandomDirections(rows=_COUNT, dim=64),
    Sinusoidal(dim=64),
)
_WISHES = ("size", "step", "unique", "neighbours", "shift", "far", "length", "parameters")


def scorecard(language: Language) -> Grid:
    """The table: an idea per row, a wish per column."""
    words = {key: sentence("tour/naive", key, language) for key in _WISHES}
    rows = [
        (sentence("tour/naive", type(spec).__name__, language), *_marks(spec)) for spec in _IDEAS
    ]
    return Grid("card", ("", *words.values()), rows, digits=3)


def _marks(spec: Spec) -> tuple[float | str, ...]:
    rows = _code(spec, _COUNT, length=_COUNT)
    apart = distances(rows)
    return (
        float(np.linalg.norm(rows, axis=-1).max()),
        float(apart.diagonal(1).max()),
        _mark(float(apart.min()) > 1e-6),
        _mark(_neighbours_nearest(apart)),
        shift_error(rows),
        _mark(_has(spec, 10**6)),
        _mark(_same_in_any_text(spec)),
        spec.parameters(),
    )


def _mark(true: bool) -> str:
    return "✓" if true else "✗"


def _code(spec: Spec, positions: int | list[int], length: int) -> Matrix:
    return code(spec, positions, **({"length": length} if spec.needs_length else {}))


def _neighbours_nearest(apart: Matrix) -> bool:
    """Whether every position is nearer to a neighbour than to any stranger."""
    steps = apart.diagonal(1)
    neighbour = np.minimum(np.append(steps, np.inf), np.append(np.inf, steps))
    gap = np.abs(np.subtract.outer(np.arange(len(apart)), np.arange(len(apart))))
    stranger = np.where(gap > 1, apart, np.inf).min(-1)
    return bool(np.all(neighbour < stranger - 1e-9))


def _has(spec: Spec, position: int) -> bool:
    """Whether there is a code for a position beyond the texts measured here."""
    length = position + 1 if spec.needs_length else None
    try:
        bind(spec, length=length).embed(np.array([position]))  # type: ignore[misc]
    except EncodingError:
        return False
    return True


def _same_in_any_text(spec: Spec) -> bool:
    return bool(np.array_equal(_code(spec, [10], length=21), _code(spec, [10], length=1001)))
