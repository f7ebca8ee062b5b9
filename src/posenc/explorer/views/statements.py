"""Twenty-four statements that are often made: true, false, or true on a condition."""

from collections.abc import Mapping

from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

ROWS: Mapping[str, tuple[str, str, str]] = {
    "W1": ("blind.equivariance", "blind", "blind.equivariance"),
    "W2": ("sinusoid.longest-period", "curves", "sinusoid.longest-periods"),
    "W3": ("sinusoid.slow-turn", "curves", "sinusoid.unfinished"),
    "W4": ("distance.falls", "similarity", "distance.first-rise"),
    "W5": ("naive.staircase", "naive", "naive.far-and-alike"),
    "W6": ("sinusoid.caught-distance", "curves", ""),
    "W7": ("sinusoid.nearest-period-inside", "curves", "sinusoid.nearest-period-inside"),
    "W8": ("input.never-drowned", "adding", "input.word-share"),
    "W9": ("naive.always-drowns", "naive", ""),
    "W10": ("window.recoded", "window", "window.recoded"),
    "W11": ("longer.by-itself", "coverage", "longer.never-turn"),
    "W12": ("naive.discrete", "naive", ""),
    "W13": ("sinusoid.hands", "clocks", "sinusoid.pair-circle"),
    "W14": ("sinusoid.stripes-left", "map", ""),
    "W15": ("sinusoid.channel-step", "bars", "sinusoid.pair-step"),
    "W16": ("sinusoid.neighbour-tells", "norms", "sinusoid.neighbour-cosine"),
    "W17": ("sinusoid.sum-of-waves", "clocks", "sinusoid.hand-angle"),
    "W18": ("distance.absolute", "similarity", "distance.sum-of-cosines"),
    "W19": ("input.gpt2-formula", "adding", ""),
    "W20": ("input.layer-is-projection", "adding", ""),
    "W21": ("learned.formula-extrapolates", "coverage", "sinusoid.unfinished"),
    "W22": ("sinusoid.with-pi", "curves", ""),
    "W23": ("learned.untouched-row", "biases", ""),
    "W24": ("blind.path", "blind", ""),
}
"""The claim that decides each row of the ledger of statements, the view that shows it, and a claim
of the page that says what is true instead, where there is one.

A claim that is true on a condition names it, so the reader is shown a sentence without it:
``statements.loose-`` and the number of the row.
"""

view = View(
    chapter="",
    claims=tuple(claim for claim, _, _ in ROWS.values()),
    ladders={"paper-768-10000": of(Sinusoidal(dim=768))},
    extra=lambda: {"rows": [list(row) for row in ROWS.values()]},
    picture=lambda: _svg.bars([1, -1, -1] * 2),
)
