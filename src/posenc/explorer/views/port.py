"""Frequencies or a config from elsewhere, held against those of the page."""

from math import log2

from posenc.claims._pairs import LLAMA, ratios
from posenc.explorer import _svg
from posenc.explorer._view import View

NAMES = {
    "llama-8b": "Llama 3.1 8B",
    "yarn-8": "YaRN × 8",
    "ntk-8": "NTK × 8",
    "linear-8": "linear × 8",
    "yarn-exact": "gpt-oss",
    "yarn-rounded": "gpt-oss, truncate: true",
}
"""Short names of ladders whose calls are long."""

view = View(
    chapter="longer",
    claims=(
        "sinusoid.tensor2tensor",
        "distance.wrong-exponent-norm",
        "longer.linear",
        "rotary.same-frequencies",
    ),
    extra=lambda: {"names": NAMES},
    picture=lambda: _svg.bars([log2(ratio) for ratio in ratios(LLAMA)], largest=3),
)
