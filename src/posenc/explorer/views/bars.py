"""All numbers of one position, as bars."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._view import View

GOLDEN = (1, 500, 1023)
"""Positions whose codes the page holds its own against."""

view = View(
    chapter="sinusoid",
    claims=(
        "page.rows",
        "sinusoid.norm",
        "sinusoid.neighbour-cosine",
        "sinusoid.pair-step",
        "sinusoid.restless-left",
    ),
    numbers=lambda: {"bars.positions": GOLDEN, "bars.rows": sinusoid(GOLDEN)},
    picture=lambda: _svg.bars(sinusoid([12])[0, :32]),
)
