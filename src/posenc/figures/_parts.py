"""What several figures have in common: axes in inches, a heat map, curves, labels on lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.claims._codes import Matrix, code
from posenc.figures._style import BLUE, DIVERGING, FAINT, GRAY, INK, Words
from posenc.specs._sinusoidal import Sinusoidal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIMS = (0, 10, 30)
"""The dimensions whose curves are shown."""


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes placed in inches from the lower left corner, so that no layout has to be solved."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def heat_map(axes: Axes, rows: Matrix, words: Words, *, bar: Axes | None = None) -> None:
    """Positions down, dimensions across, -1 blue and 1 orange."""
    from matplotlib.colors import LinearSegmentedColormap

    colors = LinearSegmentedColormap.from_list("posenc", DIVERGING)
    image = axes.imshow(rows, cmap=colors, vmin=-1, vmax=1, interpolation="nearest", aspect="auto")
    axes.set(xlabel=words("dimension"), ylabel=words("position"))
    axes.set(xticks=_ticks(rows.shape[1]), yticks=_ticks(rows.shape[0]))
    axes.spines[:].set_visible(False)
    if bar is not None:
        axes.figure.colorbar(image, cax=bar, ticks=[-1, 0, 1])
        bar.spines[:].set_visible(False)
        bar.tick_params(length=2)


def _ticks(count: int) -> list[int]:
    """Round numbers, and the last one in place of a round one close to it."""
    step = 16 if count <= 64 else 20
    return [*range(0, count - step // 2, step), count - 1]


def curve(axes: Axes, dim: int, words: Words, *, last: int = 63) -> None:
    """One dimension over the positions 0 to ``last``: integers as dots, all real ones as a line."""
    spec = Sinusoidal(dim=64)
    fine = np.linspace(0, last, 12 * last + 1)
    axes.axhline(0, color=FAINT, linewidth=0.7, zorder=0)
    axes.plot(fine, code(spec, fine.tolist())[:, dim], color=BLUE, linewidth=1)
    axes.plot(code(spec, last + 1)[:, dim], ".", color=BLUE, markersize=3.5)
    turns = last * float(spec.frequencies()[dim // 2]) / math.tau
    axes.set_title(words("curves-turns", dim=dim, turns=f"{turns:.2f}"), pad=3)
    axes.set(xlim=(-0.5, last + 0.5), ylim=(-1.12, 1.12), yticks=[-1, 0, 1])


def curves(figure: Figure, words: Words, *, left: float, width: float, height: float) -> None:
    """The curves of ``DIMS``, one above the other."""
    gap, bottom = 0.36, 0.5
    each = (height - gap * (len(DIMS) - 1)) / len(DIMS)
    for row, dim in enumerate(DIMS):
        up = bottom + (len(DIMS) - 1 - row) * (each + gap)
        axes = axes_at(figure, left, up, width, each)
        curve(axes, dim, words)
        axes.set_xticks([0, 16, 32, 48, 63], labels=None if row == len(DIMS) - 1 else [""] * 5)
    axes.set_xlabel(words("position"))


def segment(axes: Axes, start: Any, end: Any, **style: Any) -> None:
    """A straight line between two points."""
    axes.plot(*zip(start, end, strict=True), **{"zorder": 1, **style})


def beside(axes: Axes, text: str, at: Any, offset: tuple[float, float], **style: Any) -> None:
    """A label near a point, moved by so many printer's points."""
    axes.annotate(text, at, offset, textcoords="offset points", **style)


def note(axes: Axes, text: str, at: tuple[float, float], near: tuple[float, float]) -> None:
    """A remark at ``near`` with a thin line to the point ``at``, in the axes' own units."""
    line: dict[str, Any] = {
        "arrowstyle": "-",
        "color": GRAY,
        "linewidth": 0.7,
        "shrinkA": 1,
        "shrinkB": 3,
    }
    axes.annotate(text, at, near, color=INK, fontsize=8, arrowprops=line, linespacing=1.3)
