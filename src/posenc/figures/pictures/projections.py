"""What it means to project: drop an axis, read oblique coordinates, compare without the height."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.claims._codes import Matrix, cosine
from posenc.claims._geometry import axes_at as axes_of
from posenc.claims._geometry import coordinates, projected, shadow
from posenc.claims.input_projection import FLOOR, OBLIQUE, TWINS
from posenc.figures._diagram import arrow
from posenc.figures._parts import axes_at, beside, note, segment
from posenc.figures._style import BLUE, FAINT, GRAY, INK, ORANGE, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = np.array([[0.6, 1.9], [1.408, 0.5], [2.1, 1.75], [2.9, 2.25], [3.4, 0.7]])
TURN, SLANT = 30, 60
DASHED: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (3, 2))}


def projection(figure: Figure, words: Words) -> None:
    """Points of a plane dropped onto its first axis, and onto a line that is turned first."""
    for left, angle, key in ((0.35, 0, "projection-axis"), (4.05, TURN, "projection-turned")):
        axes = _plane(figure, (left, 0.15, 3.3, 2.4), (-0.4, 4.0), (-0.4, 2.8))
        for end in ((3.95, 0), (0, 2.75)):
            segment(axes, (0, 0), end, color=FAINT, linewidth=1)
        along = axes_of(angle)[1]
        segment(axes, -0.4 * along, 4.2 * along, color=BLUE, linewidth=1.4)
        feet = np.array([projected(point, [along]) for point in POINTS])
        for point, foot in zip(POINTS, feet, strict=True):
            segment(axes, point, foot, color=GRAY, **DASHED)
        axes.plot(*POINTS.T, "o", color=INK, markersize=4.5)
        axes.plot(*feet.T, "o", color=ORANGE, markersize=4.5)
        axes.set_title(words(key), pad=4)
    note(axes, words("projection-same"), tuple(feet[0]), (1.75, 0.1))


def oblique_axes(figure: Figure, words: Words) -> None:
    """Coordinates of a vector along slanted axes are not its orthogonal projections."""
    axes = _plane(figure, (0.3, 0.2, 3.3, 2.85), (-0.45, 2.75), (-0.4, 2.36))
    first, second = axes_of(SLANT)
    a, b = coordinates(OBLIQUE, [first, second])
    foot = shadow(OBLIQUE, first) * first
    for direction, length, name in ((first, 2.6, "x′"), (second, 2.45, "y′")):
        arrow(axes, (0, 0), tuple(length * direction))
        beside(axes, name, length * direction, (5, 0), color=GRAY)
    for corner in (a * first, b * second):
        segment(axes, OBLIQUE, corner, color=BLUE, **DASHED)
        segment(axes, (0, 0), corner, color=BLUE, linewidth=2.4, solid_capstyle="butt", zorder=3)
    segment(axes, OBLIQUE, foot, color=ORANGE, **DASHED)
    axes.plot(*foot, "o", color=ORANGE, markersize=4.5)
    arrow(axes, (0, 0), tuple(OBLIQUE), color=INK)
    beside(axes, "v = ({:g}, {:g})".format(*OBLIQUE), OBLIQUE, (4, 4))
    beside(axes, f"{a:.6f}", a * first / 2, (0, -5), ha="center", va="top", color=BLUE, fontsize=8)
    beside(axes, f"{b:.6f}", b * second / 2, (-6, 0), ha="right", color=BLUE, fontsize=8)
    beside(axes, f"{foot[0]:.1f}", foot, (0, -6), ha="center", va="top", color=ORANGE, fontsize=8)
    beside(axes, f"{SLANT}°", (0, 0), (18, 16), fontsize=7.5, color=GRAY)
    slots = {"a": f"{a:.6f}", "b": f"{b:.6f}", "foot": f"{foot[0]:.1f}"}
    for y, key, color in ((0.78, "coordinates", BLUE), (0.48, "foot", ORANGE)):
        text = words(f"oblique-axes-{key}", **slots)
        figure.text(0.64, y, text, va="top", color=color, linespacing=1.5)


def drop_height(figure: Figure, words: Words) -> None:
    """Two points that differ in height alone, before and after the height is dropped."""
    flat = [tuple(kept[:2]) for kept in projected(TWINS, FLOOR)]
    before, after = cosine(*TWINS), cosine(*projected(TWINS, FLOOR))
    space = _plane(figure, (0.4, 0.2, 3.7, 2.85), (-0.2, 4.7), (-0.85, 3.0))
    _space(space)
    space.set_title(words("drop-height-before", cosine=f"{before:.4f}"), pad=4)
    ground = axes_at(figure, 4.6, 0.5, 2.7, 2.55)
    ground.set(xlim=(-0.1, 2.6), ylim=(-0.1, 2.45), xticks=[0, 1, 2], yticks=[0, 1, 2])
    ground.set(xlabel="x", ylabel="y")
    arrow(ground, (0, 0), flat[0], color=INK)
    ground.plot(*flat[0], "o", markersize=11, markerfacecolor="none", markeredgecolor=BLUE)
    ground.plot(*flat[1], "o", color=ORANGE, markersize=5, zorder=4)
    ground.text(
        flat[0][0] + 0.15, flat[0][1], "A′ = B′ = ({:g}, {:g})".format(*flat[0]), va="center"
    )
    ground.set_title(words("drop-height-after", cosine=f"{after:.4f}"), pad=4)


def _plane(
    figure: Figure,
    at: tuple[float, float, float, float],
    across: tuple[float, float],
    up: tuple[float, float],
) -> Axes:
    """Bare axes with equal units."""
    axes = axes_at(figure, *at)
    axes.set(xlim=across, ylim=up, aspect="equal", anchor="NW")
    axes.set_axis_off()
    return axes


def _space(axes: Axes) -> None:
    """Three axes seen from the side: the ground is sheared, the height stands upright."""
    seen = np.array([[1.0, -0.2], [0.35, 0.42], [0.0, 0.22]])

    def at(*point: float) -> Matrix:
        return np.asarray(np.array(point) @ seen)

    for i in range(4):
        segment(axes, at(i, 0, 0), at(i, 3, 0), color=FAINT, linewidth=0.7)
        segment(axes, at(0, i, 0), at(3, i, 0), color=FAINT, linewidth=0.7)
    for tip, name in ((at(3.4, 0, 0), "x"), (at(0, 3.5, 0), "y"), (at(0, 0, 12), "z")):
        arrow(axes, (0, 0), tuple(tip))
        beside(axes, name, tip, (5, -2), color=GRAY)
    foot = at(*TWINS[0][:2], 0)
    segment(axes, at(*TWINS[1]), foot, color=GRAY, **DASHED)
    axes.plot(*foot, "x", color=INK, markersize=5)
    for point, name, color in zip(TWINS, "AB", (BLUE, ORANGE), strict=True):
        arrow(axes, (0, 0), tuple(at(*point)), color=color)
        axes.plot(*at(*point), "o", color=color, markersize=5)
        text = "{} = ({:g}, {:g}, {:g})".format(name, *point)
        beside(axes, text, at(*point), (8, 0), va="center", color=color)
