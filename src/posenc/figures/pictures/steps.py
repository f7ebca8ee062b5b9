"""The 64 numbers of one position as steps; at each place, from restless to calm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, INK, ORANGE, Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (0, 1, 100, 1023)


def steps(figure: Figure, words: Words) -> None:
    """Four positions; the animation shows all of 0 to 1023."""
    rows = sinusoid(SHOWN[-1] + 1)
    edges = np.arange(rows.shape[1] + 1) - 0.5
    odd = np.arange(rows.shape[1]) % 2 == 1
    for i, p in enumerate(SHOWN):
        left, bottom = (0.55, 4.6)[i % 2], (2.4, 0.5)[i // 2]
        axes = axes_at(figure, left, bottom, 3.85, 1.5)
        axes.axhline(0, color=FAINT, linewidth=0.7)
        for chosen, colour, label in ((~odd, BLUE, "sine"), (odd, ORANGE, "cosine")):
            values = np.where(chosen, rows[p], 0)
            axes.stairs(values, edges, fill=True, color=colour, alpha=0.75, label=words(label))
        axes.stairs(rows[p], edges, color=INK, linewidth=0.7, baseline=None)
        axes.set(xlim=(-0.5, 63.5), ylim=(-1.12, 1.12), yticks=[-1, 0, 1])
        axes.set_xticks([0, 16, 32, 48, 63], labels=None if i >= 2 else [""] * 5)
        axes.set_title(f"p = {p}", pad=3)
        if i >= 2:
            axes.set_xlabel(words("dimension"))
        if i == 1:
            axes.legend(ncols=2, loc="lower right", bbox_to_anchor=(1.0, 0.99), borderaxespad=0)
