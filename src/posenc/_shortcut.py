"""What a hook can do in another way, for those who know to ask: kept beside the hook itself.

A function that wraps a hook may copy its attributes, as ``functools.wraps`` does, and must not
inherit its shortcuts: they would pass by what it adds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["give", "shortcut"]


def give(hook: Callable[..., Any], **ways: Callable[..., Any] | None) -> None:
    """Let a hook have these shortcuts, by name; None is none."""
    hook.shortcuts = hook, ways  # type: ignore[attr-defined]


def shortcut(hook: Callable[..., Any] | None, name: str) -> Callable[..., Any] | None:
    """The shortcut of this name of this very hook, if it has one."""
    own, ways = getattr(hook, "shortcuts", (None, None))
    return ways.get(name) if own is hook and ways else None
