"""The array libraries that laws are tried in, behind the few words that laws need."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc import _arrays
from posenc._typing import Array, Namespace
from posenc.errors import check

HALVES = {"float16": 2.0**-11, "bfloat16": 2.0**-8}
"""Half-precision dtypes, and the largest relative error of rounding to them."""

_DTYPES = (*HALVES, "float32", "float64")


@dataclass(frozen=True)
class Library:
    """One array library; ``frozen`` if it hands out arrays that cannot be written."""

    name: str
    xp: Namespace
    frozen: bool = False

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The floating-point dtypes that it has."""
        wide = _arrays.has_int64(self.xp)  # JAX as it comes names float64 and has none
        return tuple(n for n in _DTYPES if hasattr(self.xp, n) and (wide or n != "float64"))

    @property
    def halves(self) -> tuple[str, ...]:
        """The half-precision ones among them."""
        return tuple(name for name in self.dtypes if name in HALVES)

    @property
    def integer(self) -> str:
        """The widest integer dtype."""
        return "int64" if _arrays.has_int64(self.xp) else "int32"

    def array(self, values: Any, dtype: str) -> Array:
        """A fresh array of the library, its own copy of ``values``."""
        made = self.xp.asarray(np.array(values), dtype=getattr(self.xp, dtype))
        if self.frozen:
            made.setflags(write=False)
        return made

    @property
    def compiles(self) -> bool:
        """Whether the library can compile functions of arrays."""
        return _arrays.is_jax(self.xp) or "torch" in self.xp.__name__

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, compiled as one graph.

        PyTorch traces the whole function and runs the graph without generating code, which takes
        a C++ compiler and seconds. Graphs compiled before are dropped: those of other encodings
        would count towards the number that one code may have.
        """
        check(self.compiles, "compiled(): library", "one that compiles", self.name)
        if _arrays.is_jax(self.xp):
            return importlib.import_module("jax").jit(function)  # type: ignore[no-any-return]
        torch = importlib.import_module("torch")
        torch.compiler.reset()
        return torch.compile(function, fullgraph=True, backend="aot_eager")  # type: ignore[no-any-return]


def library(xp: Namespace | str | Library) -> Library:
    """The library that is meant by a name, a module or itself.

    Args:
        xp: An array namespace, or "numpy", "numpy-readonly", "torch", "jax" or
            "array-api-strict".
    """
    if isinstance(xp, Library):
        return xp
    if xp == "numpy-readonly":
        return Library("numpy-readonly", np, frozen=True)
    if xp == "array-api-strict":
        return Library("array-api-strict", importlib.import_module("array_api_strict"))
    space = _arrays.library(xp)
    return Library(xp if isinstance(xp, str) else xp.__name__, space)
