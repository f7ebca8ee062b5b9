"""Every example in a docstring gives what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import posenc

MODULES = [m.name for m in pkgutil.walk_packages(posenc.__path__, "posenc.") if m.name[-2:] != "__"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(importlib.import_module(name), optionflags=flags).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = sum(len(t.examples) for n in MODULES for t in finder.find(importlib.import_module(n)))
    assert found > 40
