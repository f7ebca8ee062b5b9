"""A query and a key, turned: only their distance counts."""

import numpy as np

from posenc.claims._turned import pair, scores, tokens
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._rope import Rope

view = View(
    chapter="rotary",
    claims=(
        "rotary.relative",
        "rotary.lengths",
        "rotary.seven-turned",
        "rotary.seven-added",
        "rotary.turn-values",
        "rotary.values-undone",
        "rotary.same-frequencies",
    ),
    ladders={f"rotary-{dim}": of(Rope(dim=dim, layout="half")) for dim in (8, 64)},
    numbers=lambda: {"rotary.pair": np.array(pair()), "rotary.tokens": np.array(tokens(6))},
    picture=lambda: _svg.lines(scores(*pair(), np.arange(64), [0] * 64), low=-8, high=8),
)
