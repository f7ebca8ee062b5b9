"""What Python gives to a view of the page: claims, frequencies, numbers, a still picture."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from posenc.explorer._ladders import Ladder


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class View:
    """One view.

    Attributes:
        chapter: Of ``posenc.claims.CHAPTERS``, which tells and proves the same in the terminal;
            empty for a view that belongs to none.
        claims: Ids of the claims that its script measures, these and no others.
        ladders: Frequencies that it needs beside those of the bar, by the name it asks for.
        numbers: Makes the other arrays that it needs, by name, real and of any shape.
        extra: Makes what else it needs, as plain JSON; only its own script reads it.
        picture: Draws it as a small SVG, for paper and for readers without a script.
    """

    chapter: str
    claims: tuple[str, ...]
    ladders: Mapping[str, Ladder] = field(default_factory=dict)
    numbers: Callable[[], Mapping[str, Any]] = _nothing
    extra: Callable[[], Mapping[str, Any]] = _nothing
    picture: Callable[[], str]


GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "why": ("blind", "naive"),
        "sinusoid": (
            "bars",
            "map",
            "curves",
            "clocks",
            "norms",
            "similarity",
            "shift",
            "adding",
            "base",
        ),
        "attention": ("rotary", "layouts", "biases"),
        "longer": ("coverage", "rules", "precision", "grid", "window"),
        "keep": ("statements", "recall", "port"),
    }
)
"""The views by part of the page, in its order; each is a module of ``posenc.explorer.views``."""

NAMES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)
"""What the views are called in an address."""


def views_of(chapter: str) -> list[str]:
    """The names of the views that show what a chapter tells."""
    return [name for name in NAMES if view(name).chapter == chapter]


def view(name: str) -> View:
    """The view of this name."""
    found: View = importlib.import_module(f"posenc.explorer.views.{name}").view
    return found
