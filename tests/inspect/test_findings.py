"""Every finding: its code, severity, place and whole sentences."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import posenc.inspect
from posenc.inspect import CODES, Finding, read

from .found import conflicts, failures, lengths, unread
from .found.finding import LLAMA, NEOX, YARN, Told, found, scaled, without

FOUND = [
    found(LLAMA),
    found(NEOX),
    *unread.FOUND,
    *conflicts.FOUND,
    *lengths.FOUND,
    *failures.FOUND,
]


@pytest.mark.parametrize(("config", "wanted"), FOUND)
def test_findings(config: dict[str, Any], wanted: tuple[Told, ...]) -> None:
    told = [(f"{f.code} {f.severity} {f.where}", f.message, f.hint) for f in read(config).findings]
    assert sorted(told) == sorted(wanted)


def test_the_worst_comes_first() -> None:
    config = {**scaled(**YARN, wibble=1), "rotary_base": 1e4}
    order = ["error", "warning", "note"]
    severities = [finding.severity for finding in read(config).findings]
    assert severities == sorted(severities, key=order.index)
    assert set(severities) == set(order)


def test_a_finding_is_plain_data() -> None:
    (finding,) = read(without("rope_theta")).findings
    assert finding == Finding(**finding.to_dict())
    assert list(finding.to_dict()) == ["code", "severity", "where", "message", "hint"]


def test_an_unread_key_that_is_very_long_or_no_text() -> None:
    block = {"rope_type": "linear", "factor": 2, "k" * 5000: 1, 7: 1}
    findings = read({**LLAMA, "rope_scaling": block}).findings
    assert [finding.code for finding in findings] == ["PE102", "PE102"]
    assert all(len(finding.message) < 200 for finding in findings)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_explained_in_both_languages(code: str) -> None:
    entry = CODES[code]
    assert entry.severity in ("error", "warning", "note")
    for text in (entry.title, entry.explanation):
        assert list(text) == ["en", "zh"]
        assert text["en"].isascii()
        assert not text["zh"].isascii()
    assert entry.explanation["en"].endswith(".")
    assert entry.explanation["zh"].endswith("。")
    assert not entry.title["en"].endswith(".")


def test_every_code_is_produced_and_every_produced_code_has_an_entry() -> None:
    files = Path(posenc.inspect.__file__).parent.glob("*.py")
    words = {
        node.value
        for file in files
        if file.name != "_codes.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {word for word in words if word.startswith("PE") and len(word) == 5} == set(CODES)


@pytest.mark.parametrize(("config", "wanted"), FOUND)
def test_findings_are_told_in_chinese(config: dict[str, Any], wanted: tuple[Told, ...]) -> None:
    for finding in read(config).findings:
        for text in finding.told["zh"]:
            assert re.search(r"[\u3400-\u9fff]", text)
            assert text.endswith("。")
            assert "the default" not in text
