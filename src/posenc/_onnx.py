"""Where a model is exported to ONNX: rotation as the operator that runtimes have fast code for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from posenc._arrays import is_narrow
from posenc._typing import Array, Layout

_wanted = 0  # how many contexts are open, of all threads


@contextmanager
def onnx_operators() -> Iterator[None]:
    """Export rotations as ONNX's ``RotaryEmbedding`` operator where it fits.

    It fits tokens ``(batch, heads, n, dim)`` in float32 or a half width; the rest, and everything
    outside of this context, is exported as the arithmetic that it is. Angles stay exact: cos and
    sin are worked out before the operator, which only turns.

    The operator exists from opset 23 on: pass ``opset_version=23`` to the exporter.

    References:
        ONNX, ai.onnx operator RotaryEmbedding, since version 23.

    Example:
        >>> import torch, posenc.torch
        >>> with posenc.torch.onnx_operators():
        ...     pass  # torch.onnx.export(model, ..., dynamo=True, opset_version=23)
    """
    global _wanted
    _wanted += 1
    try:
        yield
    finally:
        _wanted -= 1


def rotary_operator(x: Array, cos: Array, sin: Array, layout: Layout) -> Array | None:
    """``rotate`` by the operator, or None where it is not wanted or does not fit."""
    if not _wanted:
        return None
    torch = sys.modules["torch"]
    shared = cos.ndim < 3 or cos.shape[-3] == 1  # one turn for all heads
    narrow = is_narrow(x)
    fits = x.ndim == 4 and shared and (narrow or x.dtype == torch.float32)
    if not fits or not torch.onnx.is_in_onnx_export():
        return None
    each = (x.shape[0], x.shape[-2], cos.shape[-1])
    turns = [(t.squeeze(-3) if t.ndim > 2 else t).expand(each) for t in (cos, sin)]
    # The operator would round cos and sin to the width of x.
    wide = x.float() if narrow else x
    turned = torch.onnx.ops.rotary_embedding(wide, *turns, interleaved=layout == "interleaved")
    return turned.to(x.dtype)
