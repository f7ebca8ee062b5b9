"""Rotation by frequencies that a case states, or by exponents on those of the plain ladder."""

from mpmath import mp

from oracle import rope, scaling
from oracle.exact import Answer, Data, Exact, exact


def _freqs(case: Data, head: int) -> list[list[Exact]]:
    """Of each pair of a head, by coordinate."""
    spec, arrays = case["spec"], case["arrays"]
    own = head % spec["heads"]  # one set is for all heads
    if spec["form"] == "freqs":
        return [[exact(f) for f in pair] for pair in arrays["freqs"][own]]
    rule = scaling.RULES[spec["scaling"]["kind"]]
    ladder = rule(spec["scaling"], spec["dim"], exact(spec["base"]), case["length"])
    return [[w * mp.exp(exact(a))] for w, a in zip(ladder, arrays["alpha"][own], strict=True)]


def as_query(case: Data) -> list[list[Exact]] | list[list[list[Exact]]]:
    """The vector turned to each position; or that of each head, by position."""
    spec = {**case["spec"], "axes": {"kind": "one_axis"}}
    gain = scaling.attention_factor(spec["scaling"], case["length"])

    def turned(x: list[float], head: int, at: list[float]) -> list[Exact]:
        angles = [mp.fdot([exact(p) for p in at], pair) for pair in _freqs(case, head)]
        return rope.turned(spec, x, angles, gain)

    places = [p if isinstance(p, list) else [p] for p in case["positions"]]
    if isinstance(case["x"][0], list):
        return [[turned(x, h, at) for h, x in enumerate(case["x"])] for at in places]
    return [turned(case["x"], 0, at) for at in places]


KINDS: dict[str, dict[str, Answer]] = {"learned_rope": {"as_query": as_query, "as_key": as_query}}
