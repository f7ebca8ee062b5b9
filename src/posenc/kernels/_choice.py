"""Which body computes: a compiled loop on the CPU where Numba is installed, or the plain one.

``POSENC_KERNELS=plain`` in the environment keeps to the plain bodies, to compare them or look for
a fault.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from posenc._typing import Array
from posenc.errors import EncodingError, check


def plain() -> bool:
    """Whether plain bodies were asked for."""
    asked = os.environ.get("POSENC_KERNELS", "fast")
    check(asked in ("fast", "plain"), "POSENC_KERNELS", "'fast' or 'plain'", asked)
    return asked == "plain"


@cache
def compiled() -> bool:
    """Whether there are compiled loops to choose."""
    interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return not (interpreted or plain()) and sys.byteorder == "little" and _has_numba()


def _has_numba() -> bool:
    """Whether Numba is there for the NumPy that is: a release of it knows those before it alone."""
    if find_spec("numba") is None:
        return False
    try:
        import_module("numba")
    except ImportError:
        return False
    except Exception as error:  # what the environment asks of it cannot be
        reason = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
        hint = "Mend its settings, or set POSENC_KERNELS=plain."
        raise EncodingError(f"Numba must load; it raised {reason}. {hint}") from error
    return True


def in_memory(*arrays: Array) -> bool:
    """Whether all are plain NumPy arrays, or all plain tensors of the CPU that nothing watches.

    A compiler, a tracer, a transformation of functions and a subclass have to see the operations
    themselves, so they are given the plain body.
    """
    torch = sys.modules.get("torch")
    if torch is not None and torch.compiler.is_compiling():  # which could not follow the rest
        return False
    kinds = {type(a) for a in arrays}
    if kinds == {np.ndarray}:
        return all(a.dtype.isnative and a.flags.aligned for a in arrays)
    if torch is None or kinds != {torch.Tensor} or not unwatched(torch):
        return False
    for a in arrays:  # a generator takes twice as long, and every call comes by here
        if not a.is_cpu or a.layout is not torch.strided or a.is_neg() or a._is_zerotensor():
            return False
    return True


def unwatched(torch: object) -> bool:
    """Whether nobody traces or transforms the operations that follow."""
    inner = torch._C  # type: ignore[attr-defined]
    return not (
        torch.jit.is_tracing()  # type: ignore[attr-defined]
        or inner._len_torch_dispatch_stack()
        or torch._ops._len_torch_dispatch_stack_pre_dispatch()  # type: ignore[attr-defined]
        or inner._functorch.peek_interpreter_stack() is not None
        or torch.autograd.forward_ad._current_level >= 0  # type: ignore[attr-defined]
    )


def recorded(*arrays: Array) -> bool:
    """Whether autograd would record what is done to any of them."""
    if isinstance(arrays[0], np.ndarray):
        return False
    torch = sys.modules["torch"]
    return torch.is_grad_enabled() and any(a.requires_grad for a in arrays)
