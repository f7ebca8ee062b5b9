"""Everything that is true about positions in Transformers, as claims that run.

One pipeline: positions -> spec -> scheme -> attention. A spec describes an encoding as plain
data, a scheme is what it does to an attention layer, over NumPy, PyTorch or JAX.

    >>> import numpy as np, posenc
    >>> rope = posenc.Rope(dim=8, layout="half")
    >>> cos, sin = posenc.tables(rope, np.arange(4))

Importing this needs NumPy alone; everything else is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_MODULES = ("claims", "figures", "inspect", "positions", "properties", "testing")

_HOME = {
    "bind": "_facade",
    "rotate": "_facade",
    "tables": "_facade",
    "attend": "attention",
    "combine": "scheme",
    "Placed": "scheme",
    "Scheme": "scheme",
    "encodings": "registry",
    "EncodingError": "errors",
    "from_dict": "specs",
    **dict.fromkeys(
        (
            "Alibi",
            "Binary",
            "DynamicNtk",
            "Gray",
            "Integer",
            "Learned",
            "Linear",
            "Llama3",
            "LongRope",
            "NoPE",
            "NormalizedInteger",
            "Ntk",
            "OneAxis",
            "OneHot",
            "Proportional",
            "RandomDirections",
            "Rope",
            "Sinusoidal",
            "Stack",
            "T5Bias",
            "Unscaled",
            "Yarn",
        ),
        "specs",
    ),
}

__all__ = [
    "Alibi",
    "Binary",
    "DynamicNtk",
    "EncodingError",
    "Gray",
    "Integer",
    "Learned",
    "Linear",
    "Llama3",
    "LongRope",
    "NoPE",
    "NormalizedInteger",
    "Ntk",
    "OneAxis",
    "OneHot",
    "Placed",
    "Proportional",
    "RandomDirections",
    "Rope",
    "Scheme",
    "Sinusoidal",
    "Stack",
    "T5Bias",
    "Unscaled",
    "Yarn",
    "__version__",
    "attend",
    "bind",
    "claims",
    "combine",
    "encodings",
    "figures",
    "from_dict",
    "inspect",
    "positions",
    "properties",
    "rotate",
    "tables",
    "testing",
]

if TYPE_CHECKING:
    from posenc import claims, figures, inspect, positions, properties, testing
    from posenc._facade import bind, rotate, tables
    from posenc.attention import attend
    from posenc.errors import EncodingError
    from posenc.registry import encodings
    from posenc.scheme import Placed, Scheme, combine
    from posenc.specs._alibi import Alibi
    from posenc.specs._axes import OneAxis
    from posenc.specs._codec import from_dict
    from posenc.specs._learned import Learned, RandomDirections
    from posenc.specs._longer import LongRope, Yarn
    from posenc.specs._naive import (
        Binary,
        Gray,
        Integer,
        NormalizedInteger,
        OneHot,
    )
    from posenc.specs._none import NoPE
    from posenc.specs._rope import Rope
    from posenc.specs._scaling import DynamicNtk, Linear, Llama3, Ntk, Proportional, Unscaled
    from posenc.specs._sinusoidal import Sinusoidal
    from posenc.specs._stack import Stack
    from posenc.specs._t5 import T5Bias

    __version__: str


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"posenc.{name}")
    if name in _HOME:
        return getattr(importlib.import_module(f"posenc.{_HOME[name]}"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("posenc")
    raise AttributeError(f"module 'posenc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
