"""A small module is a kindness to its reader."""

from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[2]


def lengths(folder: str) -> dict[str, int]:
    return {
        path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in (ROOT / folder).rglob("*.py")
    }


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "examples", "scripts"])
def test_no_file_is_over_400_lines(folder: str) -> None:
    found = lengths(folder)
    assert found, "no source file found"
    assert {path for path, lines in found.items() if lines > 400} == set()


def test_the_median_file_is_under_150_lines() -> None:
    assert median(lengths("src").values()) < 150
