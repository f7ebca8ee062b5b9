"""Rotation by whichever body is fastest for the arrays given."""

from __future__ import annotations

import math
from typing import Any

from posenc._typing import Array, Layout, Namespace
from posenc.functional import _rotary
from posenc.kernels._arrangement import Arrangement, arrangement
from posenc.kernels._choice import compiled, in_memory, recorded
from posenc.kernels._memory import address, fresh, overwritten
from posenc.kernels._remembered import remember, remembered
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
    checked: bool = False,
) -> Array:
    """``posenc.functional``'s ``rotate``, into ``out`` if given, which may be ``x``.

    Where gradients are wanted through ``x``, they are turned back. ``checked`` says that everything
    was checked that ``posenc.rotate`` checks, which the next call of this form may then spare.
    """
    arrays = (x, cos, sin) if out is None else (x, cos, sin, out)
    if in_memory(*arrays) and compiled():
        turned = None
        if not recorded(*arrays):
            turned = turn(x, cos, sin, layout=layout, start=start, out=out, checked=checked)
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


def again(x: Array, cos: Array, sin: Array, *, layout: Layout, out: Array) -> bool:
    """Write the rotation into ``out`` if all are of a form that was checked before; or tell."""
    arrays = x, cos, sin, out
    if not (in_memory(*arrays) and compiled()) or recorded(*arrays) or not isinstance(layout, str):
        return False
    plan = remembered(x, cos, sin, layout=layout, out=out)
    if plan is not None:
        _run(plan, x, out)
        overwritten(out)
    return plan is not None


def turn(
    x: Array,
    cos: Array,
    sin: Array,
    *,
    layout: Layout,
    start: int = 0,
    out: Array = None,
    checked: bool = False,
) -> Array | None:
    """The compiled rotation, which autograd does not see; None where no loop fits."""
    plan = arrangement(x, cos, sin, layout=layout, start=start, out=out)
    if plan is None:
        return None
    into = fresh(x.shape, x) if out is None else out
    _run(plan, x, into)
    if out is not None:
        overwritten(out)
        if checked:
            remember(x, cos, sin, layout=layout, out=out, plan=plan)
    return into


def _run(plan: Arrangement, x: Array, into: Array) -> None:
    places = address(x), address(into)

    def part(first: int, last: int, held: Any = (plan, x, into)) -> None:  # while anybody writes
        plan(*places, first, last)

    shared(part, plan.pieces, size=4 * math.prod(x.shape))  # as if float32: half takes as long
