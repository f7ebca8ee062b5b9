"""Which laws an encoding has to keep, and which of them it breaks, for ``posenc list``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from posenc.errors import check
from posenc.registry import Entry
from posenc.specs._plugins import talking_aside
from posenc.testing._libraries import Library, library
from posenc.testing._suite import faults_of
from posenc.testing.laws import applicable, case


@dataclass
class Kept:
    """What the laws say of an encoding.

    Attributes:
        laws: Those that speak of it, by name.
        broken: For each library that was asked for, the laws that it breaks there, and how.
        error: Why there is nothing to try: an entry that gives no spec.
    """

    laws: list[str] = field(default_factory=list)
    broken: dict[str, dict[str, str]] = field(default_factory=dict)
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """What ``posenc list --json`` adds to an entry."""
        if self.error:
            return {"laws": None, "error": self.error}
        return {"laws": self.laws, **({"broken": self.broken} if self.broken else {})}


def installed(name: str) -> Library:
    """The library of that name, or a sentence how to get it."""
    try:
        return library(name)
    except ImportError as error:
        check(False, "--laws", "an installed library", name, f"{error}: install it first.")
        raise


def kept(entry: Entry, libraries: list[Library]) -> Kept:
    """The laws of an entry of twelve channels and three heads, tried in each library."""
    try:
        with talking_aside():
            spec = entry.make(dim=12, heads=3, length=1024)
            found = Kept([law.name for law in applicable(case(spec))])
            for each in libraries:
                faults = faults_of(case(spec, xp=each))
                found.broken[each.name] = {name: fault for name, fault in faults.items() if fault}
    except (Exception, SystemExit) as error:  # a plug-in must not take the list down
        return Kept(error=f"{type(error).__name__}: {error}")
    return found
