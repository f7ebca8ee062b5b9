"""The dot product of two codes against their distance: the same everywhere, and not monotone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import Matrix, sinusoid
from posenc.figures._parts import axes_at, note
from posenc.figures._style import BLUE, FAINT, GREEN, INK, ORANGE, Words, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NEAR, REACH = 64, 1024
SHOWN = np.array([0, 1, 2, 4, 8, 16, 32, 64])
MARKS = ((0, "o", 7.0, BLUE), (20, "s", 4.5, INK), (100, "x", 4.0, GREEN))
"""Positions from which the same distances are measured, and how they are drawn."""


def distance(figure: Figure, words: Words) -> None:
    """Near distances on the left, with the steps that rise; 0 to 1023 on the right."""
    rows = sinusoid(REACH)
    near, far = axes_at(figure, 0.6, 0.5, 3.75, 2.55), axes_at(figure, 4.95, 0.5, 3.45, 2.55)
    _near(near, rows, words)
    _far(far, rows @ rows[0], words)
    near.set_ylabel("PE(p) ⋅ PE(p+k)")
    for axes in (near, far):
        axes.set_xlabel(words("distance-x"))


def _near(axes: Axes, rows: Matrix, words: Words) -> None:
    products = rows[: NEAR + 1] @ rows[0]
    axes.plot(products, color=BLUE)
    rising = np.flatnonzero(np.diff(products) > 0)
    for k in rising:
        axes.plot([k, k + 1], products[k : k + 2], color=ORANGE, linewidth=2.4)
    for p, mark, size, color in MARKS:
        values = rows[p + SHOWN] @ rows[p]
        (line,) = axes.plot(SHOWN, values, mark, color=color, label=f"p = {p}", zorder=3)
        line.set(markersize=size, markerfacecolor="none")
    first = int(rising[0])
    low, high = products[first : first + 2]
    slots = {"a": first, "b": first + 1, "x": f"{low:.3f}", "y": f"{high:.3f}"}
    note(axes, words("distance-first", **slots), (first + 0.5, (low + high) / 2), (15, 28.5))
    axes.set(xlim=(-1, NEAR + 2), ylim=(10, 34), xticks=[0, 16, 32, 48, 64])
    axes.set_title(words("distance-near"), pad=4)
    axes.legend(loc="lower left", handletextpad=0.2, borderaxespad=0.2)


def _far(axes: Axes, products: Matrix, words: Words) -> None:
    axes.axhline(0, color=FAINT, linewidth=0.7, zorder=0)
    axes.plot(products, color=BLUE, linewidth=0.8)
    k = int(products.argmin())
    axes.plot(k, products[k], "o", color=ORANGE, markersize=4)
    label = words("distance-least", value=number(products[k], 3), k=k)
    axes.text(k + 15, products[k] - 1, label, ha="right", va="top", fontsize=8)
    axes.set(xlim=(0, REACH - 1), ylim=(-6, 34), xticks=[0, 256, 512, 768, 1023])
    share = 100 * float((np.diff(products) > 0).mean())
    axes.set_title(words("distance-far", share=f"{share:.1f}"), pad=4)
