"""A learned table of positions out of a real checkpoint, measured: ``posenc tour --table``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from posenc.figures.text import heat_map
from posenc.text import Language, sentence
from posenc.tour._blocks import Block, Drawing, Grid, Say
from posenc.tour._table_file import Values, read_table

DIRECTIONS = (1, 2, 10, 50)
"""Of how many singular directions the share of variance is told."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a table of positions looks like from outside.

    Attributes:
        rows: Positions it has a row for, reserved ones included.
        dim: Channels.
        norms: Mean, smallest and largest length of a row.
        neighbours: Mean cosine of adjacent rows, untouched ones left out.
        strangers: Mean cosine of any two rows, untouched ones left out.
        shares: Share of the variance in the first 1, 2, 10 and 50 singular directions.
        cycles: Turns that the strongest frequency makes from the first row to past the last.
        power: Share of the variance at that frequency.
        untouched: Rows of almost no length: padding, or never trained and decayed.
        offset: Rows in front that no position reads, if the untouched ones are a guide.
    """

    rows: int
    dim: int
    norms: tuple[float, float, float]
    neighbours: float
    strangers: float
    shares: tuple[float, ...]
    cycles: int
    power: float
    untouched: tuple[int, ...]
    offset: int

    def to_dict(self) -> dict[str, Any]:
        """The measures as JSON data; what could not be measured is null."""
        plain = asdict(self)
        return {n: None if isinstance(v, float) and math.isnan(v) else v for n, v in plain.items()}


def measured(table: Values) -> Measured:
    """Measure a table, ``(rows, dim)``, of finite numbers and at least two rows."""
    size = float(np.abs(table).max()) or 1.0  # squares of very large numbers would overflow
    table = table / np.asarray(size, table.dtype)
    norms = np.linalg.norm(table.astype(np.float64, copy=False), axis=-1)
    touched = norms > 0.01 * np.median(norms)
    unit = table[touched] / norms[touched, None]
    adjacent = np.flatnonzero(touched[:-1] & touched[1:])
    place = np.cumsum(touched) - 1  # of a row among the touched ones
    neighbours = (unit[place[adjacent]] * unit[place[adjacent + 1]]).sum(-1)
    n = len(unit)
    every_pair = (np.linalg.norm(unit.sum(0)) ** 2 - n) / max(n * (n - 1), 1)
    centred = table - table.mean(0, dtype=np.float64).astype(table.dtype)
    cycles, power = _strongest_frequency(centred)
    untouched = tuple(int(row) for row in np.flatnonzero(~touched))
    return Measured(
        rows=table.shape[0],
        dim=table.shape[1],
        norms=(size * float(norms.mean()), size * float(norms.min()), size * float(norms.max())),
        neighbours=float(neighbours.mean()) if len(neighbours) else math.nan,
        strangers=float(every_pair),
        shares=_shares(centred),
        cycles=cycles,
        power=power,
        untouched=untouched,
        offset=max((row + 1 for row in untouched if row < 4), default=0),
    )


def _shares(centred: Values) -> tuple[float, ...]:
    rows, dim = centred.shape
    gram = centred.T @ centred if dim <= rows else centred @ centred.T
    variances = np.linalg.eigvalsh(gram.astype(np.float64))[::-1].clip(min=0)
    total = float(variances.sum()) or 1.0
    return tuple(float(variances[:count].sum()) / total for count in DIRECTIONS)


def _strongest_frequency(centred: Values) -> tuple[int, float]:
    """Turns over the whole table, and the share of the variance, of the strongest frequency."""
    rows, dim = centred.shape
    power = np.zeros(rows // 2 + 1)
    width = max(2**22 // rows, 1)  # columns at a time, so that memory stays bounded
    for start in range(0, dim, width):
        spectrum = np.fft.rfft(centred[:, start : start + width], axis=0)
        power += (np.abs(spectrum) ** 2).sum(-1)
    power[0] = 0
    power[1 : (rows + 1) // 2] *= 2  # each but the fastest of an even table stands for two
    cycles = int(power[1:].argmax()) + 1
    return cycles, float(power[cycles] / (power.sum() or 1.0))


def table_page(target: str, language: Language) -> Iterator[Block]:
    """The blocks that show a table of the reader's own.

    Args:
        target: ``FILE:KEY``, a safetensors file and a tensor of two axes in it.
        language: Of the words in the grid.
    """
    table = read_table(target)
    found = measured(table)

    def word(key: str, **slots: object) -> str:
        return sentence("tour/learned", key, language, **slots)

    yield Say("table-read", {"target": target, "rows": found.rows, "dim": found.dim})
    mean, least, most = found.norms
    rows: list[tuple[str, float]] = [
        (word("norm-mean"), mean),
        (word("norm-least"), least),
        (word("norm-most"), most),
        (word("neighbours"), found.neighbours),
        (word("strangers"), found.strangers),
    ]
    for count, share in zip(DIRECTIONS, found.shares, strict=True):
        rows.append((word("share", count=count), share))
    rows += [
        (word("cycles"), found.cycles),
        (word("period"), found.rows / found.cycles),
        (word("power"), found.power),
    ]
    yield Grid("table-measures", ("", ""), rows)
    near = found.neighbours > found.strangers + 0.05
    yield Say("table-ordered" if near else "table-unordered")
    if found.untouched:
        listed = ", ".join(map(str, found.untouched[:8])) + (" …" if found.untouched[8:] else "")
        slots = {"count": len(found.untouched), "listed": listed, "offset": found.offset}
        yield Say("table-untouched", slots)
    else:
        yield Say("table-touched")
    yield Drawing("table-map", heat_map(_cosines(table), low=-1, high=1))


def _cosines(table: Values, most: int = 40) -> Values:
    """Cosines between evenly spaced rows, for a picture of the whole table."""
    chosen = np.unique(np.linspace(0, len(table) - 1, min(most, len(table))).astype(int))
    rows = table[chosen].astype(np.float64)
    unit = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30)
    return np.asarray(unit @ unit.T)
