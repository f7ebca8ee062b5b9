"""Boxes and arrows on a canvas measured in inches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posenc.figures._parts import axes_at
from posenc.figures._style import GRAY, INK, MONO, ORANGE, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Point = tuple[float, float]

_CENTERED: dict[str, Any] = {"ha": "center", "va": "center"}


def canvas(figure: Figure) -> Axes:
    """Axes over the whole figure, in inches from the lower left corner."""
    width, height = figure.get_size_inches()
    axes = axes_at(figure, 0, 0, width, height)
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    return axes


def box(axes: Axes, center: Point, size: Point, text: str = "", *, edge: str = GRAY) -> None:
    """A rounded box with its text in the middle."""
    from matplotlib.patches import FancyBboxPatch

    (x, y), (width, height) = center, size
    outline = FancyBboxPatch(
        (x - width / 2, y - height / 2),
        width,
        height,
        "round,pad=0,rounding_size=0.05",
        facecolor=PAPER,
        edgecolor=edge,
        linewidth=0.8,
    )
    axes.add_patch(outline)
    label(axes, center, text)


def label(axes: Axes, at: Point, text: str, **style: Any) -> None:
    """Centered text."""
    axes.text(*at, text, **{**_CENTERED, "color": INK, "linespacing": 1.35, **style})


def code(axes: Axes, at: Point, text: str, *, color: str = GRAY, size: float = 7.5) -> None:
    """Centered text in the letters of programs: a name or a shape."""
    axes.text(*at, text, family=MONO, color=color, fontsize=size, **_CENTERED)


def arrow(axes: Axes, start: Point, end: Point, *, color: str = GRAY) -> None:
    """A straight arrow."""
    head = "-|>,head_width=0.16,head_length=0.32"
    style: dict[str, Any] = {
        "arrowstyle": head,
        "color": color,
        "linewidth": 0.9,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", end, start, arrowprops=style)


def path(axes: Axes, *points: Point, color: str = GRAY) -> None:
    """A line with corners, and an arrow head at its end."""
    axes.plot(*zip(*points[:-1], strict=True), color=color, linewidth=0.9)
    arrow(axes, points[-2], points[-1], color=color)


def badge(axes: Axes, at: Point, number: int) -> None:
    """A number on a disc."""
    axes.plot(*at, "o", color=ORANGE, markersize=13)
    label(axes, at, str(number), va="center_baseline", color=PAPER, fontweight="bold")
