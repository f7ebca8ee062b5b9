"""The one look of tables and numbers on a terminal."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def table(*headings: str, whole: int = 0) -> Table:
    """An open table; the first ``whole`` columns are never broken within a word."""
    from rich import box
    from rich.table import Table

    bare = not any(headings)
    look = box.SIMPLE if bare else box.SIMPLE_HEAD
    made = Table(box=look, pad_edge=False, show_edge=False, show_header=not bare)
    for i, heading in enumerate(headings):
        made.add_column(heading, overflow="fold", no_wrap=i < whole)
    return made


def spaced(block: RenderableType) -> RenderableType:
    """A block with an empty line after it."""
    from rich.padding import Padding

    return Padding(block, (0, 0, 1, 0))


def number(value: float | None, digits: int = 6) -> str:
    """Few signs: integers as such, small quantities with their digits, leftovers by their size."""
    if value is None or math.isnan(value):
        return "-"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    if 1e-4 <= abs(value) < 1e9:
        return f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return short(value, 2 if abs(value) < 1e-9 else digits + 1)


def figures(value: float | None, digits: int = 3) -> str:
    """So many significant digits; whole numbers up to a million as such."""
    if value is None or not math.isfinite(value) or (value == int(value) and abs(value) < 1e6):
        return number(value)
    return short(value, 2 if abs(value) < 1e-9 else digits)  # leftovers differ by machine


def short(value: float, digits: int = 2) -> str:
    """So many significant digits, the exponent without padding."""
    return re.sub(r"e([+-])0*", r"e\1", f"{value:.{digits}g}").replace("e+", "e")
