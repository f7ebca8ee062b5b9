"""Four views of one code: its table, its curves, its length, and how near two positions are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import Matrix, code, sinusoid
from posenc.figures import _parts
from posenc.figures._parts import DIMS, axes_at
from posenc.figures._style import BLUE, GRAY, GREEN, ORANGE, Words
from posenc.specs._sinusoidal import Sinusoidal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COUNT = 100


def four_panels(figure: Figure, words: Words) -> None:
    """The heat map, the curves, the norm and the similarity of neighbours."""
    left, right, low, high = 0.65, 4.95, 0.5, 3.6
    size = (3.45, 2.35)
    table = axes_at(figure, left, high, 3.1, size[1])
    bar = axes_at(figure, left + 3.2, high, 0.1, size[1])
    rows = sinusoid(COUNT)
    _parts.heat_map(table, rows, words, bar=bar)
    lines, norm = axes_at(figure, right, high, *size), axes_at(figure, left, low, 3.1, size[1])
    near = axes_at(figure, right, low, *size)
    _curves(lines, words)
    _norm(norm, rows, words)
    _similarity(near, rows, words)
    for letter, axes in zip("abcd", (table, lines, norm, near), strict=True):
        axes.set_title(f"({letter})  {words(f'four-panels-{letter}')}", pad=6)


def _curves(axes: Axes, words: Words) -> None:
    fine = np.linspace(0, 63, 757)
    values = code(Sinusoidal(dim=64), fine.tolist())
    for dim, color, style in zip(DIMS, (BLUE, ORANGE, GREEN), ("-", "--", "-."), strict=True):
        label = words("four-panels-dim", dim=dim)
        axes.plot(fine, values[:, dim], style, color=color, label=label, linewidth=1.1)
    axes.set(xlim=(0, 63), ylim=(-1.1, 1.45), xticks=[0, 16, 32, 48, 63], yticks=[-1, 0, 1])
    axes.set_xlabel(words("position"))
    axes.legend(ncols=3, loc="upper center", borderaxespad=0, handlelength=1.8, columnspacing=1.2)


def _norm(axes: Axes, rows: Matrix, words: Words) -> None:
    whole = np.linalg.norm(rows, axis=-1)
    sines = np.linalg.norm(rows[:, ::2], axis=-1)
    axes.plot(whole, color=BLUE)
    axes.plot(sines, color=GRAY, linewidth=1)
    axes.set(xlim=(0, COUNT - 1), ylim=(0, 7), xlabel=words("position"))
    axes.text(COUNT - 1, whole[-1] + 0.2, f"√32 = {whole[0]:.6f}", ha="right", color=BLUE)
    axes.text(
        COUNT - 1, sines[-20:].min() - 0.75, words("four-panels-sines"), ha="right", color=GRAY
    )


def _similarity(axes: Axes, rows: Matrix, words: Words) -> None:
    unit = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    neighbours = (unit[:-1] * unit[1:]).sum(-1)
    axes.plot(neighbours, color=BLUE)
    axes.plot(unit @ unit[0], color=ORANGE, linestyle="--")
    axes.set(xlim=(0, COUNT - 1), ylim=(0, 1.2), yticks=[0, 0.25, 0.5, 0.75, 1])
    axes.set_xlabel(words("four-panels-d-x"))
    axes.text(
        COUNT - 1,
        neighbours[-1] + 0.04,
        f"cos(PE(p), PE(p+1)) = {neighbours[0]:.6f}",
        ha="right",
        color=BLUE,
    )
    axes.text(COUNT - 1, 0.62, "cos(PE(0), PE(k))", ha="right", color=ORANGE)
