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


def stack(*parts: tuple[str, dict[str, Any]]) -> Any:
    """The parts of a ``Stack``, each a class and its fields, sized for the layer."""

    def build(room: Any) -> list[Any]:
        from posenc import specs

        return [
            getattr(specs, kind)(**{n: v(room) if callable(v) else v for n, v in fields.items()})
            for kind, fields in parts
        ]

    return build


def of_head(share: float) -> Any:
    """An even number of channels, this share of the head, at least one pair."""
    return lambda room: max(2, int(room.dim * share) // 2 * 2)


def head(room: Any) -> int:
    """Channels of the head."""
    return int(room.dim)


def even_factors(top: float) -> Any:
    """Searched factors stand in a model's config; a smooth ramp stands in for them here."""

    def build(room: Any) -> list[float]:
        pairs = room.dim // 2
        return [1 + (top - 1) * i / max(pairs - 1, 1) for i in range(pairs)]

    return build
