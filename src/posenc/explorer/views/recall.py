"""Questions that are asked again; a claim's number decides what is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc.claims import find
from posenc.explorer import _svg
from posenc.explorer._view import View

FAR = 1e300
"""Beyond any number, where JSON has no infinity."""


def _item(name: str, kind: str, claim: str, view: str, **more: Any) -> dict[str, Any]:
    """One question: its words are ``recall.ask-NAME``."""
    return {"id": name, "kind": kind, "claim": claim, "view": view, **more}


def _verdict(name: str, claim: str, view: str) -> dict[str, Any]:
    """Does it hold, always or on a condition?"""
    return _item(name, "verdict", claim, view)


def _which(name: str, claim: str, view: str, **options: tuple[float, float]) -> dict[str, Any]:
    """Words to choose from, each with the numbers for which it is right: from, and below."""
    return _item(name, "which", claim, view, options=options)


def _among(name: str, claim: str, view: str, other: float) -> dict[str, Any]:
    """What is often said, what is so, and one more number."""
    stated = find(claim)
    numbers = {stated.expected, other} | ({stated.actual} if stated.actual is not None else set())
    return _item(name, "among", claim, view, options=sorted(numbers))


def _near(
    name: str, kind: str, claim: str, view: str, low: float, high: float, within: float
) -> dict[str, Any]:
    """A number, right to ``within``: typed, or set by a slider from ``low`` to ``high``."""
    return _item(name, kind, claim, view, low=low, high=high, within=within)


SIZES = {"none": (-FAR, 1e-6), "little": (1e-6, 0.1), "much": (0.1, FAR)}

ITEMS: tuple[Mapping[str, Any], ...] = (
    _verdict("order", "blind.equivariance", "blind"),
    _near("norm", "slider", "sinusoid.norm", "norms", 0, 16, 0.25),
    _which(
        "end", "sinusoid.restless-left", "bars", left=(0.7, 2), both=(0.3, 0.7), right=(-1, 0.3)
    ),
    _among("period", "sinusoid.longest-period", "curves", 10_000),
    _verdict("falls", "distance.falls", "similarity"),
    _near("shift", "number", "distance.determinant", "shift", -9, 9, 0.001),
    _near("add", "slider", "input.word-share-unit", "adding", 0, 1, 0.1),
    _verdict("base", "input.not-sacred", "base"),
    _which("rope", "rotary.relative", "rotary", **SIZES),
    _which("layout", "rotary.layouts-at-zero", "layouts", **SIZES),
    _among("reach", "relative.reach-both-ways", "biases", 32),
    _among("first", "longer.fast-pairs-first", "coverage", 63),
    _near("half", "slider", "precision.bf16-positions", "precision", 0, 8192, 400),
    _verdict("window", "window.recoded", "window"),
)
"""In the order of the page; the reader gets them shuffled."""


def _picture() -> str:
    """A guess, and what is so."""
    parts = [
        '<path d="M8 60h304" stroke="var(--faint)"/>',
        '<path d="M90 54h130v12h-130z" fill="var(--line)"/>',
        '<circle cx="90" cy="60" r="8" fill="none" stroke="var(--ink)" stroke-width="2"/>',
        '<path d="M220 48l9 12-9 12-9-12z" fill="var(--mark)"/>',
        '<text x="90" y="38" text-anchor="middle" fill="var(--ink)" font-size="14">?</text>',
        '<text x="220" y="38" text-anchor="middle" fill="var(--mark)" font-size="14">✓</text>',
    ]
    return _svg.svg(parts)


view = View(
    chapter="",
    claims=(),
    extra=lambda: {"items": [dict(each) for each in ITEMS]},
    picture=_picture,
)
