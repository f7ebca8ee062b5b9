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


def evenly(count: int) -> Any:
    """Channels of so many coordinates: as many for each, what is left over to the first."""

    def build(room: Any) -> list[int]:
        return _shared(room.dim // 2, count)

    return build


def rounded_up(count: int) -> Any:
    """As many channels for each coordinate and at least so many as the layer has in all.

    Evenly where the last coordinate would have none of those that the layer has.
    """

    def build(room: Any) -> list[int]:
        each = 2 * -(-room.dim // (2 * count))
        return [each] * count if each * (count - 1) < room.dim else _shared(room.dim // 2, count)

    return build


def rounded_down(count: int) -> Any:
    """As many channels for each coordinate and at most so many as the layer has in all."""
    return lambda room: [2 * (room.dim // (2 * count))] * count


def time_and_space(room: Any) -> list[int]:
    """A quarter of the channels for time, and half of the rest for each side of the frame."""
    time = max(1, room.dim // 8)
    return [2 * time, *_shared(room.dim // 2 - time, 2)]


def _shared(pairs: int, count: int) -> list[int]:
    each, left = divmod(pairs, count)
    return [2 * (each + (i < left)) for i in range(count)]
