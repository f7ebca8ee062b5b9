"""The dot product of two codes against their distance: the same everywhere, and not monotone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.figures._parts import axes_at, note
from posenc.figures._style import BLUE, FAINT, GREEN, INK, ORANGE, Words, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (0, 1, 2, 4, 8, 16, 32, 64)
REACH = 1024


def distance(figure: Figure, words: Words) -> None:
    """Near distances on the left, with the steps that rise; 0 to 1023 on the right."""
    rows = sinusoid(REACH)
    products = rows @ rows[0]
    steps = np.diff(products)
    near, far = axes_at(figure, 0.6, 0.5, 3.75, 2.35), axes_at(figure, 4.95, 0.5, 3.45, 2.35)

    near.plot(products[:65], color=BLUE, zorder=1)
    rising = np.flatnonzero(steps[:64] > 0)
    for k in rising:
        near.plot([k, k + 1], products[k : k + 2], color=ORANGE, linewidth=2.4, zorder=2)
    k = np.array(SHOWN)
    marks = ((0, "o", 7, BLUE), (20, "s", 4.5, INK), (100, "x", 4, GREEN))
    for p, mark, size, colour in marks:
        values = (rows[p + k] * rows[p]).sum(-1)
        style = {"markerfacecolor": "none", "markersize": size, "markeredgecolor": colour}
        near.plot(k, values, mark, label=f"p = {p}", zorder=3, **style)
    first = int(rising[0])
    rise = words(
        "distance-first", a=first, b=first + 1,
        x=f"{products[first]:.3f}", y=f"{products[first + 1]:.3f}",
    )
    note(near, rise, (first + 0.5, float(products[first : first + 2].mean())), (15, 29))
    near.set(xlim=(-1, 66), ylim=(10, 34), xticks=[0, 16, 32, 48, 64])
    near.set_title(words("distance-near"), pad=4)
    near.legend(loc="lower left", handletextpad=0.2, borderaxespad=0.2)

    far.axhline(0, color=FAINT, linewidth=0.7, zorder=0)
    far.plot(products, color=BLUE, linewidth=0.8)
    least = int(products.argmin())
    low = words("distance-least", value=number(products[least], 3), k=least)
    note(far, low, (least, float(products[least])), (560, 19))
    far.set(xlim=(0, REACH - 1), ylim=(-4, 34), xticks=[0, 256, 512, 768, 1023])
    share = f"{100 * float((steps > 0).mean()):.1f}"
    far.set_title(words("distance-far", share=share), pad=4)
    for axes in (near, far):
        axes.set_xlabel(words("distance-x"))
    near.set_ylabel("PE(p) · PE(p+k)")
