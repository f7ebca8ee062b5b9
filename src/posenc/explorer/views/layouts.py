"""Which channels form a pair: a fault that shows nothing on the first token."""

import numpy as np

from posenc._typing import Layout
from posenc.claims._turned import pair, scores
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.functional._layouts import pair_order
from posenc.specs._rope import Rope

EXCHANGES: tuple[tuple[Layout, Layout], ...] = (("interleaved", "half"), ("half", "interleaved"))

view = View(
    chapter="rotary",
    claims=(
        "rotary.layouts-at-zero",
        "rotary.layouts-at-seven",
        "rotary.layouts-exchange",
        "rotary.layouts-reordered",
        "rotary.one-side-reordered",
    ),
    ladders={f"rotary-{dim}": of(Rope(dim=dim, layout="half")) for dim in (8, 64)},
    numbers=lambda: {
        "layouts.pair": np.array(pair(64)),
        **{
            f"layouts.{one}-{other}-{dim}": pair_order(dim, one, other)
            for dim in (8, 64)
            for one, other in EXCHANGES
        },
    },
    picture=lambda: _svg.lines(
        *(
            scores(*pair(64), np.arange(33), [0] * 33, layout=layout)
            for layout in ("half", "interleaved")
        ),
        low=-25,
        high=25,
    ),
)
