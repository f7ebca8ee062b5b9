"""Distances near, clipped and far; fewer keys than queries; shared heads of keys."""

from collections.abc import Iterator

from oracle.answers import answers
from oracle.exact import Data

Q, K = [8, 9, 13, 30], [3, 10, 14]
FAR = [1_000_001, 70_001, 999_999], [999_990, 1_000_002]
PAPERS = {
    "shaw": "arXiv:1803.02155, eqs. 3 and 4",
    "transformer_xl": "arXiv:1901.02860, section 3.3",
    "deberta": "arXiv:2006.03654, eqs. 3 and 4, and the code of DeBERTa-v2",
    "tupe": "arXiv:2006.15595, eqs. 7 and 9",
    "decomposed": "arXiv:2112.01526, eq. 4",
}


def numbers(*shape: int, seed: int) -> list:  # type: ignore[type-arg]
    """Nested lists of eighths from -1 to 1, exact in every float, no two rows alike."""
    count = 0

    def filled(sizes: tuple[int, ...]) -> list:  # type: ignore[type-arg]
        nonlocal count
        if len(sizes) > 1:
            return [filled(sizes[1:]) for _ in range(sizes[0])]
        row = []
        for _ in range(sizes[0]):
            count += 1
            row.append(((count * count * 5 + count * seed) % 17 - 8) / 8)
        return row

    return filled(shape)


def case(
    name: str,
    spec: Data,
    arrays: dict[str, tuple[int, ...]],
    at: tuple[list, list] = (Q, K),  # type: ignore[type-arg]
    *,
    heads: int = 2,
    k_heads: int = 2,
    asked: tuple[str, ...] = ("adjusted",),
) -> Data:
    dim = spec["head_dim"]
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": PAPERS[spec["kind"]]}
    inputs["arrays"] = {n: numbers(*s, seed=i + 3) for i, (n, s) in enumerate(arrays.items())}
    inputs |= {"q_positions": at[0], "k_positions": at[1]}
    inputs["q"] = numbers(heads, len(at[0]), dim, seed=1)
    inputs["k"] = numbers(k_heads, len(at[1]), dim, seed=2)
    return inputs | answers(inputs, list(asked))


def shaw(left: int, right: int, **fields: object) -> Data:
    usual = {"heads": None, "clip": True, "order": "key-query", "keys": False}
    return {"kind": "shaw", "head_dim": 2, "left": left, "right": right, **usual, **fields}


def transformer_xl(left: int, right: int, *, clip: bool) -> Data:
    sizes = {"heads": 2, "head_dim": 2, "left": left, "right": right}
    return {"kind": "transformer_xl", **sizes, "clip": clip}


def deberta(span: int, most: int | None = None, *, c2p: bool = True, p2c: bool = True) -> Data:
    sizes = {"heads": 2, "head_dim": 2, "span": span, "max_distance": most}
    return {"kind": "deberta", **sizes, "c2p": c2p, "p2c": p2c}


def cases() -> Iterator[Data]:
    yield case("shaw", shaw(3, 2), {"table": (6, 2)})
    yield case("shaw-far", shaw(3, 2), {"table": (6, 2)}, FAR)
    yield case("shaw-query-key", shaw(3, 2, order="query-key"), {"table": (6, 2)})
    yield case("shaw-both", shaw(3, 2, heads=2, keys=True), {"table": (2, 6, 2)}, k_heads=1)
    causal = [12, 13], [10, 11, 12]
    whole = shaw(3, 0, heads=2, clip=False)
    yield case("music-transformer", whole, {"table": (2, 4, 2)}, causal)

    bias = {"u": (2, 2), "v": (2, 2)}
    for clip, at in ((True, (Q, K)), (True, FAR), (False, causal)):
        name = "xl-whole" if not clip else "xl-far" if at == FAR else "xl-clipped"
        yield case(name, transformer_xl(4, 2, clip=clip), {**bias, "table": (2, 7, 2)}, at)
    shared = {**bias, "table": (2, 7, 2)}
    yield case("xl-grouped", transformer_xl(4, 2, clip=True), shared, k_heads=1)

    both, asked = {"keys": (2, 16, 2), "queries": (2, 16, 2)}, ("adjusted", "logit_scale")
    yield case("deberta", deberta(8), both, asked=asked)
    yield case("deberta-far", deberta(8), both, FAR, asked=asked)
    yield case("deberta-buckets", deberta(8, 20), both, k_heads=1, asked=asked)
    yield case("deberta-buckets-far", deberta(8, 20), both, FAR, asked=asked)
    for side, name in (("c2p", "queries"), ("p2c", "keys")):
        one = {n: s for n, s in both.items() if n != name}
        alone = deberta(8, 20, c2p=side == "c2p", p2c=side == "p2c")
        yield case(f"deberta-{side}", alone, one, asked=asked)

    for cls in (True, False):
        spec = {"kind": "tupe", "heads": 2, "head_dim": 2, "rows": 12, "untied": cls}
        tables = {"queries": (2, 12, 2), "keys": (2, 12, 2)} | ({"cls": (2, 2)} if cls else {})
        at = [0, 8, 11], [0, 3, 9, 10]
        yield case("tupe" if cls else "tupe-tied", spec, tables, at, asked=asked)

    spec = {"kind": "decomposed", "head_dim": 2, "sizes": [4, 3]}
    cells = [[3, 0], [1, 2], [0, 1]], [[0, 2], [3, 1]]
    yield case("grid", spec, {"axis0": (7, 2), "axis1": (5, 2)}, cells)
    spec = {"kind": "decomposed", "head_dim": 2, "sizes": [2, 4, 3]}
    cubes = [[1, 3, 0], [0, 1, 2]], [[0, 0, 2], [1, 3, 1], [1, 2, 2]]
    tables = {"axis0": (3, 2), "axis1": (7, 2), "axis2": (5, 2)}
    yield case("frames", spec, tables, cubes)
