"""Attention cannot tell order: the same outputs, in other places."""

import numpy as np

from posenc.claims._models import X, attention, projections, word_vectors
from posenc.claims.blind_questions import TEXTS
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="blind",
    claims=(
        "blind.equivariance",
        "blind.invariance",
        "blind.pooled",
        "blind.with-positions",
        "blind.any-mask",
        "blind.four-roles",
        "blind.four-roles-causal",
        "blind.four-roles-placed",
    ),
    ladders={f"paper-{dim}": of(Sinusoidal(dim=dim)) for dim in (4, 8)},
    numbers=lambda: {
        "blind.cat": X,
        "blind.dog": word_vectors(TEXTS[1]),
        "blind.roles": word_vectors(TEXTS[3]),
        "blind.weights-4": np.array(projections(4)),
        "blind.weights-8": np.array(projections(8)),
    },
    picture=lambda: _svg.cells(np.vstack([attention(X), attention(X[::-1])]), largest=0.4),
)
