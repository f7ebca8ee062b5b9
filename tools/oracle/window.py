"""Biases by the offset between two cells of a window: Swin, BEiT, LeViT, Swin v2."""

from collections.abc import Callable
from itertools import product

from mpmath import mp

from oracle.bias import grid
from oracle.curves import network, relu
from oracle.exact import Answer, Data, Exact, exact

Cell = list[int]


def rows_of(spec: Data) -> list[tuple[int, ...]]:
    """Every offset in the order of the rows, by counting them out."""
    first = [0 if spec.get("offsets") == "absolute" else 1 - size for size in spec["window"]]
    axes = [range(low, size) for low, size in zip(first, spec["window"], strict=True)]
    return list(product(*axes))


def offset(spec: Data, q: Cell, k: Cell) -> tuple[int, ...]:
    """Query minus key; without its sign where the table has none."""
    apart = [a - b for a, b in zip(q, k, strict=True)]
    return tuple(map(abs, apart) if spec.get("offsets") == "absolute" else apart)


def swin(case: Data) -> list[list[list[Exact]]]:
    """arXiv:2103.14030, section 3.2, and BEiT's code: three rows for the class token."""
    spec, table = case["spec"], case["arrays"]["table"]
    place = {found: row for row, found in enumerate(rows_of(spec))}

    def row(q: Cell, k: Cell) -> int:
        of_class = q[0] < 0, k[0] < 0
        if spec["class_token"] and any(of_class):
            return len(place) + {(True, False): 0, (False, True): 1, (True, True): 2}[of_class]
        return place[offset(spec, q, k)]

    def entry(head: int) -> Callable[[Cell, Cell], Exact]:
        return lambda q, k: exact(table[row(q, k)][head])

    return [grid(case, entry(head)) for head in range(spec["heads"])]


def coordinate(spec: Data, axis: int, d: int) -> Exact:
    """arXiv:2111.09883, section 3.3, with the scale of the authors' code; or timm's "cr"."""
    size = exact(abs(d))
    if spec["form"] == "cr":
        return mp.sign(d) * mp.log(1 + size)
    window = (spec["pretrained_window"] or spec["window"])[axis]
    return mp.sign(d) * mp.log(1 + 8 * size / max(window - 1, 1), 2) / mp.log(8, 2)


def log_offsets(case: Data) -> list[list[Exact]]:
    spec = case["spec"]
    return [[coordinate(spec, axis, d) for axis, d in enumerate(o)] for o in rows_of(spec)]


def swin_v2(case: Data) -> list[list[list[Exact]]]:
    spec = case["spec"]

    def entry(head: int) -> Callable[[Cell, Cell], Exact]:
        def number(q: Cell, k: Cell) -> Exact:
            x = [coordinate(spec, axis, d) for axis, d in enumerate(offset(spec, q, k))]
            out = network(x, case["arrays"], relu)[head]
            return 16 / (1 + mp.exp(-out)) if spec["form"] == "v2" else out

        return number

    return [grid(case, entry(head)) for head in range(spec["heads"])]


KINDS: dict[str, dict[str, Answer]] = {
    "swin_bias": {"bias": swin},
    "swin_v2_bias": {"bias": swin_v2, "log_offsets": log_offsets},
}
