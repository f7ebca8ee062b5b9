"""Attention cannot tell order: the same outputs, in other places."""

import numpy as np

from posenc.claims._models import WORDS, X, attention, projections
from posenc.claims.blind_questions import TEXTS
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

SENTENCES = dict(zip(("cat", "dog", "mat", "roles"), (WORDS, *TEXTS[1:]), strict=True))
"""By the name that an address has for them; the first one has vectors that fit on paper."""

view = View(
    chapter="blind",
    claims=(
        "blind.equivariance",
        "blind.invariance",
        "blind.weighted-mean",
        "blind.with-positions",
        "blind.any-mask",
        "blind.four-roles",
    ),
    ladders={"paper-4": of(Sinusoidal(dim=4))},
    extra=lambda: {name: " ".join(words) for name, words in SENTENCES.items()},
    numbers=lambda: {"blind.cat": X, "blind.weights-4": np.array(projections())},
    picture=lambda: _svg.cells(np.vstack([attention(X), attention(X[::-1])]), largest=0.4),
)
