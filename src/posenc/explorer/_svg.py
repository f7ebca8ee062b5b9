"""Small pictures that stand still, in the colours of the page: for paper, and without a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, sin
from typing import Any

WIDTH, HEIGHT = 320, 96


def svg(parts: Iterable[str], *, height: int = HEIGHT) -> str:
    """A picture, ``WIDTH`` by ``height`` units, as wide as its place."""
    return f'<svg viewBox="0 0 {WIDTH} {height}">{"".join(parts)}</svg>'


def bars(values: Sequence[float], *, largest: float = 1.0) -> str:
    """Bars from the middle, up where positive; every second one in the other colour."""
    wide = WIDTH / len(values)
    half = HEIGHT / 2
    drawn = ["", ""]
    for i, value in enumerate(values):
        tall = value / largest * (half - 2)
        drawn[i % 2] += f"M{i * wide:.1f} {half:.0f}v{-tall:.1f}h{wide * 0.8:.1f}v{tall:.1f}z"
    colours = ("sin", "cos")
    return svg(
        f'<path fill="var(--{c})" d="{d}"/>' for c, d in zip(colours, drawn, strict=True) if d
    )


def cells(rows: Any, *, largest: float = 1.0, height: int = HEIGHT) -> str:
    """A map: opacity for the size, one colour for each sign."""
    wide, tall = WIDTH / len(rows[0]), height / len(rows)
    shades: dict[tuple[str, int], str] = {}
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            level = min(4, round(abs(float(value)) / largest * 4))
            if level:
                key = ("cos" if value > 0 else "sin", level)
                place = f"M{x * wide:.0f} {y * tall:.0f}h{wide:.0f}v{tall:.0f}h-{wide:.0f}z"
                shades[key] = shades.get(key, "") + place
    drawn = (
        f'<path fill="var(--{c})" opacity="{level / 4:g}" d="{d}"/>'
        for (c, level), d in shades.items()
    )
    return svg(drawn, height=height)


def lines(*series: Sequence[float], low: float, high: float) -> str:
    """Curves over a common axis, each in a colour and with dashes of its own."""
    styles = (("sin", ""), ("cos", "6 3"), ("mark", "2 3"), ("ink", "8 3 2 3"))
    drawn = []
    for values, (colour, dashes) in zip(series, styles, strict=False):
        step = WIDTH / max(1, len(values) - 1)
        points = " ".join(
            f"{i * step:.0f},{(high - v) / (high - low) * (HEIGHT - 4) + 2:.1f}"
            for i, v in enumerate(values)
        )
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        drawn.append(f'<polyline fill="none" stroke="var(--{colour})"{dashed} points="{points}"/>')
    return svg(drawn)


def dials(angles: Iterable[float], *, across: int = 8) -> str:
    """Hands of clocks: sine up, cosine to the right."""
    angles, size = [*angles], WIDTH / across
    height = round(-(-len(angles) // across) * size)
    rings, hands = [], ""
    for i, angle in enumerate(angles):
        x, y = (i % across + 0.5) * size, (i // across + 0.5) * size
        reach = size / 2 - 3
        rings.append(
            f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{reach:.0f}" fill="none" stroke="var(--line)"/>'
        )
        hands += f"M{x:.0f} {y:.0f}l{reach * cos(angle):.1f} {-reach * sin(angle):.1f}"
    return svg([*rings, f'<path stroke="var(--sin)" d="{hands}"/>'], height=height)


def words(*said: str) -> str:
    """Lines of text, for what has no other picture."""
    drawn = (
        f'<text x="0" y="{14 + 18 * i}" fill="var(--ink)" font-size="12">{escape(line)}</text>'
        for i, line in enumerate(said)
    )
    return svg(drawn, height=18 * len(said) + 4)
