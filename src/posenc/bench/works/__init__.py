"""How each side does a piece of work: one module a work, one function a side.

A module has ``SIDES``: by name a function from a ``Size`` to a ``Call``. It is imported in the
process of a side and nowhere else, and imports what it needs inside its functions.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from posenc.bench._case import Size


class Call(NamedTuple):
    """One run of a piece of work, everything it needs being there.

    Attributes:
        run: Does the work and answers what it made.
        shown: From an answer to arrays in the order in which all sides are compared; None where
            there is nothing to compare.
        told: Whether ``run`` answers the number that is wanted, in seconds or counts, instead of
            being timed.
    """

    run: Callable[[], Any]
    shown: Callable[[Any], Any] | None = lambda answer: answer
    told: bool = False


class CannotError(Exception):
    """This side is not made for this size or dtype; the message says why."""


def side(work: str, name: str, size: Size) -> Call:
    """The call of a side: a limit, a peer, or ``ours/`` and a way."""
    sides: dict[str, Callable[[Size], Call]] = import_module(f"{__name__}.{work}").SIDES
    return sides[name](size)
