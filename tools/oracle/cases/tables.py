"""Learned tables of several coordinates: by cell, by coordinate, by tile."""

from collections.abc import Iterator
from math import prod
from typing import Any

from oracle.answers import answers
from oracle.exact import Data


def table(*shape: int, first: int = 0) -> Any:
    """Numbers that name their own row and channel: 10 * row + channel, rows counted on."""
    if len(shape) == 2:
        return [[10.0 * (first + r) + c for c in range(shape[1])] for r in range(shape[0])]
    rows = prod(shape[1:-1])
    return [table(*shape[1:], first=first + i * rows) for i in range(shape[0])]


def case(name: str, spec: Data, arrays: Data, positions: list[list[int]], reference: str) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    inputs |= {"positions": positions, "arrays": arrays}
    return inputs | answers(inputs, ["embed"])


def grid(sizes: list[int], dim: int, *, prefix: int = 0, gated: bool = False) -> Data:
    kind = {"kind": "learned_grid", "sizes": sizes, "dim": dim}
    return {**kind, "prefix": prefix, "gated": gated}


def axes(sizes: list[int], dim: int, join: str, **given: list[int]) -> Data:
    kind = {"kind": "learned_axes", "sizes": sizes, "dim": dim, "join": join}
    return {**kind, "dims": given.get("dims"), "tables": given.get("tables")}


def cases() -> Iterator[Data]:
    cells = [[1, 2], [0, 0], [2, 4], [2, 0], [1, 2]]
    yield case("cells", grid([3, 5], 2), {"table": table(15, 2)}, cells, "SigLIP")
    front = [[0, -1], [0, -2], *cells]
    yield case("cells-behind-two", grid([3, 5], 2, prefix=2), {"table": table(17, 2)}, front, "ViT")
    video = [[0, 0, -1], [1, 0, 3], [1, 2, 0], [0, 1, 2]]
    yield case(
        "voxels", grid([2, 3, 4], 1, prefix=1), {"table": table(25, 1)}, video, "its formula"
    )
    gated = {"table": table(12, 2), "gate": [0.3125]}
    aspects = [[2, 1], [0, 3]]
    reference = "Llama 3.2 Vision, vectors of tiles"
    yield case("gated", grid([3, 4], 2, gated=True), gated, aspects, reference)

    two = {"table_0": table(3, 4), "table_1": table(6, 4, first=3)}
    places = [[2, 5], [0, 0], [1, 3]]
    yield case("added", axes([3, 6], 4, "added"), two, places, "Gemma 4, TimeSformer")
    yield case("concatenated", axes([3, 6], 8, "concatenated"), two, places, "DETR")
    two = {"table_0": table(3, 1), "table_1": table(6, 3, first=3)}
    spec = axes([3, 6], 4, "concatenated", dims=[1, 3])
    yield case("unequal", spec, two, places, "Reformer")
    reads = [0, 1, 0, 1, 2, 3]
    box = {f"table_{i}": table(6, 2, first=6 * i) for i in range(4)}
    boxes = [[1, 0, 4, 5, 5, 3], [2, 3, 2, 4, 1, 0]]
    spec = axes([6] * 6, 2, "added", tables=reads)
    yield case("box-added", spec, box, boxes, "LayoutLM")
    spec = axes([6] * 6, 12, "concatenated", tables=reads)
    yield case("box-concatenated", spec, box, boxes, "LayoutLMv2")

    tiles: Data = {"kind": "gated_tiles", "aspects": 2, "tiles": 3, "rows": 4, "dim": 2}
    arrays = {"gate": [-0.625], "table": table(4, 2), "tiles": table(2, 3, 4, 2, first=4)}
    where = [[1, 2, 3], [0, 1, 0], [1, 0, 2]]
    yield case("tiles", tiles, arrays, where, "Llama 3.2 Vision")
