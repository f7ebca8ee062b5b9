"""Positions and tables in half precision."""

import numpy as np

from posenc.claims._half import bfloat16
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="precision",
    claims=(
        "precision.bf16-positions",
        "precision.fp16-positions",
        "precision.bf16-first",
        "precision.fp16-first",
        "precision.bf16-15962",
        "precision.bf16-table",
        "precision.cast-last",
    ),
    ladders={"paper-32": of(Sinusoidal(dim=32))},
    picture=lambda: _svg.lines(
        np.cos(np.arange(480, 544)),
        np.cos(bfloat16(np.arange(480, 544)).astype(float)),
        low=-1,
        high=1,
    ),
)
