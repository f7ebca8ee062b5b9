"""The gradient of a rotation: what comes back is turned by the negative angle."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch
from torch import Tensor

from posenc.functional import _rotary
from posenc.kernels._rotate import turn


class Turn(torch.autograd.Function):
    """``x`` turned by tables that need no gradient themselves."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, layout: Any, start: int) -> Any:
        ctx.save_for_backward(cos, sin)
        ctx.layout, ctx.start = layout, start
        return _turned(x, cos, sin, layout, start)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> Any:
        cos, sin = ctx.saved_tensors
        (gradient,) = upstream
        back = Turn.apply(gradient, cos, -sin, ctx.layout, ctx.start)  # type: ignore[no-untyped-call]
        return back, None, None, None, None


def _turned(x: Tensor, cos: Tensor, sin: Tensor, layout: Any, start: int) -> Any:
    found = turn(x, cos, sin, layout=layout, start=start)
    if found is not None:
        return found
    return _rotary.rotate(x, cos, sin, layout=layout, xp=xp, start=start)
