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

_MODULES = (
    "claims",
    "explorer",
    "figures",
    "inspect",
    "kernels",
    "positions",
    "properties",
    "registry",
    "resize",
    "testing",
)

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
}

if TYPE_CHECKING:
    from posenc import claims as claims
    from posenc import explorer as explorer
    from posenc import figures as figures
    from posenc import inspect as inspect
    from posenc import kernels as kernels
    from posenc import positions as positions
    from posenc import properties as properties
    from posenc import registry as registry
    from posenc import resize as resize
    from posenc import testing as testing
    from posenc._facade import bind as bind
    from posenc._facade import rotate as rotate
    from posenc._facade import tables as tables
    from posenc.attention import attend as attend
    from posenc.errors import EncodingError as EncodingError
    from posenc.registry import encodings as encodings
    from posenc.scheme import Placed as Placed
    from posenc.scheme import Scheme as Scheme
    from posenc.scheme import combine as combine
    from posenc.specs import *  # noqa: F403
    from posenc.specs import from_dict as from_dict

    __version__: str


def __getattr__(name: str) -> Any:
    if name in _MODULES or name in ("jax", "torch"):  # not in __all__: a star must not load them
        return importlib.import_module(f"posenc.{name}")
    if name in _HOME:  # and from now on it is found without asking
        found = globals()[name] = getattr(importlib.import_module(f"posenc.{_HOME[name]}"), name)
        return found
    if name == "__version__":
        from importlib.metadata import version

        return version("posenc")
    if name == "__all__":
        return __dir__()
    if not name.startswith("_"):  # an encoding, or a record that one is made of
        specs = importlib.import_module("posenc.specs")
        if name in specs.__all__:
            return getattr(specs, name)
    raise AttributeError(f"module 'posenc' has no attribute {name!r}")


def __dir__() -> list[str]:
    specs = importlib.import_module("posenc.specs")
    return sorted([*_MODULES, *_HOME, *specs.__all__, "__version__"])
