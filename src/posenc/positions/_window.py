"""A window that moves over a text: what it holds, and where each token of it then is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from posenc._arrays import library
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.positions._ranges import checked_length


class Window(NamedTuple):
    """The tokens of a window, oldest first.

    Attributes:
        tokens: ``(m,)``: their places in the text. An encoding that knows distances alone can go
            on with these, as long as trained distances reach.
        positions: ``(m,)``: their places in the window, 0 to m - 1. A code that is added, or
            tokens that are kept from the start, need these.
        delta: ``(m,)``: what a key turned at its place in the text must still be moved by to be
            at its place in the window.
    """

    tokens: Array
    positions: Array
    delta: Array


def moving_window(
    seen: int, *, length: int, sinks: int = 0, xp: Namespace | str | None = None
) -> Window:
    """The window after ``seen`` tokens of a text.

    Args:
        seen: Tokens read so far.
        length: Tokens that the window holds.
        sinks: How many of the first tokens it never gives up.
        xp: The library; NumPy by default.

    Returns:
        Places in the text, places in the window, and the difference.

    Raises:
        EncodingError: If a number is negative, or sinks leave no room.

    Example:
        >>> window = moving_window(10, length=5, sinks=2)
        >>> window.tokens, window.delta
        (array([0, 1, 7, 8, 9]), array([ 0,  0, -5, -5, -5]))

    References:
        Xiao et al. 2023, arXiv:2309.17453 (sinks, positions within the cache).
    """
    seen = checked_length("moving_window(): seen", seen)
    length = checked_length("moving_window(): length", length)
    sinks = checked_length("moving_window(): sinks", sinks)
    check(sinks < max(length, 1), "moving_window(): sinks", f"below length {length}", sinks)
    kept = min(seen, length)
    first = np.arange(min(sinks, kept))
    tokens = np.concatenate([first, np.arange(seen - kept + len(first), seen)])
    places = np.arange(kept)
    space: Namespace = library(xp or "numpy")
    return Window(*(space.asarray(a) for a in (tokens, places, places - tokens)))
