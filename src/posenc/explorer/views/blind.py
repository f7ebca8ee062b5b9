"""Attention cannot tell order: the same outputs, in other places."""

import numpy as np

from posenc.claims._models import WORDS, X, attention, projections, word_vectors
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
        "blind.pooled",
        "blind.weighted-mean",
        "blind.with-positions",
        "blind.any-mask",
        "blind.four-roles",
        "blind.four-roles-causal",
    ),
    ladders={f"paper-{dim}": of(Sinusoidal(dim=dim)) for dim in (4, 8)},
    texts=lambda: {f"blind.{name}": " ".join(words) for name, words in SENTENCES.items()},
    numbers=lambda: (
        {
            f"blind.{name}": X if words is WORDS else word_vectors(words)
            for name, words in SENTENCES.items()
        }
        | {f"blind.weights-{dim}": np.array(projections(dim)) for dim in (4, 8)}
    ),
    picture=lambda: _svg.cells(np.vstack([attention(X), attention(X[::-1])]), largest=0.4),
)
