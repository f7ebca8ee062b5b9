"""Rows that an encoding adds to the token vectors."""

from collections.abc import Callable

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact

Row = Callable[[Data, Data, float], list[Exact]]  # of a spec, its case and a position


def sinusoid_ladder(spec: Data) -> list[Exact]:
    """Frequencies of a sinusoidal encoding; an odd width leaves a choice of their count."""
    dim = spec["dim"]
    width = {"zero": dim - 1, "cut": dim, "ceil": dim + 1}[spec["odd"]] if dim % 2 else dim
    count = (width + 1) // 2
    if spec["ladder"] == "paper":
        exponents = [exact(2 * i) / width for i in range(count)]
    else:
        exponents = [exact(i) / max(count - 1, 1) for i in range(count)]
    return [exact(spec["base"]) ** -e for e in exponents]


def sinusoidal(spec: Data, case: Data, position: float) -> list[Exact]:
    """Vaswani et al., arXiv:1706.03762, section 3.5, and the layouts that followed it."""
    angles = [exact(position) * w for w in sinusoid_ladder(spec)]
    waves = [(mp.sin(angle), mp.cos(angle)) for angle in angles]
    if spec["first"] == "cos":
        waves = [(cos, sin) for sin, cos in waves]
    if spec["layout"] == "interleaved":
        row = [wave for pair in waves for wave in pair]
    else:
        row = [first for first, _ in waves] + [second for _, second in waves]
    learned = case.get("arrays", {}).get("scale", [spec["scale"]])
    row = [exact(learned[0]) * wave for wave in row[: spec["dim"]]]
    return row + [exact(0)] * (spec["dim"] - len(row))


def normalized_integer(spec: Data, case: Data, position: float) -> list[Exact]:
    """The share of the run that lies behind; a run of one token is at its start."""
    return [exact(position) / max(case["length"] - 1, 1)] * int(spec["dim"])


def bits(number: int, count: int) -> list[Exact]:
    """Binary digits, least significant first."""
    return [exact(number >> j & 1) for j in range(count)]


ROWS: dict[str, Row] = {
    "sinusoidal": sinusoidal,
    "integer": lambda spec, case, p: [exact(p)] * int(spec["dim"]),
    "normalized_integer": normalized_integer,
    "binary": lambda spec, case, p: bits(int(p), spec["bits"]),
    "gray": lambda spec, case, p: bits(int(p) ^ int(p) >> 1, spec["bits"]),
    "one_hot": lambda spec, case, p: [exact(int(row == p)) for row in range(spec["rows"])],
    "random_directions": lambda spec, case, p: [exact(v) for v in case["arrays"]["table"][int(p)]],
    "learned": lambda spec, case, p: [
        exact(v) for v in case["arrays"]["table"][int(p) + spec["offset"]]
    ],
}


def embed(case: Data) -> list[list[Exact]]:
    spec = case["spec"]
    return [ROWS[spec["kind"]](spec, case, position) for position in case["positions"]]


KINDS: dict[str, dict[str, Answer]] = {kind: {"embed": embed} for kind in ROWS}
