"""The input stage of GPT-2, from a token and its position to q, k and v, with every shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posenc.claims._stage import HEADS, ROWS, VOCABULARY, WIDTH
from posenc.figures._diagram import arrow, box, canvas, code, label, path
from posenc.figures._style import BLUE, GRAY, INK, ORANGE, PAPER, Words, grouped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UP, MID, LOW = 2.35, 1.62, 0.89
TABLE, SUM, SPLIT, PARTS = 2.0, 3.15, 7.3, 8.05
"""Heights and places from left to right, in inches."""


def gpt2_input(figure: Figure, words: Words) -> None:
    """wte + wpe, then ln_1, then c_attn up to three times the width, then heads."""
    axes = canvas(figure)
    for y, source, table, rows, color in (
        (UP, "gpt2-tokens", "wte", VOCABULARY, BLUE),
        (LOW, "gpt2-positions", "wpe", ROWS, ORANGE),
    ):
        _lookup(axes, y, words(source), table, rows, color)
    label(axes, (TABLE, LOW - 0.47), words("gpt2-wpe", count=grouped(ROWS * WIDTH)), fontsize=8)
    axes.plot(SUM, MID, "o", markersize=15, markerfacecolor=PAPER, markeredgecolor=INK)
    axes.text(SUM, MID, "+", ha="center", va="center_baseline", fontsize=11)
    _layer(axes, words)
    _heads(axes)
    path(axes, (SUM + 0.42, MID), (SUM + 0.42, 0.3), (8.5, 0.3))
    label(axes, (6.0, 0.41), words("gpt2-residual"), fontsize=8, color=GRAY)


def _lookup(axes: Axes, y: float, source: str, name: str, rows: int, color: str) -> None:
    label(axes, (0.6, y + 0.1), source)
    code(axes, (0.6, y - 0.12), "(n,)")
    arrow(axes, (1.0, y), (TABLE - 0.55, y), color=color)
    box(axes, (TABLE, y), (1.1, 0.5), edge=color)
    code(axes, (TABLE, y + 0.1), name, color=color, size=9)
    code(axes, (TABLE, y - 0.12), f"{rows}×{WIDTH}")
    above = y > MID
    path(axes, (TABLE + 0.55, y), (SUM, y), (SUM, MID + (0.12 if above else -0.12)), color=color)
    code(axes, (SUM - 0.2, y + (0.13 if above else -0.15)), f"(n, {WIDTH})")


def _layer(axes: Axes, words: Words) -> None:
    left = SUM + 0.12
    for x, width, name, size, remark in (
        (4.5, 0.8, "ln_1", "", "gpt2-ln"),
        (6.05, 1.0, "c_attn", f"{WIDTH}→{3 * WIDTH}", "gpt2-c-attn"),
    ):
        edge = x - width / 2
        arrow(axes, (left, MID), (edge, MID))
        code(axes, ((left + edge) / 2, MID + 0.13), f"(n, {WIDTH})")
        box(axes, (x, MID), (width, 0.5))
        code(axes, (x, MID + (0.1 if size else 0)), name, color=INK, size=9)
        code(axes, (x, MID - 0.12), size)
        label(axes, (x, MID - 0.5), words(remark), fontsize=8)
        left = x + width / 2
    axes.plot([left, SPLIT], [MID, MID], color=GRAY, linewidth=0.9)
    code(axes, ((left + SPLIT) / 2, MID + 0.13), f"(n, {3 * WIDTH})")


def _heads(axes: Axes) -> None:
    for letter, y in (("q", UP), ("k", MID), ("v", LOW)):
        path(axes, (SPLIT, MID), (SPLIT, y), (PARTS - 0.45, y))
        box(axes, (PARTS, y), (0.9, 0.5))
        label(axes, (PARTS, y + 0.1), letter, fontsize=9.5, fontweight="bold")
        code(axes, (PARTS, y - 0.12), f"({HEADS}, n, {WIDTH // HEADS})")
