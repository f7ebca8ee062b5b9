"""Which specs at which inputs: one module for each file of numbers, of the same name."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator

from oracle.exact import Data


def _files() -> dict[str, Callable[[], Iterator[Data]]]:
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = {name: importlib.import_module(f"oracle.cases.{name}") for name in names}
    return {f"{name}.json": module.cases for name, module in modules.items()}


FILES = _files()
"""The cases of each file, by its name."""
