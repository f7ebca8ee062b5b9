"""The page: one HTML file in which every statement is worked out again in front of the reader.

It needs no network and no server. Which frequencies an encoding has, what is claimed and every
word come from here; the page takes sines, cosines and sums of products, and draws.

>>> from posenc import explorer
>>> explorer.build().startswith("<!doctype html>")
True
"""

from posenc.explorer._page import build
from posenc.explorer._show import Shown, show
from posenc.explorer._view import NAMES

__all__ = ["NAMES", "Shown", "build", "show"]
