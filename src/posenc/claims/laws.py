"""Laws as claims: what holds of every encoding, stated about one."""

from __future__ import annotations

from collections.abc import Callable

from posenc.claims._claim import Claim
from posenc.specs import Spec
from posenc.testing import laws
from posenc.text import load


def claims_by_law(spec: Spec) -> list[Claim]:
    """One claim for each law that applies to ``spec``, tried in NumPy.

    The value is how often the law was broken; a broken law gives its numbers as the error.
    """
    case = laws.case(spec)
    words = load("laws")
    return [
        Claim(
            id=f"law.{law.name}",
            chapter=0,
            statement=words[law.name],
            relation="equal",
            expected=0.0,
            tolerance=0.0,
            verdict="holds",
            actual=None,
            source=(spec.kind,),
            compute=_tried(law, case),
            plain="",
        )
        for law in laws.applicable(case)
    ]


def _tried(law: laws.Law, case: laws.Case) -> Callable[[], float]:
    def compute() -> float:
        law.check(case)
        return 0.0

    return compute
