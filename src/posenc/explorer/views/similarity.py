"""The dot product of two codes over their distance."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="distance",
    claims=(
        "distance.sum-of-cosines",
        "distance.absolute",
        "distance.falls",
        "distance.first-rise",
        "distance.minimum",
        "distance.minimum-place",
    ),
    ladders={f"paper-{dim}-10000": of(Sinusoidal(dim=dim)) for dim in (256, 512, 768)},
    picture=lambda: _svg.lines(sinusoid(256) @ sinusoid([0])[0] / 32, low=-0.1, high=1.0),
)
