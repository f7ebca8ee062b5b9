"""Every row of the ledger of origins runs here: as a claim, a command or a picture."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from posenc import claims, figures
from posenc.claims import CHAPTERS
from posenc.cli._app import _COMMANDS

ROOT = Path(__file__).resolve().parents[2]
ROWS = {
    row_id: (what, runs)
    for row_id, what, runs in re.findall(
        r"^\| ([ABCDNW]\d+) \| (.+?) \| (.*?) \|$",
        (ROOT / "docs/origin.md").read_text("utf-8"),
        re.MULTILINE,
    )
}
COUNTS = {"A": 31, "B": 22, "C": 27, "D": 22, "N": 9, "W": 24}
IDS = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
STATED = {c.id: c for c in claims.all_claims()}


def references(row_id: str) -> list[str]:
    return re.findall(r"`([^`]+)`", ROWS[row_id][1])


@pytest.mark.parametrize("row_id", IDS)
def test_a_row_runs(row_id: str) -> None:
    found = references(row_id)
    assert found, f"{row_id} has neither claim, command nor picture"
    for reference in found:
        if reference.startswith("posenc "):
            words = shlex.split(reference)
            assert words[1] in _COMMANDS, reference
            if "--chapter" in words:
                assert 1 <= int(words[words.index("--chapter") + 1]) <= len(CHAPTERS)
        elif reference.startswith("figure "):
            assert reference.removeprefix("figure ") in figures.names(), reference
        else:
            assert reference in STATED, reference


def test_no_row_is_made_up() -> None:
    assert sorted(ROWS) == sorted(IDS)


def test_the_page_lists_every_claim_of_a_row() -> None:
    for claim in STATED.values():
        for source in claim.source:
            if re.fullmatch(r"[ABCDNW]\d+", source):
                assert source in IDS, (claim.id, source)
                assert claim.id in references(source), (claim.id, source)


@pytest.mark.parametrize("row_id", [i for i in IDS if i[0] == "W"])
def test_a_correction_has_a_claim(row_id: str) -> None:
    assert [r for r in references(row_id) if r in STATED]


@pytest.mark.parametrize("row_id", [i for i in IDS if i[0] == "N"])
def test_numbers_have_claims(row_id: str) -> None:
    assert [r for r in references(row_id) if r in STATED]
