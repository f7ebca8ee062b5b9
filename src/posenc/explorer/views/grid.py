"""Patches of a picture, and events in time."""

from posenc.claims.orders_grid import grid_code, likeness
from posenc.claims.orders_time import STAMPS
from posenc.explorer import _svg
from posenc.explorer._ladders import of
from posenc.explorer._view import View
from posenc.specs._sinusoidal import Sinusoidal

view = View(
    chapter="orders",
    claims=(
        "orders.raster-right",
        "orders.raster-below",
        "orders.raster-row-end",
        "orders.grid-right",
        "orders.grid-below",
        "orders.grid-diagonal",
        "orders.grid-row-end",
        "orders.by-index",
        "orders.by-time",
    ),
    ladders={"paper-32": of(Sinusoidal(dim=32))},
    numbers=lambda: {"grid.stamps": STAMPS},
    picture=lambda: _svg.cells(likeness(grid_code(), 6, 6)[::2, ::2]),
)
