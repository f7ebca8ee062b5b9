"""From the inputs of a case to its numbers, and from printed numbers to their verdict."""

from collections.abc import Iterator
from typing import Any

from oracle import additive, bias, rope
from oracle.exact import Answer, Data, nearest

ABOUT = {"case", "spec", "length", "reference", "source", "atol", "rtol"}
GIVEN = {"positions", "x", "table", "relative", "q", "k", "q_positions", "k_positions"}
ANSWERS: dict[str, dict[str, Answer]] = {
    "rope": rope.ANSWERS,
    "alibi": bias.ALIBI,
    "t5_bias": bias.T5,
}


def answers(case: Data, names: list[str]) -> Data:
    """The named numbers of a case, as float64."""
    family = ANSWERS.get(case["spec"]["kind"], additive.ANSWERS)
    return {name: nearest(family[name](case)) for name in names}


def distance(value: Any, printed: Any, *, atol: float, rtol: float) -> float:
    """The largest difference in units of what is allowed; infinite where shapes differ."""
    if isinstance(value, list) or isinstance(printed, list):
        if not (isinstance(value, list) and isinstance(printed, list)):
            return float("inf")
        if len(value) != len(printed):
            return float("inf")
        rows = zip(value, printed, strict=True)
        return max((distance(v, p, atol=atol, rtol=rtol) for v, p in rows), default=0.0)
    if value == printed:
        return 0.0
    allowed = atol + rtol * abs(printed)
    return float(abs(value - printed) / allowed) if allowed else float("inf")


def disagreements(case: Data) -> Iterator[str]:
    """Where the oracle does not give what the case says that others printed."""
    names = sorted(case.keys() - ABOUT - GIVEN)
    if not names:
        yield f"{case['case']}: prints no number"
    for name, value in answers(case, names).items():
        off = distance(value, case[name], atol=case["atol"], rtol=case["rtol"])
        if off > 1:
            yield f"{case['case']}: {name} is off by {off:.3g} tolerances; the oracle has {value}"
