"""Laws, strategies and golden numbers to hold an encoding to: ours, or your own.

    >>> import posenc
    >>> posenc.testing.check_encoding(posenc.Rope(dim=10, layout="half"))[:2]
    ('shape-kept', 'dtype-kept')

``posenc.testing.laws`` holds the laws, ``strategies`` draws specs and positions for Hypothesis,
``golden`` reads numbers from an independent oracle, ``parametrize`` runs the laws under pytest.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from posenc.testing._case import cells
from posenc.testing._compare import LawError
from posenc.testing._suite import check_encoding, parametrize

if TYPE_CHECKING:
    from posenc.testing import golden, laws, strategies

__all__ = ["LawError", "cells", "check_encoding", "golden", "laws", "parametrize", "strategies"]


def __getattr__(name: str) -> Any:
    if name in ("golden", "laws", "strategies"):  # Hypothesis is needed for the last alone
        return importlib.import_module(f"posenc.testing.{name}")
    raise AttributeError(f"module 'posenc.testing' has no attribute {name!r}")
