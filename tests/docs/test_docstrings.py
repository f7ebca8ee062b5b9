"""Every example in the sources gives what it says."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import posenc

SOURCE = Path(posenc.__file__).parent
STARTS = re.compile(r"^ *>>> ", re.MULTILINE)
TEXTS = {path: path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
SHOWING = {
    ".".join(("posenc", *path.relative_to(SOURCE).with_suffix("").parts)): len(STARTS.findall(text))
    for path, text in TEXTS.items()
    if STARTS.search(text)
}


@pytest.mark.parametrize("name", SHOWING)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name.removesuffix(".__init__"))
    tried = doctest.testmod(module)
    # As many as the file has: one outside of docstrings, or to be skipped, is run by nobody.
    ran = tried.attempted - getattr(tried, "skipped", 0)  # Python 3.13 counts those as well
    assert (tried.failed, ran) == (0, SHOWING[name])


def test_there_are_examples() -> None:
    assert sum(SHOWING.values()) > 40
