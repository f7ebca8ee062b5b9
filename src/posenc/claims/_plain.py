"""The claims once more as a program of NumPy alone: proof without trusting this library."""

from __future__ import annotations

from collections.abc import Iterable

from posenc.claims._claim import Claim
from posenc.text import Language

_HEAD = '''\
"""Claims about positions in Transformers, in NumPy alone: python thisfile.py"""
import math
import numpy as np

bad = []


def agree(name, value, relation, expected, tolerance, verdict, actual):
    true = {
        "equal": abs(value - expected) <= tolerance,
        "at_most": value <= expected + tolerance,
        "at_least": value >= expected - tolerance,
    }[relation]
    ok = true == (verdict != "false") and (actual is None or abs(value - actual) <= tolerance)
    due = f"{relation} {expected:.9g}, give or take {tolerance:.2g}"
    print(f"{'ok ' if ok else 'BAD'} {name:32} {value:.9g} ({due}: {verdict})")
    bad.extend([] if ok else [name])
'''

_TAIL = """
print(f"{count - len(bad)} of {count} agree")
raise SystemExit(1 if bad else 0)
"""


def script(claims: Iterable[Claim], *, language: Language = "en") -> str:
    """A complete program that shows the claims with NumPy and nothing of ours.

    It prints a line per claim and exits with 1 if one does not agree.
    """
    parts = [_HEAD]
    count = 0
    for claim in claims:
        count += 1
        arguments = (claim.relation, claim.expected, claim.tolerance, claim.verdict, claim.actual)
        # Each snippet runs in a function of its own, so that none leans on another's names.
        body = "\n".join(f"    {line}".rstrip() for line in claim.plain.splitlines())
        parts.append(
            f"\n# {claim.statement[language]}\ndef claim_{count}():\n{body}\n    return value\n\n\n"
            f"agree({claim.id!r}, claim_{count}(), {', '.join(map(repr, arguments))})\n"
        )
    return "\n".join([*parts, f"count = {count}{_TAIL}"])
