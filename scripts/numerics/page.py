"""The table between two marks of a page: written, read again, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

START, END = "<!-- scripts/numerics -->", "<!-- end of scripts/numerics -->"
FACTOR = 4.0
"""How many times larger or smaller an error may come out elsewhere, or in a smaller window."""


class Row(NamedTuple):
    """The largest errors of one library in one use, by length; None where it has no answer."""

    name: str
    use: str
    errors: tuple[float | None, ...]


def table(rows: Iterable[Row], lengths: Sequence[str]) -> str:
    lines = [["cosines of", "used in", *lengths], ["---"] * (len(lengths) + 2)]
    lines += [[row.name, row.use, *map(_cell, row.errors)] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def written(text: str, rows: Iterable[Row], lengths: Sequence[str]) -> str:
    """The page with another table in it."""
    before, after = text.split(START)[0], text.split(END)[1]
    return f"{before}{START}\n\n{table(rows, lengths)}\n\n{END}{after}"


def others(text: str, rows: Iterable[Row]) -> list[Row]:
    """Rows of the page besides these."""
    measured = {row[:2] for row in rows}
    return [row for row in _read(text) if row[:2] not in measured]


def differences(text: str, rows: Iterable[Row]) -> list[str]:
    """What the page says otherwise than it was measured, one sentence each."""
    said = {row[:2]: row.errors for row in _read(text)}
    found = []
    for row in rows:
        errors = said.get(row[:2])
        if errors is None or len(errors) != len(row.errors):
            found.append(f"{row.name} in {row.use} is not in the page: write it anew.")
            continue
        for old, new in zip(errors, row.errors, strict=True):
            if not _near(old, new):
                says, is_now = _cell(old), _cell(new)
                found.append(f"{row.name} in {row.use}: the page says {says}, measured {is_now}.")
    return found


def _near(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is new
    return old / FACTOR <= new <= old * FACTOR


def _cell(error: float | None) -> str:
    return "none" if error is None else f"{error:.1e}"


def _read(text: str) -> list[Row]:
    inside = text.partition(START)[2].partition(END)[0]
    lines = [line.strip("| ").split(" | ") for line in inside.strip().splitlines()[2:]]
    numbers = [[None if c == "none" else float(c) for c in cells[2:]] for cells in lines]
    return [Row(c[0], c[1], tuple(n)) for c, n in zip(lines, numbers, strict=True)]
