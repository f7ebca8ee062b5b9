"""Chapter 3 on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from posenc.claims._codes import sinusoid
from posenc.figures.text import heat_map
from posenc.tour._blocks import Block, Context, Drawing, Prove, Say


def page(context: Context) -> Iterator[Block]:
    """The formula, its picture in characters, and what is true of it."""
    yield Say("formula")
    yield Drawing("heat-map", heat_map(sinusoid(40, dim=16), low=-1, high=1))
    yield Prove(["sinusoid.norm", "sinusoid.longest-period"])
