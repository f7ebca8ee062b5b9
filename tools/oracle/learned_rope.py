"""Rotation by frequencies that a case states, or by exponents on those of the plain ladder."""

from typing import Any

from mpmath import mp

from oracle import rope, scaling
from oracle.exact import Answer, Data, Exact, exact


def _angles(case: Data, position: float | list[float]) -> list[Exact]:
    """Of the one set of frequencies, in radians; a position is a number or its coordinates."""
    spec, arrays = case["spec"], case["arrays"]
    if spec["form"] == "exponents":
        rule = scaling.RULES[spec["scaling"]["kind"]]
        ladder = rule(spec["scaling"], spec["dim"], exact(spec["base"]), case["length"])
        return [
            exact(position) * w * mp.exp(exact(alpha))
            for w, alpha in zip(ladder, arrays["alpha"][0], strict=True)
        ]
    at = position if isinstance(position, list) else [position]
    return [
        mp.fsum(exact(p) * exact(f) for p, f in zip(at, pair, strict=True))
        for pair in arrays["freqs"][0]
    ]


def as_query(case: Data) -> list[Any]:
    """Position by channel; or by head and channel, where there is a vector for each head."""
    if isinstance(case["x"][0], list):
        heads = [as_query({**case, "x": x}) for x in case["x"]]
        return [list(row) for row in zip(*heads, strict=True)]
    spec = {**case["spec"], "axes": {"kind": "one_axis"}}
    gain = scaling.attention_factor(spec["scaling"], case["length"])
    return [rope.turned(spec, case["x"], _angles(case, p), gain) for p in case["positions"]]


KINDS: dict[str, dict[str, Answer]] = {"learned_rope": {"as_query": as_query, "as_key": as_query}}
