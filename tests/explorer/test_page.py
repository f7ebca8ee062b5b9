"""The page as a file: what it is given, and what it can never do."""

from __future__ import annotations

import base64
import gzip
import re
from html import escape
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import posenc
from posenc import EncodingError, claims, explorer
from posenc.cli import main
from posenc.explorer._own_claims import OWN
from posenc.explorer._page import unpacked
from posenc.explorer._payload import words
from posenc.explorer.views.statements import ROWS
from posenc.text import LANGUAGES

PAGE = explorer.build()
WORDS = words()


def payload(page: str = PAGE) -> dict[str, Any]:
    """What the page is given, with words by language and key, but those that it shows anyway."""
    data = unpacked(page)[0]
    keys = data["words"].pop("keys")
    for tongue, texts in data["words"].items():
        named = zip(keys, texts, strict=True)
        data["words"][tongue] = {key: text for key, text in named if text is not None}
    return data


def vector(text: str) -> Any:
    return np.frombuffer(base64.b64decode(text), "<f8")


def frequencies(ladder: dict[str, Any]) -> Any:
    """As the script makes them: products, and units of the last place more."""
    if "frequencies" in ladder:
        return vector(ladder["frequencies"])
    off = np.cumsum(ladder["off"])
    made = [ladder["first"]]
    for _ in off[1:]:
        made.append(made[-1] * ladder["ratio"])
    return (np.array(made).view(np.int64) + off).view(np.float64)


def test_it_is_small() -> None:
    assert len(PAGE.encode()) <= 250_000
    assert len(gzip.compress(PAGE.encode())) <= 90_000


def test_nothing_can_be_fetched_or_sent() -> None:
    assert "default-src 'none'" in PAGE
    assert "connect-src" not in PAGE
    assert not re.search(r'(src|href)="(?!data:)|url\(|@import|https?://', PAGE)


@pytest.mark.parametrize("name", [n for n in payload()["ladders"] if n.startswith("paper-")])
def test_frequencies_are_those_of_the_definition(name: str) -> None:
    """To three units of the last place, worked out with thirty digits."""
    ladder = payload()["ladders"][name]
    got = frequencies(ladder)
    assert got.size == ladder["dim"] // 2
    with mpmath.workdps(30):
        base = mpmath.mpf(ladder["base"])
        due = [base ** (-mpmath.mpf(2 * i) / ladder["dim"]) for i in range(got.size)]
    np.testing.assert_allclose(got, [float(w) for w in due], rtol=6e-16)


def test_rows_are_sines_and_cosines() -> None:
    numbers = payload()["numbers"]
    positions = numbers["bars.positions"]["data"]
    rows = vector(numbers["bars.rows"]["data"]).reshape(numbers["bars.rows"]["shape"])
    with mpmath.workdps(30):
        for p, row in zip(positions, rows, strict=True):
            for i in range(32):
                angle = int(p) * mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / 64)
                assert abs(row[2 * i] - mpmath.sin(angle)) < 1e-12
                assert abs(row[2 * i + 1] - mpmath.cos(angle)) < 1e-12


def test_every_ladder_says_how_python_makes_it() -> None:
    """Its call gives these frequencies, for those of the textbook and those of a config."""
    given = explorer.build("rope-yarn", config="examples/qwen3-32b-yarn/config.json")
    ladders = payload(given)["ladders"]
    del ladders["slip"]  # a fault: every second one of its call
    for ladder in ladders.values():
        spec = eval(ladder["python"], {"posenc": posenc})
        got = frequencies(ladder)
        np.testing.assert_array_equal(got, spec.frequencies())


def test_claims_are_those_of_the_library_and_the_script_measures_each() -> None:
    data, (_, script) = payload(), unpacked(PAGE)
    given = {claim["id"]: claim for claim in data["claims"]}
    shown = {place for places in data["measured"].values() for place in places}
    assert shown == {*range(len(data["claims"]))}
    assert len(given) == len(data["claims"])
    for name, claim in given.items():
        assert f'"{name}"' in script
        if name.startswith("page."):
            continue
        stated = claims.find(name)
        said = {tongue: data["words"][tongue][f"claim:{name}"] for tongue in LANGUAGES}
        assert said == stated.statement
        assert (claim["expected"], claim["tolerance"]) == (stated.expected, stated.tolerance)
        assert (claim["verdict"], claim["actual"]) == (stated.verdict, stated.actual)
        assert claim["plain"] == stated.plain


def test_every_question_is_decided_by_a_claim_that_its_view_measures() -> None:
    data = payload()
    stated = {claim["id"]: claim for claim in data["claims"]}
    items = data["extra"]["recall"]["items"]
    assert 12 <= len(items) <= 16
    for item in items:
        measured = data["measured"][item["view"]]
        assert item["claim"] in [data["claims"][place]["id"] for place in measured]
        assert set(WORDS[f"recall.ask-{item['id']}"]) == set(LANGUAGES)
        claim = stated[item["claim"]]
        due = claim["expected"] if claim["actual"] is None else claim["actual"]
        if item["kind"] == "which":
            assert sum(low <= due < high for low, high in item["options"].values()) == 1
            for option in item["options"]:
                assert set(WORDS[f"recall.{item['id']}-{option}"]) == set(LANGUAGES)
        if item["kind"] == "among":
            assert due in item["options"]
            assert len(item["options"]) == 3
        if item["kind"] in ("slider", "number"):
            assert item["low"] <= due <= item["high"]


def test_every_view_has_its_words() -> None:
    for view in explorer.NAMES:
        for key in ("title", "question", "caption", "text", "deeper"):
            assert set(WORDS[f"{view}.{key}"]) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_are_in_the_page_once(language: Any) -> None:
    """Those of the pack, and titles and texts of the opening language in the page itself."""
    page = explorer.build(language=language)
    for tongue in LANGUAGES:
        given = payload(page)["words"][tongue]
        own = {key: text for key, text in given.items() if not key.startswith("claim:")}
        assert own.items() <= {key: text[tongue] for key, text in WORDS.items()}.items()
        missing = set(WORDS) - set(given)
        shown = {f"{view}.{key}" for view in explorer.NAMES for key in ("title", "text")}
        assert missing == (shown if tongue == language else set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_reads_without_a_script(language: Any) -> None:
    page = explorer.build(language=language)
    before = page.partition("<script")[0]
    for view in explorer.NAMES:
        for key in ("title", "text"):
            assert escape(WORDS[f"{view}.{key}"][language]) in before
    assert before.count("<svg") == len(explorer.NAMES)
    assert f'<html lang="{"zh-CN" if language == "zh" else "en"}">' in before
    assert payload(page)["start"] == {"lang": language}


def test_what_it_opens_with_cannot_end_the_script() -> None:
    page = explorer.build(start={"view": "</script><b>"})
    assert "</script><b>" not in page
    assert payload(page)["start"] == {"view": "</script><b>"}


def test_a_notebook_shows_it_in_a_frame_of_its_own() -> None:
    shown = explorer.show("bars", position=100, language="zh")
    assert payload(shown.page)["start"] == {"p": 100, "view": "bars", "embed": 1, "lang": "zh"}
    frame = shown._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    assert "<script" not in frame


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"view": "bar"}, r"view must be .* 'bars'"),
        ({"position": 1024}, "from 0 to 1023"),
        ({"position": True}, "from 0 to 1023"),
        ({"language": "fr"}, "language must be"),
    ],
)
def test_what_there_is_not_is_refused(wrong: Any, sentence: str) -> None:
    with pytest.raises(EncodingError, match=sentence):
        explorer.show(**wrong)


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "page.html"
    assert main(["explore", "-o", str(out), "--lang", "zh"]) == 0
    assert out.read_text("utf-8") == explorer.build(language="zh")
    assert str(out) in capsys.readouterr().out.replace("\n", "")
    assert main(["explore", "-o", str(tmp_path)]) == 2
    assert "It is a folder." in capsys.readouterr().err


def test_every_row_of_the_ledger_of_statements_is_asked() -> None:
    """W1 to W24, each decided by a claim that was made of it."""
    assert [*ROWS] == [f"W{i}" for i in range(1, 25)]
    data = payload()
    stated = {claim["id"]: claim["verdict"] for claim in data["claims"]}
    for row, (claim, view, truth) in ROWS.items():
        assert row in claims.find(claim).source
        assert view in explorer.NAMES
        assert not truth or stated[truth] != "false"
        condition = stated[claim] == "only if"
        assert (f"statements.loose-{row[1:]}" in data["words"]["en"]) == condition
        assert (truth == claim) == condition


@pytest.mark.parametrize("claim", OWN.values(), ids=OWN)
def test_what_the_page_claims_of_itself_is_true_without_it(claim: claims.Claim) -> None:
    assert claims.prove(claim).ok
    scope: dict[str, Any] = {"np": np}
    exec(claim.plain, scope)
    assert claim.holds_for(scope["value"])
