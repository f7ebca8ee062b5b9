"""Values of an entry that are made when its spec is: listing needs no spec class."""

from __future__ import annotations

from typing import Any


def scaling(kind: str, **fields: Any) -> Any:
    """A scaling rule, built when a spec is made: listing needs no spec class."""

    def build(room: Any) -> Any:
        from posenc import specs

        values = {n: v(room) if callable(v) else v for n, v in fields.items()}
        return getattr(specs, kind)(**values)

    return build


def even_factors(top: float) -> Any:
    """Searched factors stand in a model's config; a smooth ramp stands in for them here."""

    def build(room: Any) -> list[float]:
        pairs = room.dim // 2
        return [1 + (top - 1) * i / max(pairs - 1, 1) for i in range(pairs)]

    return build


def rope(**fields: Any) -> Any:
    """The rotary encoding that another is about, as wide as the head."""

    def build(room: Any) -> Any:
        from posenc.specs import Rope

        return Rope(dim=room.dim, **fields)

    return build
