"""Where other packages publish their encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "posenc.encodings"
"""The entry point that names a list of ``posenc.registry.Entry``."""


def plugin_points() -> list[EntryPoint]:
    """The entry points of the group in a fixed order, none of them loaded."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
