"""How far each rotary pair goes before it has turned once, before and after scaling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from posenc.errors import EncodingTypeError, check
from posenc.figures._parts import axes_at
from posenc.figures._style import BLUE, FAINT, GREY, ORANGE, Words
from posenc.specs._rope import Rope
from posenc.specs._scaling import Unscaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def wavelengths(figure: Figure, words: Words, *, spec: Any, trained_length: int | None) -> None:
    """Tokens per turn of every pair against the trained length."""
    error = EncodingTypeError
    check(isinstance(spec, Rope), "wavelengths: spec", "a rotary spec", spec, error=error)
    trained = trained_length or getattr(spec.scaling, "trained_length", None)
    factor = getattr(spec.scaling, "factor", None) or 1.0
    target = round(trained * factor) if trained else None
    plain = _periods(Rope(dim=spec.dim, layout=spec.layout, base=spec.base).frequencies())
    scaled = _periods(spec.frequencies(target))

    axes = axes_at(figure, 0.75, 0.5, 5.1, 2.95)
    axes.semilogy(plain, "o", color=BLUE, markersize=3.5, markerfacecolor="none", label=words("wavelengths-before"))
    if not isinstance(spec.scaling, Unscaled):
        rule = type(spec.scaling).__name__
        axes.plot(scaled, "o", color=ORANGE, markersize=2.5, label=words("wavelengths-after", rule=rule))
    axes.set(xlim=(-1, len(plain)), xlabel=words("pair"), ylabel=words("wavelengths-y"))
    lengths = [(trained, "wavelengths-trained")] if trained else []
    if target and target != trained:
        lengths.append((target, "wavelengths-target"))
    for length, key in lengths:
        axes.axhline(length, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
        axes.text(len(plain) + 0.5, length, words(key, length=f"{length:,}".replace(",", "\N{THIN SPACE}")), va="center", fontsize=8, linespacing=1.25)
    axes.legend(loc="upper left")
    if trained:
        slow = int((plain > trained).sum())
        axes.set_title(words("wavelengths-slow", slow=slow, pairs=len(plain)), pad=4)


def _periods(freqs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Tokens per turn; NaN, which is not drawn, for a pair that stands still."""
    return math.tau / np.where(freqs > 0, freqs, np.nan)
