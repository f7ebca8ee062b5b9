"""Attention cannot tell order: the same outputs, in other places."""

import numpy as np

from posenc.claims._models import X, attention, projections
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="blind",
    claims=(
        "blind.equivariance",
        "blind.invariance",
        "blind.with-positions",
        "blind.any-mask",
        "blind.four-roles",
    ),
    ladders={f"paper-{dim}": of(Sinusoidal(dim=dim)) for dim in (4, 8)},
    numbers=lambda: {
        "blind.cat": X,
        "blind.weights-4": np.array(projections(4)),
    },
    picture=lambda: _svg.cells(np.vstack([attention(X), attention(X[::-1])]), largest=0.4),
)
