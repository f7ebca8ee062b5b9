"""The table of public reports is whole, and what it names exists."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TABLE: dict[str, dict[str, Any]] = tomllib.loads((HERE / "table.toml").read_text("utf-8"))

NUMBERS = (
    *range(1, 14),  # precision
    *range(14, 19),  # casts
    *(20, 22, 23, 24, 25, 26, 27, 28, 32, 33, 34),  # layouts
    *(35, 37, 38, 39, 43, 44, 45, 46),  # widths
    *(51, 53, 54, 55, 56, 59, 61, 62),  # caches
    *(63, 65, 66, 68, 70, 71),  # padding and packing
    *(75, 76, 77, 78, 81),  # buffers
    *(82, 83, 84, 85, 87, 88, 89),  # earlier calls
    *(129, 132, 133, 134, 135, 137, 138, 139),  # several axes
    *(140, 141, 144, 145, 146, 147, 148, 150, 151, 153),  # biases
    *range(155, 160),  # axes
    *(160, 163, 165, 166),  # ranges
    *(167, 169, 171, 172),  # strides
    *(173, 175, 176, 177),  # gradients
    *(179, 180, 181),  # devices
    *(182, 186, 187, 188, 189),  # compiled and exported code
    *(191, 192),  # fresh values
)
IDS = [f"B{number:02}" for number in NUMBERS]


@cache
def docstrings(path: Path) -> dict[str, str]:
    """What the tests of a file say of themselves, without importing it."""
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.name: ast.get_docstring(node) or ""
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_report_is_there_once_and_in_order() -> None:
    # TOML itself refuses a table that is there twice.
    assert list(TABLE) == IDS
    assert len(IDS) == len({*IDS}) == 108


@pytest.mark.parametrize("row_id", IDS)
def test_a_row(row_id: str) -> None:
    row = TABLE[row_id]
    assert {*row} in ({"kind", "reports", "test"}, {"kind", "reports", "why"})
    assert 2 <= len(row["kind"].split()) <= 12
    assert row["reports"]
    for report in row["reports"]:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", report), report
    if "why" in row:
        assert re.fullmatch(r"[^.]+\.", row["why"]), "one sentence"
        return
    path, _, name = row["test"].partition("::")
    tests = docstrings(ROOT / path)
    assert name in tests, f"{path} has no test {name}"
    if (ROOT / path).parent == HERE:
        assert row_id in re.findall(r"\bB\d+\b", tests[name]), "its docstring names no such report"


def test_no_docstring_names_a_report_that_is_not_there() -> None:
    named = {
        row_id
        for path in HERE.glob("test_*.py")
        for text in docstrings(path).values()
        for row_id in re.findall(r"\bB\d+\b", text)
    }
    assert named <= {*IDS}
