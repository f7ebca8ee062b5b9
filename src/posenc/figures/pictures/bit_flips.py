"""Counting in bits: from 7 to 8 all four flip, though the two are neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import code
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, GREY, INK, ORANGE, PAPER, Words
from posenc.specs._naive import Binary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BITS, CLIFF = 4, 7


def bit_flips(figure: Figure, words: Words) -> None:
    """The bits of 0 to 15, and beneath how many flip at each step."""
    from matplotlib.colors import ListedColormap

    bits = code(Binary(bits=BITS), 2**BITS).astype(int)
    flips = np.abs(np.diff(bits, axis=0)).sum(-1)
    grid, bars = axes_at(figure, 1.15, 1.65, 6.2, 1.3), axes_at(figure, 1.15, 0.5, 6.2, 0.85)

    pattern = bits.T[::-1]  # the most significant bit on top
    grid.imshow(pattern, cmap=ListedColormap(["#EEF3F7", BLUE]), aspect="auto")
    for (row, p), bit in np.ndenumerate(pattern):
        colour = PAPER if bit else GREY
        grid.text(p, row, str(bit), ha="center", va="center", color=colour, fontsize=8)
    lines = {"color": PAPER, "linewidth": 2}
    grid.vlines(np.arange(0.5, 15), -0.5, BITS - 0.5, **lines)
    grid.hlines(np.arange(0.5, BITS - 1), -0.5, 15.5, **lines)
    for p in (CLIFF, CLIFF + 1):
        edge = {"fill": False, "edgecolor": ORANGE, "linewidth": 1.8, "clip_on": False}
        from matplotlib.patches import Rectangle
        grid.add_patch(Rectangle((p - 0.46, -0.46), 0.92, BITS - 0.08, **edge))
    grid.set_yticks(range(BITS), [words("bit-flips-bit", j=j) for j in range(BITS)[::-1]])
    grid.set_xticks(range(2**BITS))
    grid.tick_params(length=0)
    grid.spines[:].set_visible(False)

    where = np.arange(2**BITS - 1) + 0.5
    colours = [ORANGE if p == CLIFF else FAINT for p in range(2**BITS - 1)]
    bars.bar(where, flips, width=0.5, color=colours)
    for x, count in zip(where, flips, strict=True):
        bars.text(x, count + 0.15, str(count), ha="center", fontsize=8, color=INK)
    bars.set(xlim=(-0.5, 15.5), ylim=(0, 5.2), xticks=range(2**BITS), yticks=[])
    bars.spines["left"].set_visible(False)
    bars.set_xlabel(words("position"))
    bars.set_ylabel(words("bit-flips-y"), rotation=0, ha="right", va="center")
    far = int(np.abs(bits[2**(BITS - 1)] - bits[0]).sum())
    text = words("bit-flips-note", a=CLIFF, b=CLIFF + 1, flips=flips[CLIFF], far=far)
    bars.annotate(text, (CLIFF + 0.85, 4), (9.2, 3.6), color=INK, fontsize=8)
