"""Every entry of the registry, made for one small layer: inputs that `tools/entries.py` wrote."""

import json
from collections.abc import Iterator
from pathlib import Path

from oracle.answers import ABOUT, GIVEN, answers
from oracle.exact import Data
from oracle.spread import spread

PATH = Path(__file__).resolve().parents[3] / "golden" / "entries.json"


def cases() -> Iterator[Data]:
    """The same cases with the numbers that are due, whatever stands in their place."""
    for case in json.loads(PATH.read_text("utf-8"))["cases"]:
        rules = case.get("arrays", {})
        whole = {**case, "arrays": {name: spread(rule) for name, rule in rules.items()}}
        yield case | answers(whole, [name for name in case if name not in ABOUT | GIVEN])
