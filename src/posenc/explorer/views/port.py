"""Frequencies or a config from elsewhere, held against those of the page."""

from math import log2

from posenc.claims._pairs import LLAMA, ratios
from posenc.explorer import _svg
from posenc.explorer._view import View

view = View(
    chapter="longer",
    claims=(
        "sinusoid.tensor2tensor",
        "distance.wrong-exponent-norm",
        "longer.linear",
        "rotary.same-frequencies",
    ),
    picture=lambda: _svg.bars([log2(ratio) for ratio in ratios(LLAMA)], largest=3),
)
