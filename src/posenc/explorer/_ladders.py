"""Frequencies that the page is given: it takes sines and cosines of them and knows no rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc import specs
from posenc.specs._record import Spec, brief
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal

DIMS = (16, 64, 128)
"""Widths that the bar offers."""

BASES = (100, 1000, 10_000, 100_000, 500_000, 1_000_000, 5_000_000)
"""Bases that the bar offers."""

SCHEMES = ("paper", "t2t")
"""Ladders that every page has: the paper's, and the one of tensor2tensor."""


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """Frequencies, and what a reader wants to know of them.

    Attributes:
        frequencies: Radians a position, fastest first.
        python: The call of posenc that makes the encoding.
        facts: Numbers that belong to it, such as ``factor`` and ``trained``.
    """

    frequencies: Any
    python: str
    facts: Mapping[str, float]


def of(spec: Sinusoidal | Rope, *, length: int | None = None, **facts: float) -> Ladder:
    """The ladder of an encoding, in a run of ``length`` tokens."""
    return Ladder(
        frequencies=spec.frequencies(length) if isinstance(spec, Rope) else spec.frequencies(),
        python=written(spec),
        facts={"dim": spec.dim, "base": float(spec.base), **facts},
    )


def written(spec: Spec) -> str:
    """The Python that makes a spec, after ``import posenc``."""
    short = re.sub(r"\b([A-Z]\w*)\(", r"posenc.\1(", brief(spec))
    names = re.findall(r"posenc\.(\w+)", short)
    there = "..." not in short and all(name in specs.__all__ for name in names)
    return short if there else f"posenc.from_dict({spec.to_dict()!r})"


def in_the_bar() -> dict[str, Ladder]:
    """Those that the bar chooses from, as ``scheme-dim-base`` or ``scheme-dim``."""
    found = {}
    for dim in DIMS:
        for base in BASES:
            found[f"paper-{dim}-{base}"] = of(Sinusoidal(dim=dim, base=base))
        found[f"t2t-{dim}"] = of(Sinusoidal(dim=dim, ladder="tensor2tensor"))
    return found
