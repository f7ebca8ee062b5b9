"""Where other packages publish their encodings."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "posenc.encodings"
"""The entry point that names a list of ``posenc.registry.Entry``."""


def plugin_points() -> list[EntryPoint]:
    """The entry points of the group in a fixed order, none of them loaded."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))


def loaded(point: EntryPoint) -> Any:
    """What an entry point names."""
    with talking_aside():
        return point.load()


@contextlib.contextmanager
def talking_aside() -> Iterator[None]:
    """What code of others prints on import goes to stderr: stdout may be read as JSON."""
    with contextlib.redirect_stdout(sys.stderr):
        yield
