"""Everything said here about positions, as claims: each stated once, run anywhere, quoted by id.

>>> from posenc import claims
>>> claims.prove(claims.find("sinusoid.norm")).ok
True
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from posenc.claims._chapter import CHAPTERS, Chapter
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
    """
    known = type(number) is int and 1 <= number <= len(CHAPTERS)
    check(known, "chapter", f"between 1 and {len(CHAPTERS)}", number)
    module = importlib.import_module(f"posenc.claims.{CHAPTERS[number - 1]}")
    stated: Chapter = module.chapter
    return list(stated)


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
