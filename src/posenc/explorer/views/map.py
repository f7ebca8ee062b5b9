"""The codes of 64 positions as a map."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._view import View

view = View(
    chapter="sinusoid",
    claims=("sinusoid.layouts",),
    picture=lambda: _svg.cells(sinusoid(range(8))[:, :12]),
)
