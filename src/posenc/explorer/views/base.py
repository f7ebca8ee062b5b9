"""What another base would do."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="sinusoid",
    claims=(
        "sinusoid.still-pairs",
        "sinusoid.below-half",
        "sinusoid.base-near-one",
        "input.not-sacred",
    ),
    ladders={
        "near-one": of(Sinusoidal(dim=64, base=1.01)),
        "paper-64-500": of(Sinusoidal(dim=64, base=500)),
    },
    picture=lambda: _svg.lines(
        *(
            sinusoid(128, base=base) @ sinusoid([0], base=base)[0] / 32
            for base in (100, 10_000, 500_000)
        ),
        low=-0.2,
        high=1,
    ),
)
