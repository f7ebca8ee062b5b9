"""The gradient of a rotation: what comes back is turned by the negative angle."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import torch
from torch import Tensor

from posenc._typing import Layout
from posenc.functional import _rotary
from posenc.kernels._rotate import rotate, turn


class Turn(torch.autograd.Function):
    """``x`` turned by tables that need no gradient themselves."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor, layout: Layout, start: int) -> Any:
        ctx.save_for_backward(cos, sin)
        ctx.how = {"layout": layout, "start": start}
        found = turn(x, cos, sin, **ctx.how)
        return _rotary.rotate(x, cos, sin, xp=xp, **ctx.how) if found is None else found

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> Any:
        cos, sin = ctx.saved_tensors
        (gradient,) = upstream
        compiling, many = torch.compiler.is_compiling(), torch._C._functorch.is_legacy_batchedtensor
        if not compiling and many(gradient):
            back = turned_back(gradient, cos, sin, **ctx.how)
        else:
            back = rotate(gradient, cos, -sin, xp=xp, **ctx.how)
        return back, None, None, None, None


def turned_back(g: Tensor, cos: Tensor, sin: Tensor, *, layout: Layout, start: int) -> Tensor:
    """A rotation by the negative angles, in operations of which autograd does many at once."""
    half, end = cos.shape[-1], start + 2 * cos.shape[-1]
    whole = end - start == g.shape[-1]  # not cut: a slice of everything is not for a batch
    wide = (g if whole else g[..., start:end]).to(cos.dtype)
    if layout == "half":
        a, b = wide[..., :half], wide[..., half:]
        turned = torch.cat([a * cos + b * sin, b * cos - a * sin], -1)
    else:
        a, b = wide[..., 0::2], wide[..., 1::2]
        pairs = torch.stack([a * cos + b * sin, b * cos - a * sin], -1)
        turned = pairs.reshape(wide.shape)
    turned = turned.to(g.dtype)
    return turned if whole else torch.cat([g[..., :start], turned, g[..., end:]], -1)
