"""Pairs of a rotary encoding as tables and strips, for the chapters on long text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc.claims._codes import Matrix
from posenc.claims._pairs import (
    Flags,
    ratios,
    trained_under_rule,
    turns,
    under,
    unfinished,
    unseen,
)
from posenc.specs._rope import Rope
from posenc.specs._scaling import Unscaled
from posenc.text import Language, sentence
from posenc.tour._blocks import Grid


def rule_name(spec: Rope, language: Language) -> str:
    """What the row of a table says that the rule for longer text is."""
    plain = isinstance(spec.scaling, Unscaled)
    key = "no-rule" if plain else f"rule-{spec.scaling.kind.replace('_', '-')}"
    return sentence("tour/longer", key, language)


def shown_pairs(spec: Rope, trained: int, length: int | None = None) -> list[int]:
    """A dozen pairs: some evenly spread, and those on both sides of every change."""
    count = spec.dim // 2
    chosen = {round(i) for i in np.linspace(0, count - 1, min(count, 8)).tolist()}
    ratio = ratios(spec, length or trained)
    slowest = ratio.min() if len(ratio) else 1.0
    for flags in (unfinished(spec, trained), ratio < 1 - 1e-12, ratio > slowest * (1 + 1e-12)):
        edges = np.flatnonzero(np.diff(flags.astype(int)))
        if len(edges):
            chosen |= {int(edges[0]), int(edges[0]) + 1}
    return sorted(chosen)


def pair_table(title: str, spec: Rope, trained: int, length: int) -> Grid:
    """What every rule did to some pairs: wavelength, turns in training, ratio, turns in the run."""
    freqs = spec.frequencies(length)
    before, after = turns(under(Unscaled(), spec), trained), turns(spec, length)
    ratio, new = ratios(spec, length), unseen(spec, trained, length)
    if trained_under_rule(spec, trained, length):
        ruled = [
            (i, float(2 * np.pi / freqs[i]) if freqs[i] else "∞", float(ratio[i]), float(after[i]))
            for i in shown_pairs(spec, trained, length)
        ]
        return Grid(f"{title}-ruled", ("i", "2π/w", "w/w₀", f"○ @ {length}"), ruled, digits=4)
    rows = [
        (
            i,
            float(2 * np.pi / freqs[i]) if freqs[i] else "∞",
            float(before[i]),
            float(ratio[i]),
            float(after[i]),
            "x" if new[i] else "",
        )
        for i in shown_pairs(spec, trained, length)
    ]
    headings = ("i", "2π/w", f"○ @ {trained}", "w/w₀", f"○ @ {length}", "x")
    return Grid(title, headings, rows, digits=4)


def news(spec: Rope, trained: int, lengths: Sequence[int]) -> str:
    """A line of signs per length, a sign per pair.

    ``.`` nothing new, ``o`` some angles past the training are new, ``x`` all of them are.
    """
    rows: dict[str, str] = {}
    for length in lengths:
        new, single = unseen(spec, trained, length), turns(spec, length) < 1
        rows[str(length)] = _signs(np.where(new, 1 + (new & single), 0), ".ox")
    return _rows(rows, spec.dim // 2)


def fates(specs: Mapping[str, Rope], factor: float, length: int) -> str:
    """A line of signs per rule, a sign per pair.

    ``=`` kept, ``-`` slowed by less than ``factor``, ``#`` by all of it or more, ``0`` stopped.
    """
    rows: dict[str, str] = {}
    for name, spec in specs.items():
        ratio = ratios(spec, length)
        slowed: Flags = ratio < 1 - 1e-12
        steps = slowed.astype(int) + (ratio * factor <= 1 + 1e-12) + (ratio == 0)
        rows[name] = _signs(steps, "=-#0")
    return _rows(rows, max(spec.dim for spec in specs.values()) // 2)


def _signs(steps: Matrix, signs: str) -> str:
    return "".join(signs[step] for step in steps.astype(int).tolist())


def _rows(rows: Mapping[str, str], pairs: int) -> str:
    """Named lines below a ruler with a number at every tenth pair."""
    from rich.cells import cell_len

    margin = max(map(cell_len, rows)) + 2
    ruler = "".join(str(i).ljust(10) for i in range(0, pairs, 10))
    lines = [f"{'i':<{margin}}{ruler.rstrip()}"]
    lines += [f"{name}{' ' * (margin - cell_len(name))}{row}" for name, row in rows.items()]
    return "\n".join(lines)
