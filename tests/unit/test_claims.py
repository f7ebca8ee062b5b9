"""Claims as data: two languages, short plain lines, values that agree with their verdicts."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

from posenc import claims
from posenc.claims import CHAPTERS, Claim
from posenc.claims._chapter import PARTS, Part
from posenc.claims.laws import claims_by_law
from posenc.errors import EncodingError
from posenc.specs import Sinusoidal
from posenc.text import LANGUAGES, load

ALL = claims.all_claims()
IDS = [c.id for c in ALL]


@pytest.mark.parametrize("claim", ALL, ids=IDS)
def test_claim(claim: Claim) -> None:
    result = claims.prove(claim)
    assert result.ok, (result.value, claim.expected, claim.actual, result.error)


@pytest.mark.parametrize("claim", ALL, ids=IDS)
def test_plain_lines_are_few_and_import_nothing_of_ours(claim: Claim) -> None:
    lines = claim.plain.splitlines()
    assert 1 <= len(lines) <= 8
    assert max(map(len, lines)) <= 100
    assert "posenc" not in claim.plain
    assert ";" not in claim.plain
    assert re.search(r"\bvalue\b.*=", claim.plain)


@pytest.mark.parametrize("claim", ALL, ids=IDS)
def test_plain_lines_agree(claim: Claim) -> None:
    import math

    import numpy as np

    space = {"np": np, "math": math}
    body = "\n".join(f"    {line}" for line in claim.plain.splitlines())
    exec(f"def run():\n{body}\n    return value\n", space)
    value = float(space["run"]())
    assert claim.holds_for(value) == (claim.verdict != "false"), value
    if claim.actual is not None:
        assert abs(value - claim.actual) <= claim.tolerance


@pytest.mark.parametrize("claim", ALL, ids=IDS)
def test_two_languages(claim: Claim) -> None:
    for lang in LANGUAGES:
        assert claim.statement[lang].strip()
    assert re.search(r"[\u4e00-\u9fff]", claim.statement["zh"])
    chinese = re.findall(r"[\u4e00-\u9fff]", claim.statement["en"])
    assert len(chinese) < len(claim.statement["en"]) / 8  # at most a word that is quoted


def test_a_false_statement_says_what_is_true() -> None:
    for claim in ALL:
        assert (claim.actual is not None) == (claim.verdict == "false"), claim.id


def test_the_twelve_chapters_are_all_there() -> None:
    assert len(CHAPTERS) == 12
    for number, name in enumerate(CHAPTERS, 1):
        stated = claims.chapter(number)
        assert stated, name
        assert {c.id.partition(".")[0] for c in stated} == {name}
        assert set(load(f"claims/{name}")) == {c.id.partition(".")[2] for c in stated}


def test_every_file_that_states_claims_is_read_once() -> None:
    listed = [name for names in PARTS.values() for name in names]
    files = {found.name for found in pkgutil.iter_modules(claims.__path__)}
    modules = {name: importlib.import_module(f"posenc.claims.{name}") for name in files}
    assert sorted(listed) == sorted(n for n, m in modules.items() if hasattr(m, "part"))
    for chapter, names in PARTS.items():
        assert {modules[name].part.name for name in names} == {chapter}


def test_an_id_is_stated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Part("learned")
    twice.claim("fits", equal=1, plain="value = 1")(lambda: 1.0)
    monkeypatch.setattr("posenc.claims.learned.part", [*claims.chapter(6), *twice])
    with pytest.raises(EncodingError, match=r"Claim ids must be unique; got 'learned\.fits'\."):
        claims.chapter(6)


def test_a_law_belongs_to_no_chapter() -> None:
    stated = claims_by_law(Sinusoidal(dim=8))
    assert stated
    assert {c.chapter for c in stated} == {0}


def test_an_error_is_a_result_not_a_traceback() -> None:
    claim = claims.find("sinusoid.norm")
    broken = Claim(**{**vars(claim), "compute": lambda: 1 / 0})
    result = claims.prove(broken)
    assert not result.ok
    assert result.error == "ZeroDivisionError: division by zero"
    assert result.to_dict()["value"] is None


def test_find_suggests() -> None:
    with pytest.raises(EncodingError, match=r"Did you mean 'sinusoid\.norm'\?"):
        claims.find("sinusoid.nrom")
