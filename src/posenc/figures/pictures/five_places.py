"""The map of an attention layer: the five places where a position can enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posenc.figures._diagram import arrow, badge, box, canvas, label, path
from posenc.figures._style import BLUE, GRAY, INK, MONO, ORANGE, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PATH = (
    ("tokens", ""),
    ("embed", "x + PE(p)"),
    ("project", ""),
    ("query, key", "R(m) q,  R(n) k"),
    ("logits", ""),
    ("adjust", "s + f(q, k, m, n)"),
    ("scale", ""),
    ("logit_scale", "s × g(m)"),
    ("bias", "s + b(m, n)"),
    ("softmax", ""),
    ("values", ""),
)
"""From top to bottom: stages of the layer, and between them hooks with what they do."""

CENTER, TOP, PITCH, WIDTH, HEIGHT, RADIUS = 1.75, 4.6, 0.43, 1.75, 0.3, 0.09
HOOKS = CENTER + WIDTH / 2 + 0.25


def five_places(figure: Figure, words: Words) -> None:
    """The layer from top to bottom; at each place the hook, its form, and who fills it."""
    axes = canvas(figure)
    heights: dict[str, float] = {}
    place, above = 0, 0.0
    for row, (name, act) in enumerate(PATH):
        y = heights[name] = TOP - PITCH * row
        half = RADIUS if act else HEIGHT / 2
        if row:
            arrow(axes, (CENTER, above), (CENTER, y + half))
        above = y - half
        if act:
            place += 1
            badge(axes, (CENTER, y), place)
            _hook(axes, y, name, act, words)
        else:
            box(axes, (CENTER, y), (WIDTH, HEIGHT), words(f"five-places-{name}"))
    _values(axes, heights["project"], heights["values"], words)
    axes.text(HOOKS, heights["values"], words("five-places-key"), va="center", fontsize=8)


def _hook(axes: Axes, y: float, name: str, act: str, words: Words) -> None:
    axes.plot([CENTER + RADIUS + 0.06, HOOKS - 0.08], [y, y], color=ORANGE, linewidth=0.8)
    axes.text(HOOKS, y + 0.085, name, va="center", family=MONO, fontsize=9, color=ORANGE)
    axes.text(HOOKS + 1.15, y + 0.085, act, va="center", color=INK)
    filled = words("five-places-" + name.partition(",")[0])
    axes.text(HOOKS, y - 0.1, filled, va="center", color=GRAY, fontsize=8)


def _values(axes: Axes, top: float, bottom: float, words: Words) -> None:
    """The values go round all of it: no hook touches them."""
    side, out = CENTER - WIDTH / 2, 0.45
    path(axes, (side, top), (out, top), (out, bottom), (side, bottom), color=BLUE)
    where = (out - 0.1, (top + bottom) / 2)
    label(axes, where, words("five-places-v"), rotation=90, color=BLUE, fontsize=8)
