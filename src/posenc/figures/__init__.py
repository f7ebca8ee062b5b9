"""Pictures of encodings: in characters (module ``text``), or drawn if matplotlib is there.

    >>> from posenc import figures
    >>> "sinusoid" in figures.names()
    True

Nothing is drawn, written or imported from matplotlib until it is asked for.
"""

from __future__ import annotations

from posenc.figures import text
from posenc.figures._draw import available, draw, names
from posenc.figures._save import Saved, save_all

__all__ = ["Saved", "available", "draw", "names", "save_all", "text"]
