"""What the tests against installed libraries share."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def timm_layer() -> Iterator[Callable[[str], ModuleType]]:
    """A module of ``timm.layers`` by its name.

    timm's own ``__init__`` needs torchvision, its layers do not: empty packages stand in for it.
    """
    found = importlib.util.find_spec("timm")
    assert found is not None
    assert found.submodule_search_locations
    home = found.submodule_search_locations[0]
    for name, folder in (("timm", home), ("timm.layers", f"{home}/layers")):
        package = ModuleType(name)
        package.__path__ = [folder]
        package.__spec__ = ModuleSpec(name, None, is_package=True)
        sys.modules[name] = package
    yield lambda name: importlib.import_module(f"timm.layers.{name}")
    for name in [n for n in sys.modules if n.partition(".")[0] == "timm"]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def timm_layers(timm_layer: Callable[[str], ModuleType]) -> ModuleType:
    """``timm.layers.pos_embed_sincos``."""
    return timm_layer("pos_embed_sincos")
