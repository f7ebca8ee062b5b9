"""Output: JSON, or Rich with the width of the terminal."""

from __future__ import annotations

import io
import json
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Columns when the output is not a terminal."""

NARROWEST = 72


def print_json(data: Any) -> None:
    """One JSON document, readable, with Chinese as it is; numbers that JSON lacks are null."""
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def console() -> Console:
    """Where text goes; of fixed width and without trailing blanks when it is not a terminal."""
    from rich.console import Console

    # Narrower than this numbers would be cut; a terminal breaks long lines by itself.
    width = max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)
    out: Any = None if sys.stdout.isatty() else _Trimmed(sys.stdout)
    return Console(file=out, width=width, highlight=False, emoji=False, markup=False)


class _Trimmed(io.TextIOBase):
    """A stream whose lines end where their last sign does; Rich fills them up with blanks."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()
