"""What the page is given: frequencies, other numbers, claims and words.

Arrays are little-endian in base64, float64 or, where whole and small, int16: the numbers
themselves, not their digits.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import PurePath
from typing import Any

import numpy as np

from posenc.claims import CHAPTERS, Claim
from posenc.explorer import _ladders
from posenc.explorer._given import Given
from posenc.explorer._own_claims import stated
from posenc.explorer._view import GROUPS, NAMES, View, view
from posenc.text import load

SCHEMA = 2
"""Counts up when what stood here before means something else."""


def payload(given: Given | None = None) -> dict[str, Any]:
    """Everything as plain JSON data.

    Args:
        given: What this page shows beside the textbook; None: nothing.
    """
    extra = given or Given()
    views = {name: view(name) for name in NAMES}
    groups = {group: [*names] for group, names in GROUPS.items()}
    measured = {name: each.claims for name, each in views.items()}
    if extra.names:
        groups = {"given": ["given"]} | groups
        measured["given"] = tuple(each.id for each in extra.claims)
    stated = [*claims(views.values()), *extra.claims]
    places = {claim.id: i for i, claim in enumerate(stated)}
    ladders = _ladders.in_the_bar() | dict(extra.ladders)
    numbers: dict[str, Any] = dict(extra.numbers)
    for each in views.values():
        ladders |= each.ladders
        numbers |= each.numbers()
    return {
        "schema": SCHEMA,
        "version": _version(),
        "groups": groups,
        "chapters": {
            name: CHAPTERS.index(each.chapter) + 1 for name, each in views.items() if each.chapter
        },
        "measured": {name: [places[claim] for claim in ids] for name, ids in measured.items()},
        "given": [list(each) for each in zip(extra.names, extra.python, strict=True)],
        "schemes": [*_ladders.SCHEMES, *extra.ladders],
        "dims": [*_ladders.DIMS],
        "bases": [*_ladders.BASES],
        "ladders": {name: _ladder(each) for name, each in ladders.items()},
        "extra": {name: dict(made) for name, each in views.items() if (made := each.extra())},
        "numbers": {name: _array(each) for name, each in numbers.items()},
        "claims": [_claim(each) for each in stated],
        "words": words() | dict(extra.words) | {f"claim:{c.id}": c.statement for c in stated},
    }


def claims(views: Iterable[View]) -> list[Claim]:
    """Those that the script measures, each once."""
    return [stated(name) for name in dict.fromkeys(name for each in views for name in each.claims)]


def words() -> dict[str, dict[str, str]]:
    """Every sentence of the page: those of a view begin with its name, ``bars.title``."""
    said: dict[str, dict[str, str]] = {}
    for file in sorted(files("posenc.text").joinpath("explorer").iterdir(), key=str):
        name = PurePath(file.name).stem
        said |= {f"{name}.{key}": text for key, text in load(f"explorer/{name}").items()}
    return said


def _ladder(ladder: _ladders.Ladder) -> dict[str, Any]:
    found = np.asarray(ladder.frequencies, np.float64)
    return {**(_steps(found) or _whole(found)), "python": ladder.python, **ladder.facts}


def _whole(found: Any) -> dict[str, Any]:
    return {"frequencies": _encoded(found)}


def _steps(found: Any) -> dict[str, Any] | None:
    """A ladder whose steps are alike: the first, the ratio, and how far products of these are off.

    Products of float64 numbers are the same everywhere, so that a few units of the last place
    each give the frequencies to the last bit, in an eighth of the room.
    """
    if found.size < 8 or not (found > 0).all():
        return None
    ratio = float((found[-1] / found[0]) ** (1 / (found.size - 1)))
    made = [float(found[0])]
    for _ in found[1:]:
        made.append(made[-1] * ratio)
    off = found.view(np.int64) - np.array(made).view(np.int64)
    if np.abs(off).max() >= 2**15:
        return None
    return {
        "first": float(found[0]),
        "ratio": ratio,
        "off": np.diff(off, prepend=0).tolist(),
    }


def _array(numbers: Any) -> dict[str, Any]:
    """Whole numbers as they are, which packs well; others to the last bit."""
    array = np.asarray(numbers)
    whole = array.dtype.kind in "iub"
    return {"shape": [*array.shape], "data": array.ravel().tolist() if whole else _encoded(array)}


def _encoded(array: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array, "<f8").tobytes()).decode("ascii")


def _claim(claim: Claim) -> Mapping[str, Any]:
    return {
        "id": claim.id,
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
