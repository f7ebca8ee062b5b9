"""The first ideas everyone has, beside the sinusoid."""

from posenc.claims._codes import code
from posenc.explorer import _svg
from posenc.explorer._view import View
from posenc.specs._naive import Binary

view = View(
    chapter="naive",
    claims=(
        "naive.integer-norm",
        "naive.fraction",
        "naive.cliff",
        "naive.far-and-alike",
        "naive.mean-flips",
        "naive.bridge",
        "naive.closest",
    ),
    picture=lambda: _svg.cells(code(Binary(bits=4), 16).T[::-1]),
)
