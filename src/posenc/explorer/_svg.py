"""Small pictures that stand still, in the colours of the page: for paper, and without a script.

Whole units and relative steps: a picture is a few hundred characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from math import cos, sin
from typing import Any

WIDTH, HEIGHT = 320, 80
LEVELS = 2


def svg(parts: Iterable[str], *, height: int = HEIGHT) -> str:
    """A picture, ``WIDTH`` by ``height`` units, as wide as its place."""
    return f'<svg viewBox="0 0 {WIDTH} {height}">{"".join(parts)}</svg>'


def path(d: str, colour: str, more: str = "") -> str:
    """A line of this colour of the page."""
    return f'<path stroke="var(--{colour})" fill="none"{more} d="{d}"/>'


def bars(values: Any, *, largest: float = 1.0) -> str:
    """Strokes from the middle, up where positive; every second one in the other colour."""
    step, half = WIDTH / len(values), HEIGHT / 2
    drawn = ["", ""]
    for i, value in enumerate(values):
        tall = round(value / largest * (half - 2))
        drawn[i % 2] += f"M{(i + 0.5) * step:.0f} {half:.0f}v{-tall}" if tall else ""
    wide = f' stroke-width="{step * 0.7:.0f}"'
    return svg(path(d, c, wide) for c, d in zip(("sin", "cos"), drawn, strict=True) if d)


def cells(rows: Any, *, largest: float = 1.0, height: int = HEIGHT) -> str:
    """A map: a colour for each sign, and its strength in a few levels, run by run."""
    wide, tall = WIDTH / len(rows[0]), height / len(rows)
    shades: dict[tuple[bool, int], str] = {}
    for y, row in enumerate(rows):
        scaled = [round(float(value) / largest * LEVELS) for value in row]
        x = 0
        for value, run in groupby(scaled):
            count = len(list(run))
            if level := min(abs(value), LEVELS):
                key = (value > 0, level)
                shades[key] = shades.get(key, "") + (
                    f"M{x * wide:.0f} {(y + 0.5) * tall:.0f}h{count * wide:.0f}"
                )
            x += count
    drawn = (
        path(d, "cos" if positive else "sin", f' opacity=".{level * 4}" stroke-width="{tall:.0f}"')
        for (positive, level), d in shades.items()
    )
    return svg(drawn, height=height)


def lines(*series: Any, low: float, high: float, most: int = 24) -> str:
    """Curves over a common axis, each in a colour and with dashes of its own."""
    styles = (("sin", ""), ("cos", "6 3"), ("mark", "2 3"), ("ink", "8 3 2 3"))
    drawn = []
    for values, (colour, dashes) in zip(series, styles, strict=False):
        thinned = values[:: -(-len(values) // most)]
        step = WIDTH / max(1, len(thinned) - 1)
        heights = [round((high - v) / (high - low) * (HEIGHT - 4) + 2) for v in thinned]
        points = " ".join(f"{i * step:.0f} {y}" for i, y in enumerate(heights))
        drawn.append(path(f"M{points}", colour, f' stroke-dasharray="{dashes}"' if dashes else ""))
    return svg(drawn)


def dials(angles: Iterable[float], *, across: int = 8) -> str:
    """Hands of clocks: sine up, cosine to the right."""
    angles, size = [*angles], WIDTH / across
    reach = size / 2 - 3
    hands = "".join(
        f"M{(i % across + 0.5) * size:.0f} {(i // across + 0.5) * size:.0f}"
        f"l{reach * cos(angle):.0f} {-reach * sin(angle):.0f}"
        for i, angle in enumerate(angles)
    )
    return svg([path(hands, "sin")], height=round(-(-len(angles) // across) * size))
