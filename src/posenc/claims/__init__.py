"""Everything said here about positions, as claims: each stated once, run anywhere, quoted by id.

>>> from posenc import claims
>>> claims.prove(claims.find("sinusoid.norm")).ok
True
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from posenc.claims._chapter import CHAPTERS, PARTS, Part
from posenc.claims._claim import Claim, Result, prove
from posenc.claims._plain import script
from posenc.errors import check, check_known

__all__ = [
    "CHAPTERS",
    "Claim",
    "Result",
    "all_claims",
    "chapter",
    "find",
    "prove",
    "script",
    "select",
]


def chapter(number: int) -> list[Claim]:
    """The claims of one chapter, in order.

    Args:
        number: 1 to 12.

    Raises:
        EncodingError: For another number, or if two files of the chapter state the same id.
    """
    known = type(number) is int and 1 <= number <= len(CHAPTERS)
    check(known, "chapter", f"between 1 and {len(CHAPTERS)}", number)
    stated: dict[str, Claim] = {}
    for name in PARTS[CHAPTERS[number - 1]]:
        part: Part = importlib.import_module(f"posenc.claims.{name}").part
        for claim in part:
            check(claim.id not in stated, "Claim ids", "unique", claim.id)
            stated[claim.id] = claim
    return list(stated.values())


def all_claims() -> list[Claim]:
    """Every claim, chapter by chapter."""
    return [claim for n in range(1, len(CHAPTERS) + 1) for claim in chapter(n)]


def find(claim_id: str) -> Claim:
    """The claim with this id, or a sentence with the nearest one."""
    return select([claim_id])[0]


def select(ids: Iterable[str]) -> list[Claim]:
    """The claims with these ids; the name of a chapter stands for all of its claims."""
    found: list[Claim] = []
    for name in ids:
        head = name.partition(".")[0]
        # Only the chapter that is asked for is loaded; all of them when a name is to be suggested.
        near = chapter(CHAPTERS.index(head) + 1) if head in CHAPTERS else []
        match = near if name == head else [claim for claim in near if claim.id == name]
        if not match:
            known = [*CHAPTERS, *(claim.id for claim in all_claims())]
            check_known(name, known, "The claim", "a known id")
        found += match
    return found
