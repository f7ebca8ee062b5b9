"""How cost grows, as a picture: a panel for what grows, a line for each side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from posenc.bench._result import Row, Side
from posenc.bench._sides import shown_name
from posenc.figures._draw import styled
from posenc.figures._style import BLUE, GRAY, GREEN, INK, ORANGE
from posenc.text import Language, sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OTHERS = (ORANGE, GREEN, "#CC79A7", "#E69F00", "#56B4E9")  # more of Okabe and Ito's palette


def draw(rows: Sequence[Row], path: Path, *, language: Language) -> None:
    """Write the picture; the ending of ``path`` says in which format.

    Args:
        rows: Those of cases that grow; others are left out.
        path: The file.
        language: Of the labels, if there is a font for it.
    """
    from matplotlib.figure import Figure

    growing = [row for row in rows if row.at and row.unit != "MiB"]
    panels = [list(group) for _, group in groupby(growing, lambda row: row.case.name)]
    with styled(language) as words:
        height = -(-len(panels) // 2)
        figure = Figure(figsize=(6.4, 0.7 + 2.4 * height), layout="constrained")
        grid = figure.subplots(height, min(2, len(panels)), squeeze=False).flat
        for axes, panel in zip(grid, panels, strict=False):
            _panel(axes, panel, words.language)
        for axes in list(grid)[len(panels) :]:
            axes.set_axis_off()
        lines, names = figure.axes[0].get_legend_handles_labels()
        figure.legend(lines, names, loc="outside lower center", ncols=len(names))
        figure.suptitle(
            sentence("bench", "growth", words.language),
            color=INK, fontsize=10.5, fontweight="bold", x=0.02, ha="left",
        )  # fmt: skip
        figure.savefig(path)


def _panel(axes: Axes, rows: Sequence[Row], language: Language) -> None:
    grows = next(iter(rows[0].at))
    limit = f"limit/{rows[0].case.limit}"
    lines: list[tuple[str, list[Side | None], dict[str, object]]] = [
        ("posenc", [row.ours for row in rows], {"color": BLUE, "linewidth": 2.0, "zorder": 3}),
        (limit, [row.limit for row in rows], {"color": GRAY, "linestyle": (0, (4, 3))}),
    ]
    for i, name in enumerate(rows[0].case.peers):
        peers: list[Side | None] = [row.peers[name] for row in rows]
        lines.append((name, peers, {"color": _OTHERS[i % len(_OTHERS)]}))
    for name, sides, look in lines:
        found = [
            (row.at[grows], side.median)
            for row, side in zip(rows, sides, strict=True)
            if side is not None and side.median is not None
        ]
        if found:
            at, medians = zip(*found, strict=True)
            axes.loglog(
                at, medians, base=2, marker="o", markersize=2.5, label=shown_name(name), **look
            )
    axes.set_yscale("log", base=10)
    axes.set(xlabel=sentence("bench", grows, language), ylabel=sentence("bench", "time", language))
    sizes = [row.at[grows] for row in rows]
    axes.set_xticks(sizes, labels=[_short(size) for size in sizes])
    axes.minorticks_off()


def _short(size: int) -> str:
    """1024 as 1k."""
    if size >= 1 << 20:
        return f"{size >> 20}M"
    return f"{size >> 10}k" if size >= 1 << 10 else str(size)
