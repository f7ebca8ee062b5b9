"""How long codes are, and how far the next one is, along the text."""

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.claims.distance_shift import wrong_exponent
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.explorer.views.shift import SLIP
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="sinusoid",
    claims=(
        "sinusoid.norm",
        "sinusoid.neighbours",
        "sinusoid.neighbour-tells",
        "distance.sines-norm",
        "distance.wrong-exponent-norm",
    ),
    ladders={"slip": SLIP}
    | {f"paper-{dim}-10000": of(Sinusoidal(dim=dim)) for dim in (16, 512, 768)},
    picture=lambda: _svg.lines(
        np.linalg.norm(sinusoid(256), axis=-1),
        np.linalg.norm(sinusoid(256)[:, ::2], axis=-1),
        np.linalg.norm(wrong_exponent(256), axis=-1),
        low=0,
        high=7,
        most=24,
    ),
)
