"""Five ways to tell a distance inside attention, on one axis."""

import numpy as np

from posenc.claims._distance import bias, buckets, shaw_rows
from posenc.explorer import _svg
from posenc.explorer._view import View
from posenc.specs._alibi import Alibi

FAR = 512
CLIP = 16

view = View(
    chapter="relative",
    claims=(
        "relative.buckets-both-ways",
        "relative.buckets-causal",
        "relative.reach-both-ways",
        "relative.eight-slopes",
        "learned.out-of-range",
    ),
    numbers=lambda: {
        "biases.both": buckets(range(-FAR, FAR + 1), bidirectional=True).astype(int),
        "biases.causal": buckets(range(-FAR, FAR + 1), bidirectional=False).astype(int),
        "biases.shaw": shaw_rows(np.array([0]), np.arange(-FAR, FAR + 1), clip=CLIP)[0],
        "biases.slopes-8": -bias(Alibi(heads=8), 1, [0])[:, 0, 0],
    },
    picture=lambda: _svg.lines(
        buckets(range(-160, 160, 2), bidirectional=True) / 31, low=0, high=1
    ),
)
