"""Whether tokens and their positions belong together: the axis confusions, refused by name."""

from __future__ import annotations

from posenc._arrays import check_real, library_name, namespace
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check

_FORMS: dict[int | None, str] = {
    -3: "(*batch, heads, n, dim)",
    -2: "(*batch, n, heads, dim)",
    None: "(*batch, n, dim)",
}


def broadcasts(shape: tuple[int, ...], full: tuple[int, ...]) -> bool:
    """Whether an array of ``shape`` stretches to ``full`` without making it any larger."""
    ends = zip(shape[::-1], full[::-1], strict=False)
    return len(shape) <= len(full) and all(a in (1, b) for a, b in ends)


def over_heads(table: Array, *, head_axis: int | None, xp: Namespace) -> Array:
    """``table`` of shape ``(*batch, n, m)`` with the heads axis put in, ready to broadcast."""
    return table if head_axis is None else xp.expand_dims(table, axis=head_axis)


def token_shape(positions: Array, coordinates: int) -> tuple[int, ...]:
    """``(*batch, n)`` of positions that have so many coordinates each."""
    shape = tuple(positions.shape)
    return shape if coordinates == 1 else shape[:-1]


def with_coordinates(
    where: str, positions: Array, count: int, *, plain: bool, xp: Namespace
) -> Array:
    """Positions with their ``count`` coordinates on the last axis, or one sentence.

    Args:
        where: What is refused, as the caller wrote it.
        positions: ``(*batch, n, count)``; if ``plain``, also ``(*batch, n)``.
        count: At least 2.
        plain: Whether one number alone means the same on every axis.
        xp: The array namespace.
    """
    shape = tuple(positions.shape)
    if len(shape) > 1 and shape[-1] == count:
        return positions
    first = len(shape) > 2 and shape[0] == count
    hint = "Coordinates go last: moveaxis(positions, 0, -1)." if first else ""
    must = f"of shape (n, {count}) or (*batch, n, {count})"
    check(plain and not first, where, must, shape, hint)
    return xp.broadcast_to(positions[..., None], (*shape, count))


def check_tokens(
    where: str,
    x: Array,
    positions: Array,
    head_axis: int | None,
    coordinates: int = 1,
    plain: bool = False,
) -> None:
    """Refuse ``x`` unless its tokens are those that ``positions`` places."""
    known = head_axis is None or (type(head_axis) is int and head_axis in _FORMS)
    check(known, f"{where}: head_axis", "-3, -2, or None without heads", head_axis)
    ours, theirs = (library_name(namespace(t)) for t in (x, positions))
    must = f"of the library that positions were prepared in, {theirs}"
    check(ours == theirs, f"{where}: x", must, ours, error=EncodingTypeError)
    check_real(f"{where}: x", x)
    form = _FORMS[head_axis]
    shape = tuple(x.shape)
    check(x.ndim >= (2 if head_axis is None else 3), f"{where}: x", f"of shape {form}", shape)
    tokens_last = list(shape[:-1])
    if head_axis is not None:
        del tokens_last[head_axis + 1]
    *batch, tokens = tokens_last
    place = token_shape(positions, coordinates)
    lead = place[:-1]
    if place[-1] == tokens and broadcasts(lead, tuple(batch)):
        # Before any words: sizes that a compiler holds open cannot be written out.
        if plain and not lead and batch[-1:] == [coordinates] and tokens == coordinates:
            must = f"of shape (1, {tokens}, {coordinates}) where as many rows have as many tokens"
            hint = "Two axes could be tokens and coordinates, or rows and tokens."
            check(False, f"{where}: positions", must, tuple(positions.shape), hint)
        return
    last = () if coordinates == 1 else (coordinates,)
    wanted = f"{(tokens, *last)}" + (f" or {(*batch, tokens, *last)}" if batch else "")
    rows = plain and positions.ndim == 2 and tokens == coordinates
    cells = "Its last axis was read as coordinates: rows of so many tokens need them written out."
    check(
        False,
        f"{where}: positions",
        f"of shape {wanted}, as x of shape {shape} is read as {form}",
        tuple(positions.shape),
        cells if rows else _hint(place, shape, batch, head_axis),
    )


def _hint(
    place: tuple[int, ...], shape: tuple[int, ...], batch: list[int], head_axis: int | None
) -> str:
    """What to do where positions of ``place`` tokens do not fit ``x`` of ``shape``."""
    if len(place) == 3 and place[0] in (2, 3, 4) and list(place[1:-1]) == batch:
        return "Coordinates go last: moveaxis(positions, 0, -1) gives (*batch, n, axes)."
    if head_axis == -3 and place[-1] == shape[-3]:
        return "Pass head_axis=-2 if x is (*batch, n, heads, dim), None if it has no heads."
    if place[-1] == 1 and place[:-1] and place[-2] in shape:
        return "An axis of size 1 at the end is no axis of tokens: take it off."
    return ""
