"""One version number: pyproject.toml's, which the rest must repeat."""

import re
import tomllib
from pathlib import Path

import posenc

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def first_match(pattern: str, name: str) -> str | None:
    found = re.search(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
    return found and found[1]


def test_the_installed_package_has_it() -> None:
    assert posenc.__version__ == VERSION


def test_the_changelog_starts_with_it() -> None:
    assert first_match(r"^## \[([^\]]+)\]", "CHANGELOG.md") == VERSION


def test_the_citation_names_it() -> None:
    assert first_match(r"^version: (\S+)$", "CITATION.cff") == VERSION
