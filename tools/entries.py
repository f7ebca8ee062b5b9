"""What the oracle is asked of every entry of the registry: inputs, and never a number due.

    python tools/entries.py && python tools/golden.py

writes `golden/entries.json` anew, after an entry was added or changed. Each entry is made for one
small layer; of what its hooks answer the oracle gives the numbers, so the file covers every hook
that any entry fills.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import posenc
from oracle.cases.entries import PATH
from oracle.page import page
from posenc.scheme import HOOKS
from posenc.specs import Spec
from posenc.testing import cells, laws
from posenc.testing.laws import Case

DUE = {
    "embed": "embed",
    "query": "as_query",
    "key": "as_key",
    "bias": "bias",
    "adjust": "adjusted",
    "logit_scale": "logit_scale",
}
"""Hook by hook, the quantity of a golden case that it answers with."""

LENGTH = 8192
NEAR, FAR = (8, 13, 30), 70_001
QUERIES, KEYS = (8, 9, 41), (3, 8, 10, 40)


def arrays(spec: Spec) -> dict[str, Any]:
    """The learned arrays by the rule that `oracle.spread` states, positive where they start so."""
    fresh = spec.init(np.random.default_rng(0))
    ranges = {}
    for number, (name, shape) in enumerate(spec.learned().items()):
        positive = fresh[name].min() >= 0 and fresh[name].max() > 0
        low = 0.125 if positive else -0.5
        ranges[name] = {"shape": list(shape), "low": low, "high": low + 1, "start": 1000 * number}
    return ranges


def tokens(count: int, width: int, start: int) -> list[list[float]]:
    """Vectors of decimals, no two channels alike."""
    return [
        [((start + 29 * row + 7 * c) * 37 % 101 - 50) / 50 for c in range(width)]
        for row in range(count)
    ]


def places(case: Case, values: tuple[int, ...], *, further: bool) -> list[Any]:
    """Positions of an encoding, the last one or all of them far out where it answers there."""
    found = cells(case.hooks, values).reshape(-1, case.hooks.coordinates)
    shift = 0 if case.ends else FAR
    rows = [*found, found[-1] + shift] if further and shift else [*(found + shift)]
    return [row.tolist() if case.hooks.coordinates > 1 else int(row[0]) for row in rows]


def inputs(name: str, spec: Spec) -> dict[str, Any]:
    """Everything of a golden case but its numbers, which stand as empty fields."""
    case = laws.case(spec)
    filled = {DUE[hook] for hook in HOOKS if getattr(case.hooks, hook)} or {"attended"}
    length = LENGTH if spec.needs_length or name == "normalized-integer" else None
    given: dict[str, Any] = {"case": name, "spec": spec.to_dict(), "length": length}
    given["reference"] = posenc.encodings(plugins=False)[name].reference
    if spec.learned():
        given["arrays"] = arrays(spec)
    if filled & {"embed", "as_query", "as_key", "logit_scale"}:
        given["positions"] = places(case, NEAR, further=True)
    if filled & {"as_query", "as_key"}:
        own = case.turning.learned()
        given["x"] = tokens(case.heads, case.width, 1) if own else tokens(1, case.width, 1)[0]
    if filled & {"bias", "adjusted", "attended"}:
        for side, values in (("q", QUERIES), ("k", KEYS)):
            given[f"{side}_positions"] = places(case, values, further=False)
    if filled & {"adjusted", "attended"}:
        for side, start in (("q", 1), ("k", 50)):
            count = len(given[f"{side}_positions"])
            given[side] = [
                tokens(count, case.width, start + 400 * head) for head in range(case.heads)
            ]
    return given | dict.fromkeys(sorted(filled))


def entries() -> Iterator[dict[str, Any]]:
    """The inputs for every entry, in the order of the registry."""
    for name, entry in posenc.encodings(plugins=False).items():
        yield inputs(name, entry.make(dim=8, heads=2, length=1024))


if __name__ == "__main__":
    PATH.write_text(page(list(entries())), "utf-8")
