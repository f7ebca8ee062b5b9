"""Moving by k is one rotation of every pair, whatever the position."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import Ladder, of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

WIDE = Sinusoidal(dim=128)
SLIP = Ladder(
    frequencies=WIDE.frequencies()[1::2],  # its odd pairs turn at 10000^(-(2i + 1)/64)
    python="posenc.Sinusoidal(dim=128)",
    facts={},
)

view = View(
    chapter="distance",
    claims=(
        "distance.shift",
        "distance.shift-in-window",
        "distance.orthogonal",
        "distance.determinant",
        "distance.sines-map",
        "distance.wrong-exponent-norm",
        "distance.wrong-exponent-products",
    ),
    ladders={"slip": SLIP, "paper-768-10000": of(Sinusoidal(dim=768))},
    picture=lambda: _svg.lines(sinusoid(48)[:, 20], sinusoid(range(7, 55))[:, 20], low=-1, high=1),
)
