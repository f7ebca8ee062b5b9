"""Output: JSON, or Rich with the width of the terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 100
"""Columns when the output is not a terminal."""


def print_json(data: Any) -> None:
    """One JSON document, readable, with Chinese as it is; numbers that JSON lacks are null."""
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def console() -> Console:
    """Where text goes; plain and of fixed width when it is not a terminal."""
    from rich.console import Console

    fixed = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else WIDTH
    return Console(width=fixed, highlight=False, emoji=False, markup=False)


def table(*headings: str, title: str | None = None) -> Table:
    """A table in the one style of all commands."""
    from rich import box
    from rich.table import Table

    made = Table(
        title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, show_edge=False
    )
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made


def number(value: float | None, digits: int = 6) -> str:
    """A number in few signs: whole ones without a point, the rest to some digits."""
    if value is None:
        return "-"
    if value == int(value) and abs(value) < 1e15 if abs(value) < float("inf") else False:
        return str(int(value))
    return f"{value:.{digits}g}"
