"""The integer as a code: beside position 500 a word of size 0.23 cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import code
from posenc.claims.naive_integer import degrees
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, ORANGE, Words
from posenc.specs._naive import Integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORD, POSITION = 0.23, 500


def drowned(figure: Figure, words: Words) -> None:
    """The two sizes on one scale; and the angle between two words as the position grows."""
    _sizes(axes_at(figure, 0.65, 0.55, 2.5, 2.3), words)
    _angles(axes_at(figure, 4.15, 0.55, 3.25, 2.3), words)


def _sizes(axes: Axes, words: Words) -> None:
    added = float(code(Integer(dim=1), [POSITION])[0, 0])
    axes.bar([0, 1], [WORD, added], width=0.5, color=[BLUE, ORANGE])
    for x, height, color in ((0, WORD, BLUE), (1, added, ORANGE)):
        axes.text(x, height + 12, f"{height:g}", ha="center", color=color)
    axes.set(xlim=(-0.6, 1.6), ylim=(0, 600), yticks=[0, 250, 500])
    labels = [words("drowned-word"), words("drowned-position", p=POSITION)]
    axes.set_xticks([0, 1], labels, linespacing=1.4)
    axes.tick_params(axis="x", length=0)
    axes.set_title(words("drowned-sizes", ratio=f"{added / WORD:.0f}"), pad=4)


def _angles(axes: Axes, words: Words) -> None:
    positions = np.unique(np.geomspace(1, POSITION, 60).round().astype(int)).tolist()
    angles = [degrees(p) for p in positions]
    bare, last = degrees(0), angles[-1]
    axes.axhline(bare, color=FAINT, linewidth=1)
    label = words("drowned-bare", angle=f"{bare:.2f}")
    axes.text(POSITION, bare * 1.15, label, ha="right", fontsize=8)
    axes.loglog(positions, angles, color=ORANGE)
    axes.plot(POSITION, last, "o", color=ORANGE, markersize=4)
    axes.text(POSITION * 0.8, last, f"{last:.4f}°", ha="right", va="center", fontsize=8)
    axes.set(xlim=(1, 700), ylim=(0.03, 300), xlabel=words("position"))
    axes.set_xticks([1, 10, 100, 500], ["1", "10", "100", "500"])
    axes.set_yticks([0.1, 1, 10, 100], ["0.1°", "1°", "10°", "100°"])
    axes.minorticks_off()
    axes.set_title(words("drowned-angle"), pad=4)
