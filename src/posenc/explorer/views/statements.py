"""Twenty-four statements that are often made: true, false, or true on a condition."""

from collections.abc import Mapping

from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

ROWS: Mapping[str, tuple[str, str]] = {
    "W1": ("blind.equivariance", "blind"),
    "W2": ("sinusoid.longest-period", "curves"),
    "W3": ("sinusoid.slow-turn", "curves"),
    "W4": ("distance.falls", "similarity"),
    "W5": ("naive.staircase", "naive"),
    "W6": ("sinusoid.caught-distance", "curves"),
    "W7": ("sinusoid.nearest-period-inside", "curves"),
    "W8": ("input.never-drowned", "adding"),
    "W9": ("naive.always-drowns", "naive"),
    "W10": ("window.recoded", "window"),
    "W11": ("longer.by-itself", "coverage"),
    "W12": ("naive.discrete", "naive"),
    "W13": ("sinusoid.hands", "clocks"),
    "W14": ("sinusoid.stripes-left", "map"),
    "W15": ("sinusoid.channel-step", "bars"),
    "W16": ("sinusoid.neighbour-tells", "norms"),
    "W17": ("sinusoid.sum-of-waves", "curves"),
    "W18": ("distance.absolute", "similarity"),
    "W19": ("input.gpt2-formula", "adding"),
    "W20": ("input.layer-is-projection", "adding"),
    "W21": ("learned.formula-extrapolates", "coverage"),
    "W22": ("sinusoid.with-pi", "curves"),
    "W23": ("learned.untouched-row", "biases"),
    "W24": ("blind.path", "blind"),
}
"""The claim that decides each row of the ledger of statements, and the view that shows it."""

view = View(
    chapter="",
    claims=tuple(claim for claim, _ in ROWS.values()),
    ladders={"paper-768-10000": of(Sinusoidal(dim=768))},
    extra=lambda: {"rows": [list(row) for row in ROWS.values()]},
    picture=lambda: _svg.bars([1, -1] * 12),
)
