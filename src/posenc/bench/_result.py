"""What was measured of one case at one size, and what follows from it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from posenc.bench._case import PER, Bound, Case, Unit

Standing: TypeAlias = Literal["ahead", "equal", "behind"]

NEAR = 0.01
"""The share of memory that is nobody's: a system counts pages, and lends a few for its own ends."""


class Kept(NamedTuple):
    """A bound, and the number that was measured for it; None where there is none."""

    bound: Bound
    value: float | None

    @property
    def met(self) -> bool | None:
        """Whether the bound is met; None where nothing was measured."""
        return None if self.value is None else self.value <= self.bound.at_most


@dataclass
class Side:
    """One side of a row.

    Attributes:
        samples: A number for every round, in the unit of the row.
        off: The largest difference of its answer from ours.
        note: Why there are no samples: the package that is missing, or what it cannot do.
        error: Why the case fails: another answer than ours, or a run that broke.
    """

    samples: list[float] = field(default_factory=list)
    off: float | None = None
    note: str = ""
    error: str = ""

    @property
    def median(self) -> float | None:
        """Of the samples."""
        return statistics.median(self.samples) if self.samples else None

    @property
    def quartiles(self) -> tuple[float, float] | None:
        """The middle half of the samples."""
        return quartiles(self.samples) if self.samples else None


@dataclass
class Row:
    """A case in one dtype, at one point, in one unit.

    Attributes:
        case: From the registry.
        dtype: Of the row; empty where there is none.
        unit: Of all numbers.
        at: What differs from the other points of the case.
        ours: This library.
        limit: What the machine can do at most, where the case has one.
        peers: By name.
        tried: Whether sizes were tiny, so that nothing follows from the numbers.
    """

    case: Case
    dtype: str
    unit: Unit
    at: Mapping[str, int] = field(default_factory=dict)
    ours: Side = field(default_factory=Side)
    limit: Side | None = None
    peers: dict[str, Side] = field(default_factory=dict)
    tried: bool = False

    @property
    def errors(self) -> dict[str, str]:
        """Of every side that has one."""
        sides = {"ours": self.ours, **self.peers}
        if self.limit is not None:
            sides["limit"] = self.limit
        return {name: side.error for name, side in sides.items() if side.error}

    def standing(self, peer: str) -> Standing | None:
        """How ours stands to a peer: ahead or behind only where the middle half of rounds agree."""
        ratios = _ratios(self.ours, self.peers[peer])
        if self.tried or not ratios:
            return None
        low, high = quartiles(ratios)
        near = NEAR if self.unit == "MiB" else 0.0
        return "ahead" if high < 1 - near else "behind" if low > 1 + near else "equal"

    def bounds(self) -> list[Kept]:
        """The bounds of the case that are about this unit."""
        kept: list[Kept] = []
        for bound in () if self.tried else self.case.bounds:
            if bound.of and self.unit != "MiB":
                other = self.limit if bound.of == "limit" else self.peers.get(bound.of)
                kept.append(Kept(bound, ratio(self.ours, other)))
            elif not bound.of and (bound.unit == "MiB") == (self.unit == "MiB"):
                due = PER[bound.unit or self.unit] / PER[self.unit]
                value = self.ours.median
                kept.append(Kept(bound, None if value is None else value * due))
        return kept

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``: medians, and what is needed to judge them."""
        sides = {"ours": self.ours, "limit": self.limit, **self.peers}
        there = {name: side for name, side in sides.items() if side is not None}
        return {
            "case": self.case.name,
            "dtype": self.dtype or None,
            "unit": self.unit,
            **({"at": dict(self.at)} if self.at else {}),
            "ours": self.ours.median,
            "limit": self.limit.median if self.limit else None,
            "peers": {name: side.median for name, side in self.peers.items()},
            "quartiles": {n: list(s.quartiles) for n, s in there.items() if s.quartiles},
            "standing": {name: self.standing(name) for name in self.peers},
            "off": {n: s.off for n, s in self.peers.items() if s.off is not None},
            "notes": {name: side.note for name, side in there.items() if side.note},
            "errors": self.errors,
            "bounds": [
                {**kept.bound._asdict(), "value": kept.value, "met": kept.met}
                for kept in self.bounds()
            ],
        }


def ratio(side: Side, to: Side | None) -> float | None:
    """One side by another, the median over the rounds in which both ran."""
    ratios = _ratios(side, to)
    return statistics.median(ratios) if ratios else None


def quartiles(samples: Sequence[float]) -> tuple[float, float]:
    """The ends of the middle half; of one sample that sample."""
    if len(samples) < 2:
        return samples[0], samples[0]
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return low, high


def _ratios(side: Side, to: Side | None) -> list[float]:
    if to is None:
        return []
    return [a / b for a, b in zip(side.samples, to.samples, strict=False) if b > 0]
