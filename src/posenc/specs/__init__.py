"""Every encoding as plain, frozen data; one file per family, loaded on first use.

Besides our own, what other packages need to write theirs: ``Spec``, fields that carry their
rules (``width``, ``whole``, ``number``, ``choice``, ``flag``), and ``scheme_of``.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "NoPE": "_none",
    "Integer": "_naive",
    "NormalizedInteger": "_naive",
    "Binary": "_naive",
    "Gray": "_naive",
    "OneHot": "_naive",
    "RandomDirections": "_learned",
    "Sinusoidal": "_sinusoidal",
    "Learned": "_learned",
    "Rope": "_rope",
    "OneAxis": "_axes",
    "Alibi": "_alibi",
    "T5Bias": "_t5",
    "Unscaled": "_scaling",
    "Linear": "_scaling",
    "Ntk": "_scaling",
    "DynamicNtk": "_scaling",
    "Llama3": "_scaling",
    "Proportional": "_scaling",
    "Yarn": "_longer",
    "LongRope": "_longer",
    "Stack": "_stack",
    "Spec": "_record",
    "Scaling": "_scaling",
    "from_dict": "_codec",
    "choice": "_fields",
    "field": "_fields",
    "flag": "_fields",
    "number": "_fields",
    "whole": "_fields",
    "width": "_fields",
}

__all__ = sorted([*_HOME, "scheme_of"])


def __getattr__(name: str) -> Any:
    if name == "scheme_of":
        return importlib.import_module("posenc._hooks").scheme_of
    if name not in _HOME:
        raise AttributeError(f"module 'posenc.specs' has no attribute {name!r}")
    return getattr(importlib.import_module(f"posenc.specs.{_HOME[name]}"), name)


def load_all() -> None:
    """Import every family, so that all record classes exist."""
    for home in set(_HOME.values()):
        importlib.import_module(f"posenc.specs.{home}")


def record_classes() -> list[Any]:
    """Our own record classes, whatever others are called."""
    found = (__getattr__(name) for name in _HOME)
    return [cls for cls in found if isinstance(cls, type) and "__dataclass_fields__" in vars(cls)]
