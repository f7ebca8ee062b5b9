"""A window that slides, and what becomes of its codes and of cached keys."""

from posenc.claims._codes import sinusoid
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="window",
    claims=(
        "window.recoded",
        "window.step",
        "window.map",
        "window.turn-back",
        "window.cache-turned",
        "window.cache-growing",
    ),
    ladders={"paper-768-10000": of(Sinusoidal(dim=768))},
    picture=lambda: _svg.cells(sinusoid(range(3))[:, :10], height=48),
)
