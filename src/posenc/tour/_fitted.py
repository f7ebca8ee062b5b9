"""Tables that fit the page: cut between columns, never within a number or a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from posenc.tour._style import table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

_GAP = 3  # what Rich puts between two columns


class Fitted:
    """A table that goes on below itself where the page ends, its first column repeated.

    Args:
        headings: One for each column.
        rows: Their cells, as text.
        together: How many columns after the first stay side by side.
    """

    def __init__(
        self, headings: Sequence[str], rows: Sequence[Sequence[str]], *, together: int = 1
    ) -> None:
        self._lines = [list(headings), *(list(row) for row in rows)]
        self._together = together

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        for columns in self._pages(options.max_width):
            made = table(*(self._lines[0][c] for c in columns), whole=len(columns))
            for row in self._lines[1:]:
                made.add_row(*(row[c] for c in columns))
            yield made

    def _pages(self, width: int) -> Iterator[list[int]]:
        count = len(self._lines[0])
        sizes = [max(cell_len(line[c]) for line in self._lines) + _GAP for c in range(count)]
        page, used = [0], sizes[0]
        for start in range(1, count, self._together):
            group = [*range(start, min(start + self._together, count))]
            size = sum(sizes[c] for c in group)
            if used + size - _GAP > width and len(page) > 1:
                yield page
                page, used = [0], sizes[0]
            page, used = [*page, *group], used + size
        yield page
