"""The ten properties, each a number and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.errors import EncodingError
from posenc.properties._subject import Matrix, Subject, subject
from posenc.specs._fields import Whole

_EXACT = 1e-9  # what float64 leaves of an equality


@dataclass(frozen=True)
class Property:
    """One property of one encoding.

    Attributes:
        name: Such as "bounded"; its title is in ``text/properties.toml``.
        value: What was measured; None where the question has no meaning.
        holds: Whether the encoding has the property; None where the question has no meaning.
    """

    name: str
    value: float | None
    holds: bool | None


@dataclass(frozen=True)
class Scorecard:
    """All properties of one encoding.

    Attributes:
        name: What it was called.
        rows: Its properties.
        drawn: Whether it has learned arrays: then these are numbers of a fresh draw (seed 0).
    """

    name: str
    rows: tuple[Property, ...]
    drawn: bool = False

    def row(self, name: str) -> Property:
        """The property of that name."""
        return next(row for row in self.rows if row.name == name)

    def to_dict(self) -> dict[str, Any]:
        """The card as JSON data."""
        return {
            "name": self.name,
            "drawn": self.drawn,
            "properties": {r.name: {"value": r.value, "holds": r.holds} for r in self.rows},
        }


Measure = Callable[[Subject, int], tuple[float | None, bool | None]]


def measure(target: Any, *, name: str = "", dim: int = 64, length: int = 512) -> Scorecard:
    """Measure an encoding.

    Args:
        target: A spec, a function ``positions (n,) -> codes (n, dim)``, a name in the registry,
            ``package.module:object``, or what ``subject`` made of one.
        name: How to call it.
        dim: Channels, for names in the registry.
        length: Positions to look at; tables of the registry have as many rows.

    Returns:
        Ten properties: bounded, smooth, parameters, any length, precomputable, unique, relative,
        linear under shift, norm, decay.
    """
    length = Whole(at_least=16, at_most=8192).read("measure(): length", length)
    dim = Whole(at_least=1, at_most=8192).read("measure(): dim", dim)
    if isinstance(target, Subject):
        case = target
    else:
        case = subject(target, name=name, dim=dim, length=length)
    length = _spanned(case, length)
    rows = []
    for title, question in QUESTIONS.items():
        value, holds = question(case, length)
        rows.append(Property(title, value, holds))
    return Scorecard(case.name, tuple(rows), bool(case.spec and case.spec.learned()))


def _spanned(case: Subject, length: int) -> int:
    """How far apart two tokens can be, of so many: a window's table ends before they do."""
    while case.biases and length > 16:
        try:
            case.logits(np.array([length - 1]), np.array([0]), length=length)
        except EncodingError:
            length //= 2
            continue
        break
    return length


def _reach(case: Subject, length: int) -> bool:
    """Whether positions far past ``length`` have an encoding at all."""
    far = np.array([10 * length])
    try:
        if case.adds or case.turns:
            return bool(np.isfinite(case.vectors(far, length=length)).all())
        return not case.biases or bool(
            np.isfinite(case.logits(far, np.array([0]), length=length)).all()
        )
    except EncodingError:
        return False


def _bounded(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """How much the largest number grows from the first half of the positions to far beyond."""
    near = np.arange(1, length // 2)
    far = near + 20 * length if _reach(case, length) else near + length // 2 - 1
    if case.adds or case.turns:
        sizes = [np.abs(case.vectors(p, length=length)).max() for p in (near, far)]
    elif case.biases:
        start = np.array([0])
        sizes = [np.abs(case.logits(p, start, length=length)).max() for p in (near, far)]
    else:
        return None, None
    growth = float(sizes[1] / sizes[0]) if sizes[0] else 1.0
    return growth, growth < 1.5


def _smooth(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """The largest step between neighbours over the typical distance of strangers."""
    if not (case.adds or case.turns):
        return None, None
    rows = case.vectors(np.arange(length), length=length)
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=-1)
    half = length // 2
    apart = np.linalg.norm(rows[half:] - rows[: length - half], axis=-1)
    typical = float(np.median(apart))
    if typical <= _EXACT * float(np.abs(rows).max()):  # strangers that are alike, but for rounding
        return (0.0, True) if not steps.max() else (None, None)
    ratio = float(steps.max() / typical)
    return ratio, ratio < 0.5


def _parameters(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """How many numbers it learns; the property is to need none."""
    if case.spec is None:
        return None, None
    return float(case.parameters), case.parameters == 0


def _any_length(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """Whether position ten times past the length has an encoding."""
    reached = _reach(case, length)
    return float(reached), reached


def _precomputable(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """How far the encoding of the same positions moves when the run is twice as long."""
    if case.spec is None:
        return None, None
    if not case.spec.needs_length:
        return 0.0, True
    # Rules that follow the length leave runs within the trained one alone.
    trained = getattr(getattr(case.spec, "scaling", None), "trained_length", length)
    near = np.arange(length // 2)
    a, b = (case.vectors(near, length=run) for run in (trained, 2 * trained))
    moved = float(np.abs(a - b).max())
    return moved, moved <= _EXACT


def _unique(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """The smallest distance between two positions; of biases, between two distances."""
    if case.adds or case.turns:
        rows = case.vectors(np.arange(length), length=length)
        square = (rows**2).sum(-1)
        apart = square[:, None] + square - 2 * rows @ rows.T
        np.fill_diagonal(apart, np.inf)
        least = float(np.sqrt(max(float(apart.min()), 0.0)))
    elif case.biases:
        values = case.logits(np.arange(length), np.array([0]), length=length)[:, 0]
        least = float(np.diff(np.sort(values)).min())
    else:
        return 0.0, False
    return least, least > 1e-6


def _relative(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """How much the logit at a fixed distance varies along the sequence, over its size."""
    if not (case.adds or case.turns or case.biases):
        return None, None
    where = np.arange(length // 2)
    # Of a bias the keys before each query are looked at: to later ones it may do nothing.
    q_positions = where + length // 2 if case.biases else where
    logits = case.logits(q_positions, np.arange(length), length=length)
    lanes = np.stack([logits[p, p : p + length // 2] for p in where])
    spread = float(np.ptp(lanes, axis=0).max())
    size = float(np.abs(lanes).max()) or 1.0
    return spread / size, spread / size < 1e-6


def _linear_shift(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """What the best affine map from a code to its neighbour's still misses."""
    if not (case.adds or case.turns):
        return None, None
    rows = case.vectors(np.arange(length), length=length)
    if not rows.any():
        return None, None
    now = np.hstack([rows[:-1], np.ones((length - 1, 1))])
    best = np.linalg.lstsq(now, rows[1:], rcond=None)[0]
    missed = float(np.abs(now @ best - rows[1:]).max() / np.abs(rows).max())
    return missed, missed < 1e-6


def _norm(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """How much the length of the vector varies along the sequence, over its mean."""
    if not (case.adds or case.turns):
        return None, None
    size: Matrix = np.linalg.norm(case.vectors(np.arange(length), length=length), axis=-1)
    spread = float(np.ptp(size) / (size.mean() or 1.0))
    return spread, spread < 1e-6


def _decay(case: Subject, length: int) -> tuple[float | None, bool | None]:
    """The share of steps of distance at which the logit rises; the property is never."""
    if not (case.adds or case.turns or case.biases):
        return None, None
    middle = 3 * length // 7  # not a power of two, where binary codes are at their plainest
    past = np.arange(middle + 1)  # as a text has them; looked at from the query backwards
    # A bias may be meant for causal attention, where what it does to later keys is not seen.
    sides = [past] if case.biases else [past, np.arange(middle, length)]
    rows = [case.logits(np.array([middle]), keys, length=length)[0] for keys in sides]
    steps = [np.diff(row) for row in (rows[0][::-1], *rows[1:])]
    rises = max(float((step > _EXACT).mean()) for step in steps)
    falls = max(float((step < -_EXACT).mean()) for step in steps)
    return rises, rises == 0 and falls > 0


QUESTIONS: dict[str, Measure] = {
    "bounded": _bounded,
    "smooth": _smooth,
    "parameters": _parameters,
    "any length": _any_length,
    "precomputable": _precomputable,
    "unique": _unique,
    "relative": _relative,
    "linear under shift": _linear_shift,
    "norm": _norm,
    "decay": _decay,
}
