"""A small module is a kindness to its reader."""

from pathlib import Path
from statistics import median

SOURCES = sorted((Path(__file__).parents[2] / "src" / "posenc").rglob("*.py"))
LENGTHS = {str(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}


def test_no_file_is_over_400_lines() -> None:
    assert LENGTHS, "no source file found"
    assert {path: lines for path, lines in LENGTHS.items() if lines > 400} == {}


def test_the_median_file_is_under_150_lines() -> None:
    assert median(LENGTHS.values()) < 150
