"""What rows share: notes, and values that are made when a spec is: listing needs no spec class."""

from __future__ import annotations

from typing import Any

ROWS_FIRST = {
    "en": 'Positions are (row, column), as grid(h=, w=, order="hw") gives them.',
    "zh": '位置为（行，列），即 grid(h=, w=, order="hw") 所给。',
}
COLUMNS_FIRST = {
    "en": 'Positions are (column, row), as grid(h=, w=, order="wh") gives them.',
    "zh": '位置为（列，行），即 grid(h=, w=, order="wh") 所给。',
}
FRAMES_FIRST = {
    "en": 'Positions are (frame, row, column), as grid(t=, h=, w=, order="thw") gives them.',
    "zh": '位置为（帧，行，列），即 grid(t=, h=, w=, order="thw") 所给。',
}


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


def even_factors(top: float, *, share: float = 1.0) -> Any:
    """Searched factors stand in a model's config; a smooth ramp stands in for them here."""

    def build(room: Any) -> list[float]:
        pairs = of_head(share)(room) // 2
        return [1 + (top - 1) * i / max(pairs - 1, 1) for i in range(pairs)]

    return build


def rope(**fields: Any) -> Any:
    """The rotary encoding that another is about, as wide as the head."""

    def build(room: Any) -> Any:
        from posenc.specs import Rope

        return Rope(dim=room.dim, **fields)

    return build


def sectioned(*sizes: int, layout: str, part: float = 1.0, **fields: Any) -> dict[str, Any]:
    """Fields of a ``Rope`` whose pairs are shared as in a model's ``mrope_section``.

    Args:
        *sizes: The model's own, in the order of the coordinates; a layer of another width is
            shared out in the same proportion, what is left going to the first.
        layout: Which channels are a pair.
        part: How much of the head turns.
        **fields: ``order``, and other fields of ``Rope``.
    """
    named = {name: fields.pop(name) for name in ("order",) if name in fields}

    def dim(room: Any) -> int:
        turned = max(2 * len(sizes), int(room.dim * part) // 2 * 2)
        channels: int = room.dim
        return min(channels, turned)

    def shared(room: Any) -> tuple[int, ...]:
        return _shares(sizes, dim(room) // 2)

    axes = scaling("Sections", sizes=shared, **named)
    return {"layout": layout, "dim": dim, "head_dim": _whole, "axes": axes, **fields}


def axial(*dims: int, layout: str, **fields: Any) -> dict[str, Any]:
    """Fields of a ``Rope`` with a ladder for each coordinate, shared as a model's channels are.

    Args:
        *dims: The model's own, in the order of the coordinates, for proportion. Where all are the
            same, a rest that cannot be shared out evenly does not turn; else the first has it.
        layout: Which channels are a pair.
        **fields: ``bases``, ``order``, ``ladder``, ``halves``, and other fields of the spec.
    """
    named = {n: fields.pop(n) for n in ("bases", "order", "ladder", "halves") if n in fields}

    def channels(room: Any) -> tuple[int, ...]:
        if len({*dims}) == 1:
            return (room.dim // (2 * len(dims)) * 2,) * len(dims)
        return tuple(2 * share for share in _shares(dims, room.dim // 2))

    def dim(room: Any) -> int:
        return sum(channels(room))

    if "bases" in named:
        bases = named["bases"]
        named["bases"] = lambda room: bases(*channels(room))
    axes = scaling("Axial", dims=channels, **named)
    return {"layout": layout, "dim": dim, "head_dim": _whole, "axes": axes, **fields}


def _whole(room: Any) -> int:
    dim: int = room.dim
    return dim


def _shares(sizes: tuple[int, ...], pairs: int) -> tuple[int, ...]:
    """Pairs of each coordinate: at least one of all but the first, which gets the rest."""
    rest = [max(1, pairs * size // sum(sizes)) for size in sizes[1:]]
    return (pairs - sum(rest), *rest)


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
