"""What the page is given: frequencies, rows to hold its own against, claims and words.

Vectors are float64, little-endian, in base64: the numbers themselves, not their digits.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from importlib.resources import files
from pathlib import PurePath
from typing import Any

import numpy as np

from posenc.claims import Claim, find
from posenc.claims._codes import sinusoid
from posenc.explorer._views import VIEWS
from posenc.specs._sinusoidal import Sinusoidal
from posenc.text import load

SCHEMA = 1
"""Counts up when what stood here before means something else."""

CODES: Mapping[str, Sinusoidal] = {
    f"sinusoid-{dim}": Sinusoidal(dim=dim) for dim in (16, 64, 128, 512)
}
"""Codes that the page makes from their frequencies."""

GOLDEN: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "sinusoid-64": ("sinusoid-64", (0, 1, 7, 12, 500, 1023, 70_001)),
}
"""Rows of codes at some positions, by name."""


def payload() -> dict[str, Any]:
    """Everything as plain JSON data."""
    claims = dict.fromkeys(claim for ids in VIEWS.values() for claim in ids)
    return {
        "schema": SCHEMA,
        "version": _version(),
        "codes": {name: _code(spec) for name, spec in CODES.items()},
        "golden": {name: _golden(*asked) for name, asked in GOLDEN.items()},
        "claims": [_stated(find(name)) for name in claims],
        "words": words(),
    }


def words() -> dict[str, dict[str, str]]:
    """Every sentence of the page: those of a view begin with its name, ``bars.title``."""
    said: dict[str, dict[str, str]] = {}
    for file in sorted(files("posenc.text").joinpath("explorer").iterdir(), key=str):
        name = PurePath(file.name).stem
        said |= {f"{name}.{key}": text for key, text in load(f"explorer/{name}").items()}
    return said


def encoded(numbers: Any) -> str:
    """A vector as the page reads it."""
    return base64.b64encode(np.ascontiguousarray(numbers, "<f8").tobytes()).decode("ascii")


def _code(spec: Sinusoidal) -> dict[str, Any]:
    return {"dim": spec.dim, "base": spec.base, "frequencies": encoded(spec.frequencies())}


def _golden(code: str, positions: tuple[int, ...]) -> dict[str, Any]:
    rows = sinusoid(list(positions), CODES[code].dim)
    return {"code": code, "positions": list(positions), "rows": encoded(rows)}


def _stated(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "statement": dict(claim.statement),
        "relation": claim.relation,
        "expected": claim.expected,
        "tolerance": claim.tolerance,
        "verdict": claim.verdict,
        "actual": claim.actual,
        "plain": claim.plain,
    }


def _version() -> str:
    from importlib.metadata import version

    return version("posenc")
