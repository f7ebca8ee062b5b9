"""The page inside of a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from posenc.errors import check, check_known
from posenc.explorer._page import build
from posenc.explorer._view import NAMES
from posenc.text import Language


@dataclass(frozen=True)
class Shown:
    """A view as notebooks show it: a frame that holds a page of its own, without a kernel.

    Attributes:
        page: The document inside of it.
        height: Of the frame, in pixels.
    """

    page: str
    height: int = 720

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height}px;border:0"
        source = escape(self.page, quote=True)
        return f'<iframe title="posenc" sandbox="allow-scripts" style="{style}" srcdoc="{source}">'


def show(
    view: str | None = None,
    *,
    position: int = 12,
    language: Language | None = None,
    height: int = 720,
) -> Shown:
    """The page, or one view of it, in a notebook.

    Args:
        view: A name of ``NAMES``; None shows all of them.
        position: 0 to 1023.
        language: "en" or "zh"; None: the reader's own.
        height: Of the frame, in pixels.

    Raises:
        EncodingError: For a view or a position that there is not.

    Example:
        >>> show("bars", position=100).page.startswith("<!doctype html>")
        True
    """
    if view is not None:
        check_known(view, [*NAMES], "show(): view", "a known one")
    there = type(position) is int and 0 <= position <= 1023
    check(there, "show(): position", "a whole number from 0 to 1023", position)
    tall = type(height) is int and height > 0
    check(tall, "show(): height", "a whole number of pixels above 0", height)
    start: dict[str, int | str] = {"p": position}
    if view is not None:
        start |= {"view": view, "embed": 1}
    return Shown(build(language=language, start=start), height)
