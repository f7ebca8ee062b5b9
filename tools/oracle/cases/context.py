"""Both sides of every window and chunk, far out, with fewer keys than queries and the other way."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

SELF_EXTEND = "arXiv:2401.01325, section 3.2"
RE_ROPE = "kexue.fm/archives/9708 and its code"
DUAL_CHUNK = "arXiv:2402.17463, section 3, and its code"
COPE = "arXiv:2405.18719, eqs. 3 to 6"


def vectors(count: int, dim: int, seed: int) -> list[list[float]]:
    """Numbers between -1 and 1 that look like none in particular."""
    return [
        [((seed + 7 * row + 3 * c) * 37 % 101 - 50) / 50 for c in range(dim)]
        for row in range(count)
    ]


def case(name: str, spec: Data, reference: str, q: list[int], k: list[int], dim: int) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    inputs |= {"q_positions": q, "k_positions": k}
    return inputs | {"q": [vectors(len(q), dim, 1)], "k": [vectors(len(k), dim, 50)]}


def remapped() -> Iterator[Data]:
    rope, back = specs.rope(6), specs.rope(4, head_dim=6, at="back", layout="interleaved")
    yarn = specs.rope(4, head_dim=6, scaling=specs.yarn(4.0, 4096))
    near = [8, 13, 23, 24, 41], [3, 8, 9, 40]
    far = [70001, 1000000], [0, 69985, 69986, 70000, 999984, 999985]
    for name, spec, reference in (
        ("selfextend", {"kind": "self_extend", "group": 5, "window": 16}, SELF_EXTEND),
        ("rerope", {"kind": "re_rope", "window": 16, "factor": None}, RE_ROPE),
        ("rerope-leaky", {"kind": "re_rope", "window": 16, "factor": 7}, RE_ROPE),
        ("dual-chunk", {"kind": "dual_chunk", "chunk": 16, "local": 5}, DUAL_CHUNK),
        ("dual-chunk-wide", {"kind": "dual_chunk", "chunk": 16, "local": 10}, DUAL_CHUNK),
    ):
        inners = [("", rope), ("-back", back), ("-yarn", yarn)]
        for turn, inner in inners[: 1 if name == "dual-chunk-wide" else 3]:
            places = near if turn else far
            yield case(f"{name}{turn}", {**spec, "rope": inner}, reference, *places, 6)
        yield case(f"{name}-near", {**spec, "rope": rope}, reference, *near, 6)


def cases() -> Iterator[Data]:
    for inputs in remapped():
        yield inputs | answers(inputs, ["adjusted"])
    table = vectors(4, 3, 20)
    for name, scale in (("cope", 1.0), ("cope-scaled", 0.5)):
        spec = {"kind": "cope", "dim": 3, "rows": 4, "heads": None, "scale": scale}
        places = [8, 9, 13], [2, 3, 7, 8, 8, 9, 11, 13]
        inputs = case(name, spec, COPE, *places, 3)
        inputs["arrays"] = {"table": table}
        yield inputs | answers(inputs, ["adjusted"])
