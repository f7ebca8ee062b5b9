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
from posenc.errors import check, nearest

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
    known = {claim.id: claim for claim in all_claims()}
    found: list[Claim] = []
    for name in ids:
        if name in CHAPTERS:
            found += chapter(CHAPTERS.index(name) + 1)
            continue
        check(name in known, "The claim", "a known id", name, nearest(name, [*known, *CHAPTERS]))
        found.append(known[name])
    return found
