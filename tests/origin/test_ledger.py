"""Every row of the ledger of origins runs here: as a claim, a command or a picture."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from posenc import claims, figures
from posenc.claims import Claim
from posenc.cli import main

ROOT = Path(__file__).resolve().parents[2]
ROWS = {
    row_id: re.findall(r"`([^`]+)`", runs)
    for row_id, runs in re.findall(
        r"^\| ([ABCDNW]\d+) \| .+? \| (.*?) \|$",
        (ROOT / "docs/origin.md").read_text("utf-8"),
        re.MULTILINE,
    )
}
COUNTS = {"A": 31, "B": 22, "C": 27, "D": 22, "N": 9, "W": 24}
IDS = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
STATED = {c.id: c for c in claims.all_claims()}
COMMANDS = sorted({r for runs in ROWS.values() for r in runs if r.startswith("posenc ")})
PICTURES = {
    r.removeprefix("figure ") for runs in ROWS.values() for r in runs if r.startswith("figure ")
}

COMMAND_ONLY = {
    *("A21", "A30"),  # what others found by training models
    *("A27", "A28", "A31", "B22", "D20"),  # exercises, literature, what to read next
    *("B2", "B3", "D14", "D19"),  # the claims as a whole: in NumPy alone, in two languages
    *("B21", "D21", "D22"),  # one part of the tour by itself
    "D8",  # what the tour does without matplotlib
}
"""Rows that state no number, so that a command answers them; any other row needs a claim."""

PICTURE_ONLY = {"D7"}

SOURCES = (
    r"arXiv:\d{4}\.\d{5}",
    r"[\w.-]+/[\w.-]+#\d+",  # an issue or pull request on GitHub
    r"transformers-5\.24",  # numbers printed by that release
)


@pytest.mark.parametrize("row_id", IDS)
def test_a_row_runs(row_id: str) -> None:
    assert ROWS[row_id], f"{row_id} has neither claim, command nor picture"
    for reference in ROWS[row_id]:
        known = reference in STATED or reference in COMMANDS
        assert known or reference.removeprefix("figure ") in figures.names(), reference


def test_no_row_is_made_up() -> None:
    assert sorted(ROWS) == sorted(IDS)


def test_a_row_without_a_claim_is_a_decision() -> None:
    without = {row_id for row_id, runs in ROWS.items() if not STATED.keys() & set(runs)}
    assert without == COMMAND_ONLY | PICTURE_ONLY
    assert {i for i in without if set(ROWS[i]) & set(COMMANDS)} == COMMAND_ONLY


@pytest.mark.parametrize("claim", STATED.values(), ids=STATED)
def test_a_claim_says_where_it_is_from(claim: Claim) -> None:
    assert claim.source
    for source in claim.source:
        if source in ROWS:
            assert claim.id in ROWS[source], f"the row {source} does not list it"
        elif source.startswith("docs/"):
            assert (ROOT / f"{source}.md").is_file()
        else:
            assert any(re.fullmatch(form, source) for form in SOURCES), source


def test_a_row_lists_only_claims_that_name_it() -> None:
    for row_id, runs in ROWS.items():
        assert [r for r in runs if r in STATED and row_id not in STATED[r].source] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    words = shlex.split(command)[1:]
    if "--out" in words:
        words[words.index("--out") + 1] = str(tmp_path)
    assert main(words) == 0, capsys.readouterr().err
    assert capsys.readouterr().out
    if "--out" in words:
        assert {path.name.partition(".")[0] for path in tmp_path.iterdir()} >= PICTURES
