"""From the inputs of a case to its numbers, and from printed numbers to their verdict."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import oracle
from oracle.exact import Answer, Data, nearest

ABOUT = {"case", "spec", "length", "reference", "source", "atol", "rtol"}
PLACES = {"positions", "q_positions", "k_positions", "relative"}
GIVEN = {*PLACES, "x", "q", "k", "arrays"}


def _kinds() -> dict[str, dict[str, Answer]]:
    """What each module here has under ``KINDS``: by the kind of spec, the numbers it can give."""
    found: dict[str, dict[str, Answer]] = {}
    for info in pkgutil.iter_modules(oracle.__path__):
        if info.name not in ("answers", "cases"):
            module = importlib.import_module(f"oracle.{info.name}")
            found |= getattr(module, "KINDS", {})
    return found


ANSWERS = _kinds()


def answers(case: Data, names: list[str]) -> Data:
    """The named numbers of a case, as float64."""
    family = ANSWERS[case["spec"]["kind"]]
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
