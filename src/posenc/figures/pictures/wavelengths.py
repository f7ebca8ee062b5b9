"""How far each rotary pair goes before it has turned once, before and after scaling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import Matrix
from posenc.figures._parts import axes_at, beside
from posenc.figures._style import BLUE, GRAY, ORANGE, Words, grouped
from posenc.specs._rope import Rope
from posenc.specs._scaling import Unscaled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def wavelengths(figure: Figure, words: Words, *, spec: Rope, trained_length: int | None) -> None:
    """Positions per turn of every pair against the trained length and what scaling aims at."""
    trained = trained_length or getattr(spec.scaling, "trained_length", None)
    factor = getattr(spec.scaling, "factor", None)
    aim = round(trained * factor) if trained and factor else None
    # A rule that looks at the length of the run is shown past the trained length.
    run = aim or (trained + 1 if trained else None)
    plain = _periods(Rope(dim=spec.dim, layout=spec.layout, base=spec.base).frequencies())

    axes = axes_at(figure, 0.75, 0.5, 5.45, 2.95)
    before = words("wavelengths-before")
    axes.semilogy(plain, "o", color=BLUE, label=before, markersize=3.5, markerfacecolor="none")
    if not isinstance(spec.scaling, Unscaled):
        after = words("wavelengths-after", rule=type(spec.scaling).__name__)
        axes.plot(_periods(spec.frequencies(run)), "o", color=ORANGE, markersize=2.5, label=after)
        axes.legend(loc="upper left")
    axes.set(xlim=(-1, len(plain)), xlabel=words("pair"), ylabel=words("wavelengths-y"))
    if trained:
        _length(axes, trained, words("wavelengths-trained", length=grouped(trained)), above=False)
        if aim and aim > trained:
            _length(axes, aim, words("wavelengths-aim", length=grouped(aim)), above=True)
        slow = int((plain > trained).sum())
        axes.set_title(words("wavelengths-slow", slow=slow, pairs=len(plain)), pad=4)


def _length(axes: Axes, length: int, label: str, *, above: bool) -> None:
    axes.axhline(length, color=GRAY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    at, shift, side = (axes.get_xlim()[1], length), 1 if above else -1, "bottom" if above else "top"
    beside(axes, label, at, (4, shift), va=side, fontsize=8)


def _periods(freqs: Matrix) -> Matrix:
    """Positions per turn; NaN, which is not drawn, for a pair that stands still."""
    return math.tau / np.where(freqs > 0, freqs, np.nan)
