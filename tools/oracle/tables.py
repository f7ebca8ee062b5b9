"""Rows of learned tables at positions of several coordinates."""

from itertools import chain, product
from typing import Any

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact

Position = list[int]
Row = list[Exact]


def added(*parts: Row) -> Row:
    return [sum(values, exact(0)) for values in zip(*parts, strict=True)]


def scaled(factor: Exact, row: Row) -> Row:
    return [factor * value for value in row]


def numbered(row: list[float]) -> Row:
    return [exact(value) for value in row]


def learned_grid(spec: Data, arrays: Data, at: Position) -> Row:
    """Cells are counted by walking the grid; tokens in front are counted from the end."""
    if at[-1] < 0:
        row = spec["prefix"] + at[-1]
    else:
        cells = list(product(*map(range, spec["sizes"])))
        row = spec["prefix"] + cells.index(tuple(at))
    gate = mp.tanh(exact(arrays["gate"][0])) if spec["gated"] else exact(1)
    return scaled(gate, numbered(arrays["table"][row]))


def learned_axes(spec: Data, arrays: Data, at: Position) -> Row:
    """A row of its table for each coordinate, added up or one after the other."""
    read = spec["tables"] or range(len(at))
    parts = [numbered(arrays[f"table_{table}"][c]) for table, c in zip(read, at, strict=True)]
    return added(*parts) if spec["join"] == "added" else list(chain.from_iterable(parts))


def gated_tiles(spec: Data, arrays: Data, at: Position) -> Row:
    """``MllamaPrecomputedPositionEmbedding`` of transformers."""
    aspect, tile, patch = at
    gate = mp.tanh(exact(arrays["gate"][0]))
    plain, own = arrays["table"][patch], arrays["tiles"][aspect][tile][patch]
    return added(scaled(1 - gate, numbered(plain)), scaled(gate, numbered(own)))


ROWS: dict[str, Any] = {
    "learned_grid": learned_grid,
    "learned_axes": learned_axes,
    "gated_tiles": gated_tiles,
}


def embed(case: Data) -> list[Row]:
    spec = case["spec"]
    return [ROWS[spec["kind"]](spec, case["arrays"], at) for at in case["positions"]]


KINDS: dict[str, dict[str, Answer]] = {kind: {"embed": embed} for kind in ROWS}
