"""The integer as a code: beside position 500 a word of size 0.23 cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import code, cosine
from posenc.figures._parts import axes_at, note
from posenc.figures._style import BLUE, FAINT, INK, ORANGE, Words
from posenc.specs._naive import Integer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORD, POSITION = 0.23, 500
CAT, DOG = np.array([0.2, -0.1, 0.5]), np.array([0.4, 0.3, -0.2])


def drowned(figure: Figure, words: Words) -> None:
    """The two sizes on one scale; and the angle between two words as the position grows."""
    sizes, angles = axes_at(figure, 0.65, 0.5, 2.5, 2.25), axes_at(figure, 4.15, 0.5, 3.25, 2.25)
    added = float(code(Integer(dim=1), [POSITION])[0, 0])
    sizes.bar([0, 1], [WORD, added], width=0.5, color=[BLUE, ORANGE])
    sizes.text(0, 12, f"{WORD}", ha="center", color=BLUE)
    sizes.text(1, added + 12, f"{added:g}", ha="center", color=ORANGE)
    sizes.set(xlim=(-0.6, 1.6), ylim=(0, 600), yticks=[0, 250, 500])
    sizes.set_xticks([0, 1], [words("drowned-word"), words("drowned-position", p=POSITION)])
    sizes.tick_params(axis="x", length=0)
    sizes.set_title(words("drowned-sizes", ratio=f"{added / WORD:.0f}"), pad=4)

    p = np.unique(np.round(np.geomspace(1, POSITION, 60)).astype(int))
    offsets = code(Integer(dim=3), p.tolist())
    between = [_degrees(CAT + row, DOG + row) for row in offsets]
    bare = _degrees(CAT, DOG)
    angles.axhline(bare, color=FAINT, linewidth=1)
    angles.text(POSITION, bare * 1.15, words("drowned-bare", angle=f"{bare:.2f}"), ha="right", fontsize=8)
    angles.loglog(p, between, color=ORANGE)
    angles.plot(POSITION, between[-1], "o", color=ORANGE, markersize=4)
    angles.annotate(f"{between[-1]:.4f}°", (POSITION, between[-1]), (-6, -3), textcoords="offset points", ha="right", color=INK)
    angles.set(xlim=(1, 700), ylim=(0.03, 300), xlabel=words("position"))
    angles.set_xticks([1, 10, 100, 500], ["1", "10", "100", "500"])
    angles.set_yticks([0.1, 1, 10, 100], ["0.1°", "1°", "10°", "100°"])
    angles.minorticks_off()
    angles.set_title(words("drowned-angle"), pad=4)


def _degrees(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(np.arccos(cosine(a, b))))
