"""Every pair as a hand on a dial."""

from posenc.explorer import _svg
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="sinusoid",
    claims=("sinusoid.pair-circle", "sinusoid.hand-angle", "distance.sines-norm"),
    picture=lambda: _svg.dials(12 * Sinusoidal(dim=64).frequencies()),
)
