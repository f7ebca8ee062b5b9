"""Which pairs meet angles that training never showed them."""

from posenc.claims._pairs import TEXTBOOK, TRAINED
from posenc.explorer import _svg
from posenc.explorer._view import View

view = View(
    chapter="longer",
    claims=(
        "longer.never-turn",
        "longer.trained-more",
        "longer.fastest-turns",
        "longer.slowest-turns",
        "longer.fast-pairs-first",
        "longer.by-itself",
    ),
    picture=lambda: _svg.dials(TRAINED * TEXTBOOK.frequencies()[40::3]),
)
