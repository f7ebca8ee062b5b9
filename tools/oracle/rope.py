"""Rotary cases: frequencies, tables, and vectors turned by them."""

from typing import Any

from mpmath import mp

from oracle import axes, scaling
from oracle.exact import Answer, Data, Exact, exact


def frequencies(case: Data) -> list[Exact]:
    """Radians per position of each pair."""
    spec, rule = case["spec"], case["spec"]["scaling"]
    if spec["axes"]["kind"] == "axial":
        return axes.frequencies(spec, rule)
    return scaling.RULES[rule["kind"]](rule, spec["dim"], exact(spec["base"]), case["length"])


def attention_factor(case: Data) -> Exact:
    return scaling.attention_factor(case["spec"]["scaling"], case["length"])


def angles(case: Data) -> list[list[Exact]]:
    """Position by pair, in radians; from the exact frequency, not from its float64."""
    reads = axes.reads(case["spec"])
    freqs = frequencies(case)

    def row(p: Any) -> list[Exact]:
        at = p if isinstance(p, list) else [p] * (max(reads) + 1)
        return [exact(at[axis]) * w for axis, w in zip(reads, freqs, strict=True)]

    return [row(p) for p in case["positions"]]


def pairs(spec: Data) -> list[tuple[int, int]]:
    """The two channels of the head that each frequency turns."""
    dim, half = spec["dim"], spec["dim"] // 2
    start = 0 if spec["at"] == "front" else (spec["head_dim"] or dim) - dim
    if spec["axes"].get("halves") == "axis":
        return axes.pairs_of_each(spec["axes"]["dims"], start)
    if spec["layout"] == "half":
        return [(start + i, start + i + half) for i in range(half)]
    return [(start + 2 * i, start + 2 * i + 1) for i in range(half)]


def turned(spec: Data, x: list[float], row: list[Exact], gain: Exact) -> list[Exact]:
    """`x` with each pair turned counter-clockwise and multiplied by `gain`, the rest as it was."""
    y = [exact(channel) for channel in x]
    for (a, b), angle in zip(pairs(spec), row, strict=True):
        cos, sin = mp.cos(angle), mp.sin(angle)
        y[a], y[b] = gain * (y[a] * cos - y[b] * sin), gain * (y[a] * sin + y[b] * cos)
    return y


def rotated(case: Data) -> list[list[Exact]]:
    """One vector turned to every position; lengths kept."""
    return [turned(case["spec"], case["x"], row, exact(1)) for row in angles(case)]


def scaled(case: Data) -> list[list[Exact]]:
    """The same with the turned channels multiplied by the attention factor."""
    gain = attention_factor(case)
    return [turned(case["spec"], case["x"], row, gain) for row in angles(case)]


def _whole(spec: Data) -> bool:
    return spec["head_dim"] in (None, spec["dim"])


def as_query(case: Data) -> list[list[Exact]]:
    """What an attention layer is given: of a head that turns whole, the factor is on the logits."""
    return rotated(case) if _whole(case["spec"]) else scaled(case)


def logit_scale(case: Data) -> Exact:
    """The factor of q times that of k, where neither has it."""
    return attention_factor(case) ** 2 if _whole(case["spec"]) else exact(1)


def score(case: Data) -> list[Exact]:
    """`q . k` after turning both, for each position of q with the one of k beside it."""
    q = rotated({**case, "x": case["q"], "positions": case["q_positions"]})
    k = rotated({**case, "x": case["k"], "positions": case["k_positions"]})
    return [mp.fdot(a, b) for a, b in zip(q, k, strict=True)]


def stretched_base(case: Data) -> Exact:
    spec = case["spec"]
    base = exact(spec["base"])
    return scaling.stretched_base(spec["scaling"], spec["dim"], base, case["length"])


def bounds(case: Data) -> list[Exact]:
    spec = case["spec"]
    return list(scaling.yarn_bounds(spec["scaling"], spec["dim"], exact(spec["base"])))


ANSWERS: dict[str, Answer] = {
    "frequencies": frequencies,
    "attention_factor": attention_factor,
    "angles": angles,
    "cos": lambda case: [[mp.cos(angle) for angle in row] for row in angles(case)],
    "sin": lambda case: [[mp.sin(angle) for angle in row] for row in angles(case)],
    "rotated": rotated,
    "scaled": scaled,
    "as_query": as_query,
    "as_key": as_query,
    "logit_scale": logit_scale,
    "score": score,
    "stretched_base": stretched_base,
    "bounds": bounds,
}
KINDS = {"rope": ANSWERS}
