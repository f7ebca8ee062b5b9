"""Waves of single pairs, and how long each takes for a turn."""

import numpy as np

from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="sinusoid",
    claims=(
        "sinusoid.periods-64",
        "sinusoid.longest-period",
        "sinusoid.longest-periods",
        "sinusoid.tensor2tensor",
        "sinusoid.ladders-differ",
        "sinusoid.unfinished",
        "sinusoid.slow-turn",
        "sinusoid.exp-of-log",
    ),
    ladders={f"paper-{dim}-10000": of(Sinusoidal(dim=dim)) for dim in (8, 16, 768)},
    picture=lambda: _svg.lines(
        *(np.sin(np.arange(64) * Sinusoidal(dim=64).frequencies()[i]) for i in (0, 5, 15)),
        low=-1,
        high=1,
    ),
)
