"""Rotation by whichever body is fastest for the arrays given."""

from __future__ import annotations

from typing import Any

from posenc._typing import Array, Layout, Namespace
from posenc.functional import _rotary
from posenc.kernels._arrangement import arrangement
from posenc.kernels._choice import compiled, in_memory, recorded
from posenc.kernels._memory import address, fresh, overwritten
from posenc.kernels._threads import shared


def rotate(
    x: Array,
    cos: Array,
    sin: Array,
    *,
    layout: Layout,
    xp: Namespace,
    start: int = 0,
    out: Array = None,
) -> Array:
    """``posenc.functional``'s ``rotate``, into ``out`` if given, which may be ``x``.

    Where gradients are wanted through ``x``, they are turned back.
    """
    arrays = (x, cos, sin) if out is None else (x, cos, sin, out)
    if in_memory(*arrays) and compiled():
        turned = None
        if not recorded(*arrays):
            turned = turn(x, cos, sin, layout=layout, start=start, out=out)
        elif out is None and not recorded(cos, sin):
            from posenc.kernels._gradient import Turn

            # What inference mode made, the backward pass may not keep.
            kept = (t.clone() if t.is_inference() else t for t in (cos, sin))
            turned = Turn.apply(x, *kept, layout, start)  # type: ignore[no-untyped-call]
        if turned is not None:
            return turned
    turned = _rotary.rotate(x, cos, sin, layout=layout, xp=xp, start=start)
    if out is None:
        return turned
    out[...] = turned
    return out


def turn(
    x: Array, cos: Array, sin: Array, *, layout: Layout, start: int = 0, out: Array = None
) -> Array | None:
    """The compiled rotation, which autograd does not see; None where no loop fits."""
    plan = arrangement(x, cos, sin, layout=layout, start=start, out=out)
    if plan is None:
        return None
    into = fresh(x.shape, x) if out is None else out
    places = address(x), address(into)

    def part(first: int, last: int, held: Any = (x, into)) -> None:  # as long as anybody writes
        plan(*places, first, last)

    shared(part, plan.pieces, size=int(x.nbytes))
    if out is not None:
        overwritten(out)
    return into
