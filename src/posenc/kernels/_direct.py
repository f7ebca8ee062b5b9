"""One token at a time: a rotation whose checks were made before, for arrays of the same form.

A decoding step turns a few thousand numbers, which takes less time than to look at its arguments.
All layers of a step share what was prepared for it, and their queries have the same form: for them
everything but two addresses is known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array, Layout
from posenc.kernels._arrangement import arrangement
from posenc.kernels._choice import compiled, in_memory, recorded
from posenc.kernels._memory import address

SMALL = 1 << 16
"""Bytes up to which a step is direct; of more the checks are a small part."""

Direct = Callable[[Any], Any]


def direct(x: Array, cos: Array, sin: Array, *, layout: Layout, start: int = 0) -> Direct | None:
    """A function from arrays of the form of ``x`` to turned ones; None where no loop fits.

    The function looks at nothing but whether someone else has to see what is done to a tensor:
    autograd, a compiler, a tracer, a transformation. Then it answers None.
    """
    if not (in_memory(x, cos, sin) and compiled()):
        return None
    if isinstance(x, np.ndarray):
        return _of_numpy(x, cos, sin, layout=layout, start=start)
    torch = sys.modules["torch"]
    wide = torch.float64 if x.dtype is torch.float64 else torch.float32
    if x.numel() * x.itemsize > SMALL or cos.dtype is not wide or recorded(cos, sin):
        return None
    plan = arrangement(x, cos, sin, layout=layout, start=start)
    if plan is None:
        return None
    loop, form, pieces, _ = plan
    told = address(form)
    shape = tuple(x.shape)
    half = x.dtype if x.itemsize == 2 else None
    stored = np.dtype(np.int16 if half else dtype_name(x))
    empty, tensor = np.empty, torch.from_numpy  # in this order half the time of torch.empty
    recording, compiling = torch.is_grad_enabled, torch.compiler.is_compiling
    dispatching, tracing = torch._C._len_torch_dispatch_stack, torch._C._is_tracing
    before = torch._ops._len_torch_dispatch_stack_pre_dispatch
    transforming, forward = torch._C._functorch.peek_interpreter_stack, torch.autograd.forward_ad

    def turned(x: Any, held: Any = plan) -> Any:  # what it holds lives as long as the addresses
        if (
            (x.requires_grad and recording())
            or x.is_neg()
            or x._is_zerotensor()
            or compiling()
            or dispatching()
            or before()
            or tracing()
            or transforming() is not None
            or forward._current_level >= 0
        ):
            return None
        out = tensor(empty(shape, stored))
        loop(x.data_ptr(), out.data_ptr(), told, 0, pieces)
        return out.view(half) if half else out

    return turned


def _of_numpy(x: Array, cos: Array, sin: Array, *, layout: Layout, start: int) -> Direct | None:
    if x.nbytes > SMALL or cos.dtype != (np.float64 if x.dtype == np.float64 else np.float32):
        return None
    plan = arrangement(x, cos, sin, layout=layout, start=start)
    if plan is None:
        return None
    loop, form, pieces, _ = plan
    told, shape, kind, empty = address(form), x.shape, x.dtype, np.empty

    def turned(x: Any, held: Any = plan) -> Any:
        out = empty(shape, kind)
        loop(address(x), address(out), told, 0, pieces)
        return out

    return turned
