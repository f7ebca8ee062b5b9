"""How every figure looks: two colors that color-blind readers tell apart, and quiet axes."""

from __future__ import annotations

from typing import Any

from posenc.text import Language, sentence

BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
"""Sine and negative; cosine and positive; a third line. From Okabe and Ito's palette."""

INK, GRAY, FAINT, PAPER = "#222222", "#6B6B6B", "#DADADA", "#FFFFFF"

DIVERGING = (BLUE, "#F7F7F7", ORANGE)
"""Of heat maps, from -1 over 0 to 1."""

MONO = "DejaVu Sans Mono"  # comes with matplotlib


def settings(chinese: str | None) -> dict[str, Any]:
    """Matplotlib's parameters, given the font of Chinese labels; the rest comes with it."""
    return {
        "font.family": [*([chinese] if chinese else []), "DejaVu Sans"],
        "font.size": 8.5,
        "text.color": INK,
        "axes.titlesize": 9,
        "axes.titlelocation": "left",
        "axes.labelcolor": INK,
        "axes.edgecolor": GRAY,
        "axes.linewidth": 0.7,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": GRAY,
        "ytick.color": GRAY,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.frameon": False,
        "legend.fontsize": 8,
        "lines.linewidth": 1.3,
        "savefig.dpi": 160,
        "svg.fonttype": "path",  # the reader needs no font
        "svg.hashsalt": "posenc",  # the same ids each time
    }


class Words:
    """The labels of figures in one language; ``|`` in a text breaks the line."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, key: str, **slots: object) -> str:
        return sentence("figures", key, self.language, **slots).replace("|", "\n")


def number(value: float, digits: int) -> str:
    """A number with a true minus sign."""
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def grouped(count: int) -> str:
    """A large number in groups of three digits."""
    return f"{count:,}".replace(",", "\N{THIN SPACE}")
