"""Parts of libraries whose packages cannot be imported whole here."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def timm_layers() -> Any:
    """``timm.layers.pos_embed_sincos``, without timm's own start, which wants torchvision."""
    found = importlib.util.find_spec("timm")
    assert found is not None
    assert found.origin is not None
    root = Path(found.origin).parent
    for name, folder in (("timm", root), ("timm.layers", root / "layers")):
        if name not in sys.modules:
            stub = types.ModuleType(name)
            stub.__path__ = [str(folder)]
            sys.modules[name] = stub
    return importlib.import_module("timm.layers.pos_embed_sincos")
