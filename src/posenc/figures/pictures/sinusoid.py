"""The table of the sinusoidal code: as a heat map, as curves, and both side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posenc.claims._codes import sinusoid as table
from posenc.figures import _parts
from posenc.figures._parts import axes_at
from posenc.figures._style import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def heat_map(figure: Figure, words: Words) -> None:
    """64 positions of 64 numbers."""
    axes, bar = axes_at(figure, 0.65, 0.5, 3.8, 3.7), axes_at(figure, 4.6, 0.5, 0.12, 3.7)
    _parts.heat_map(axes, table(64), words, bar=bar)


def heat_map_100(figure: Figure, words: Words) -> None:
    """100 positions of 64 numbers."""
    axes, bar = axes_at(figure, 0.65, 0.5, 3.2, 4.6), axes_at(figure, 4.0, 0.5, 0.12, 4.6)
    _parts.heat_map(axes, table(100), words, bar=bar)


def curves(figure: Figure, words: Words) -> None:
    """Three columns of the table, from a fast pair to a slow one."""
    _parts.curves(figure, words, left=0.55, width=5.65, height=3.0)


def sinusoid(figure: Figure, words: Words) -> None:
    """The heat map, and three of its columns beside it."""
    axes, bar = axes_at(figure, 0.65, 0.5, 3.25, 3.2), axes_at(figure, 4.0, 0.5, 0.1, 3.2)
    _parts.heat_map(axes, table(64), words, bar=bar)
    _parts.curves(figure, words, left=4.95, width=3.5, height=3.0)
