"""The record of a claim: a statement about positions, a number, what it should be, how near."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Relation: TypeAlias = Literal["equal", "at_most", "at_least"]
Verdict: TypeAlias = Literal["holds", "false", "only if"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement that runs.

    Attributes:
        id: ``chapter.name``, stable.
        chapter: 1 to 12, see ``posenc.claims.CHAPTERS``; 0 for a law, which belongs to no chapter.
        statement: What is claimed, in ``en`` and ``zh``.
        relation: How the measured value has to stand to ``expected`` for the statement to be true.
        expected: What the statement says: a closed form, a number written by hand, or another
            implementation's; never computed by this library.
        tolerance: How near, absolute.
        verdict: "holds"; "false" for what is widely repeated and wrong; "only if" for what is
            true under the condition that the statement names.
        actual: For a false statement, what the value really is, written by hand.
        source: Rows of the ledger of origins, such as ``("A2", "N1")``, and papers.
        compute: Measures the value with this library.
        plain: At most eight lines of NumPy that set ``value`` and import nothing of ours.
    """

    id: str
    chapter: int
    statement: Mapping[str, str]
    relation: Relation
    expected: float
    tolerance: float
    verdict: Verdict
    actual: float | None
    source: tuple[str, ...]
    compute: Callable[[], float]
    plain: str

    def holds_for(self, value: float) -> bool:
        """Whether the statement is true of ``value``."""
        return holds(value, self.relation, self.expected, self.tolerance)


def holds(value: float, relation: Relation, expected: float, tolerance: float) -> bool:
    """Whether ``value`` stands in ``relation`` to ``expected``, give or take ``tolerance``."""
    if math.isnan(value):
        return False
    if relation == "at_most":
        return value <= expected + tolerance
    if relation == "at_least":
        return value >= expected - tolerance
    return abs(value - expected) <= tolerance


@dataclass(frozen=True, kw_only=True)
class Result:
    """A claim that was run.

    Attributes:
        claim: The claim.
        value: What was measured; NaN if it could not be.
        ok: Whether the measured truth agrees with the verdict; for a false statement also whether
            the value is the one that refutes it.
        error: Why it could not be measured, in one sentence.
    """

    claim: Claim
    value: float
    ok: bool
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON data."""
        c = self.claim
        data: dict[str, Any] = {
            "id": c.id,
            "chapter": c.chapter,
            "statement": dict(c.statement),
            "value": self.value if math.isfinite(self.value) else None,
            "relation": c.relation,
            "expected": c.expected,
            "tolerance": c.tolerance,
            "verdict": c.verdict,
            "ok": self.ok,
        }
        if c.actual is not None:
            data["actual"] = c.actual
        if self.error:
            data["error"] = self.error
        return data


def prove(claim: Claim) -> Result:
    """Run one claim. A subject that raises is a claim that is not ok, never a traceback."""
    try:
        value = float(claim.compute())
    except Exception as error:  # a claim judges code that may be broken in any way
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return Result(claim=claim, value=math.nan, ok=False, error=reason)
    agrees = claim.holds_for(value) == (claim.verdict != "false")
    refuted = claim.actual is None or abs(value - claim.actual) <= claim.tolerance
    return Result(claim=claim, value=value, ok=agrees and refuted)
