"""``posenc bench``: every case runs, the JSON has its shape, refusals are one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from posenc.bench import CASES
from posenc.cli import main


@pytest.fixture(scope="module")
def tried() -> dict[str, Any]:
    """Every case on tiny sizes, once for all tests here."""
    command = [sys.executable, "-m", "posenc", "bench", "--smoke", "--json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_case_runs(tried: dict[str, Any]) -> None:
    assert {row["case"] for row in tried["cases"]} == set(CASES)
    for row in tried["cases"]:
        assert row["errors"] == {}, row
        assert row["ours"] is not None, row


def test_every_peer_answers_or_says_why_not(tried: dict[str, Any]) -> None:
    for row in tried["cases"]:
        assert set(row["peers"]) == set(CASES[row["case"]].peers)
        for name, value in row["peers"].items():
            assert (value is None) == (name in row["notes"]), (row["case"], name)


def test_answers_were_compared(tried: dict[str, Any]) -> None:
    for row in tried["cases"]:
        if CASES[row["case"]].work not in ("processes", "graphs"):
            there = {name for name, value in row["peers"].items() if value is not None}
            assert set(row["off"]) == there, row["case"]


def test_json(tried: dict[str, Any]) -> None:
    assert set(tried) == {"machine", "cases"}
    assert {"cpu", "cores", "threads", "memory_gib", "huge_pages", "allocator", "versions"} <= set(
        tried["machine"]
    )
    assert tried["machine"]["versions"]["numpy"]
    for row in tried["cases"]:
        assert {"case", "dtype", "unit", "ours", "limit", "peers"} <= set(row)
        assert ("at" in row) == row["case"].startswith("growth-")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["bench", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_and_the_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str
) -> None:
    path = tmp_path / "growth.png"
    given = ("--case", "table-numpy", "--case", "growth-batch", "--out", str(path))
    code, out, err = run(capsys, *given, "--smoke", "--lang", lang)
    assert code == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert str(path) in err
    assert "table-numpy" in out
    assert {"en": "mean nothing", "zh": "没有意义"}[lang] in "".join(out.split("\n"))


def test_a_wrong_answer_exits_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("posenc.bench._run.TOLERANCE", {"float32": 1e-30})
    monkeypatch.setattr("posenc.bench._run.DRIFT", 0.0)
    code, out, _ = run(capsys, "--case", "table-numpy", "--smoke", "--lang", "en")
    assert code == 1
    assert "table-numpy float32: NumPy: its answer is off by" in out


def test_every_case_is_named_and_none_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    for lang in ("en", "zh"):
        assert main(["bench", "--list", "--lang", lang]) == 0
        shown = capsys.readouterr().out
        assert [name for name in CASES if f"{name}: " not in shown] == []
    assert main(["bench", "--list", "--case", "decode", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["decode"]


REFUSED = [
    (
        ("--case", "decod"),
        "--case must be a case that there is; got 'decod'. Did you mean 'decode'?",
    ),
    (
        ("--out", "no/such/folder/x.png"),
        "--out must be a png, svg, pdf file in a folder that exists; got 'no/such/folder/x.png'.",
    ),
    (
        ("--out", "x.txt"),
        "--out must be a png, svg, pdf file in a folder that exists; got 'x.txt'.",
    ),
    (
        ("--out", "x.png", "--case", "decode"),
        "--case must be one that grows, to draw it; got ['decode']. Name one of growth-length, "
        "growth-batch, growth-heads, growth-threads.",
    ),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_refuses_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err == f"posenc: {sentence}\n"
