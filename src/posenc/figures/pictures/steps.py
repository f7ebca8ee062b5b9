"""The 64 numbers of one position as steps: restless on the left, calm on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import Matrix, sinusoid
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, INK, ORANGE, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = (0, 1, 100, 1023)


def steps(figure: Figure, words: Words) -> None:
    """Four positions; the animation shows all of 0 to 1023."""
    rows = sinusoid(list(SHOWN))
    for i, (p, row) in enumerate(zip(SHOWN, rows, strict=True)):
        left, low = i % 2 == 0, i >= 2
        axes = axes_at(figure, 0.55 if left else 4.75, 0.5 if low else 2.45, 3.65, 1.5)
        _steps(axes, row, words)
        axes.set_title(f"p = {p}", pad=3)
        axes.tick_params(labelbottom=low, labelleft=left)
        if low:
            axes.set_xlabel(words("dimension"))
        if not (left or low):
            axes.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)


def _steps(axes: Axes, row: Matrix, words: Words) -> None:
    edges = np.arange(len(row) + 1) - 0.5
    cosine = np.arange(len(row)) % 2 == 1
    axes.axhline(0, color=FAINT, linewidth=0.7)
    for chosen, color, key in ((~cosine, BLUE, "sine"), (cosine, ORANGE, "cosine")):
        axes.stairs(np.where(chosen, row, 0), edges, fill=True, color=color, label=words(key))
    axes.stairs(row, edges, baseline=None, color=INK, linewidth=0.7)
    axes.set(xlim=(-0.5, len(row) - 0.5), ylim=(-1.12, 1.12), yticks=[-1, 0, 1])
    axes.set_xticks([0, 16, 32, 48, 63])
