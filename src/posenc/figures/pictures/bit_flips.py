"""Counting in bits: from 7 to 8 all four flip, though the two are neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.claims._codes import code
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, GRAY, INK, ORANGE, PAPER, Words
from posenc.specs._naive import Binary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Bits = np.ndarray[Any, np.dtype[np.int64]]

BITS, CLIFF = 4, 7


def bit_flips(figure: Figure, words: Words) -> None:
    """The bits of 0 to 15, and beneath how many flip at each step."""
    bits = code(Binary(bits=BITS), 2**BITS).astype(np.int64)
    _pattern(axes_at(figure, 1.15, 1.55, 6.2, 1.4), bits, words)
    _steps(axes_at(figure, 1.15, 0.2, 6.2, 1.0), bits, words)


def _pattern(axes: Axes, bits: Bits, words: Words) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Rectangle

    count = len(bits)
    rows = bits.T[::-1]  # the most significant bit on top
    axes.imshow(rows, cmap=ListedColormap(["#EEF3F7", BLUE]), aspect="auto")
    for (row, p), bit in np.ndenumerate(rows):
        ink = PAPER if bit else GRAY
        axes.text(p, row, str(bit), ha="center", va="center", color=ink, fontsize=8)
    axes.vlines(np.arange(0.5, count - 1), -0.5, BITS - 0.5, color=PAPER, linewidth=2)
    axes.hlines(np.arange(0.5, BITS - 1), -0.5, count - 0.5, color=PAPER, linewidth=2)
    frame = Rectangle((CLIFF - 0.5, -0.5), 2, BITS, fill=False, edgecolor=ORANGE, linewidth=1.8)
    frame.set(zorder=3, clip_on=False)
    axes.add_patch(frame)
    axes.set_yticks(range(BITS), [words("bit-flips-bit", j=j) for j in reversed(range(BITS))])
    axes.set_xticks(range(count))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.text(-0.65, BITS - 0.16, words("position"), ha="right", va="center", fontsize=8)


def _steps(axes: Axes, bits: Bits, words: Words) -> None:
    flips = np.abs(np.diff(bits, axis=0)).sum(-1)
    where = np.arange(len(flips)) + 0.5
    axes.bar(where, flips, width=0.5, color=[ORANGE if p == CLIFF else FAINT for p in range(15)])
    for x, count in zip(where, flips, strict=True):
        axes.text(x, count + 0.15, str(count), ha="center", fontsize=8, color=INK)
    axes.set(xlim=(-0.5, len(bits) - 0.5), ylim=(0, 5), xticks=[], yticks=[])
    axes.spines["left"].set_visible(False)
    label = words("bit-flips-y")
    axes.text(-0.65, 1.5, label, ha="right", va="center", fontsize=8, linespacing=1.35)
    jump = int(np.abs(bits[CLIFF + 1] - bits[0]).sum())
    text = words("bit-flips-note", a=CLIFF, b=CLIFF + 1, flips=flips[CLIFF], jump=jump)
    axes.text(CLIFF + 0.95, 4.15, text, fontsize=8, color=INK)
