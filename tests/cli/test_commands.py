"""The command line as a user meets it: text, JSON, exit codes, and one sentence per refusal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import posenc
from posenc import explorer
from posenc.cli import main
from posenc.explorer._page import unpacked
from posenc.testing import golden

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
CONFIG = ROOT / "examples/qwen3-32b-yarn/config.json"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "120")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert code == 0
    assert "rope-yarn" in out
    code, out, _ = run(capsys, "list", "--json")
    rows = json.loads(out)
    assert {"name", "kind", "title", "year", "formula", "reference", "shipped_by"} <= set(rows[0])
    cases = {case.name for case in golden.cases(GOLDEN / "entries.json")}
    assert {row["golden"] for row in rows if row["package"] == "posenc"} == cases
    assert all("shape-kept" in row["laws"] and "broken" not in row for row in rows)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_note_is_under_the_formula(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "list", "beit", "--json")
    (listed,) = json.loads(out)
    _, out, _ = run(capsys, "show", "beit", "--json")
    assert json.loads(out)["note"] == listed["note"]
    _, out, _ = run(capsys, "show", "beit", "--lang", lang)
    lines = [line.strip() for line in out.splitlines()]
    formula, reference = (lines.index(listed[key]) for key in ("formula", "reference"))
    shown = "".join(lines[formula + 1 : reference])
    assert shown.replace(" ", "") == listed["note"][lang].replace(" ", "")
    _, out, _ = run(capsys, "show", "nope", "--json")
    assert json.loads(out)["note"] == {}


def test_list_of_what_is_about_some_words(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "list", "whisper", "--json")
    assert [row["name"] for row in json.loads(out)] == ["sinusoidal-tensor2tensor"]
    _, out, _ = run(capsys, "list", "rotary", "Qwen2-VL", "--json")
    assert {row["name"] for row in json.loads(out)} >= {"mrope", "rope-2d"}
    code, _, err = run(capsys, "list", "xyzzy")
    assert code == 2
    assert err.startswith("posenc: The words must be about an encoding; got 'xyzzy'.")
    code, _, err = run(capsys, "show", "Whisper")
    assert code == 2
    assert err.rstrip().endswith("Whisper uses sinusoidal-tensor2tensor.")


def test_list_tries_laws(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: posenc.encodings(plugins=False)[name] for name in ("rope", "alibi")}
    monkeypatch.setattr("posenc.registry.encodings", lambda: few)
    code, out, _ = run(capsys, "list", "--laws", "numpy", "--laws", "torch", "--json")
    assert code == 0
    assert [row["broken"] for row in json.loads(out)] == [{"numpy": {}, "torch": {}}] * 2
    monkeypatch.setattr("posenc.specs._alibi.alibi", lambda *_, **__: np.zeros((1, 1, 1)))
    code, out, _ = run(capsys, "list", "--laws", "numpy", "--lang", "en")
    assert code == 1
    assert "numpy: alibi breaks shape-kept: " in out
    assert "numpy: 1 encodings keep every law" in out
    for name in ("jax", "jax.numpy"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("posenc._arrays._LOADED", {})
    code, _, err = run(capsys, "list", "--laws", "jax")
    assert code == 2
    assert err.startswith("posenc: --laws must be an installed library; got 'jax'.")


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "rope-llama3", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["spec"]["scaling"]["kind"] == "llama3"
    assert len(data["freqs"]) == 32
    assert data["properties"]["relative"]["holds"] is True
    _, out, _ = run(capsys, "show", "sinusoidal", "--lang", "zh")
    assert "正弦位置编码" in out
    _, out, _ = run(capsys, "show", "rope", "--bibtex")
    assert out.startswith("@misc{su2021roformer,")
    assert "eprint = {2104.09864}" in out
    code, _, err = run(capsys, "show", "integer", "--bibtex")
    assert code == 2
    assert err.startswith("posenc: integer: a citation must be of a publication; got None.")


def test_compare_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("sinusoidal", "rope", "alibi")
    for form, sign in (
        ("text", "bounded"),
        ("markdown", "| --- |"),
        ("latex", r"\toprule"),
        ("csv", ",rope,"),
    ):
        code, out, _ = run(capsys, "compare", *names, "--format", form)
        assert code == 0
        assert sign in out
    _, out, _ = run(capsys, "compare", *names, "--json")
    assert [card["name"] for card in json.loads(out)] == [*names]


def test_prove_some(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", "sinusoid.norm", "distance", "--json")
    data = json.loads(out)
    assert code == 0
    assert set(data) == {"claims", "files"}
    first = data["claims"][0]
    assert first["id"] == "sinusoid.norm"
    assert {"id", "chapter", "value", "relation", "expected", "tolerance", "verdict", "ok"} <= set(
        first
    )
    assert {c["chapter"] for c in data["claims"][1:]} == {4}


def test_a_claim_that_fails_exits_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from posenc.specs import _sinusoidal

    monkeypatch.setattr(_sinusoidal, "waves", lambda cos, sin, **_: cos)
    code, out, _ = run(capsys, "prove", "sinusoid.norm")
    assert code == 1
    assert "✗" in out


def test_tour_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "tour", str(CONFIG), "--json")
    data = json.loads(out)
    assert code == 0
    assert data["files"] == []
    assert all(claim["ok"] for claim in data["claims"])
    chapters = [claim["chapter"] for claim in data["claims"]]
    order = list(dict.fromkeys(chapters))
    assert order == [1, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_tour_says_the_same_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    from posenc import claims

    for lang in ("en", "zh"):
        code, out, _ = run(capsys, "tour", "--lang", lang)
        assert code == 0
        flat = "".join(out.split())
        for claim in claims.all_claims():
            assert "".join(claim.statement[lang].split())[:20] in flat or claim.id in flat


def test_tour_of_ones_own_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "tour", "--chapter", "1", "--text", "我爱你 you love me")
    assert code == 0
    assert "爱" in out
    assert "love" in out


REFUSED = [
    (("show", "ropee"), "The encoding must be a known name; got 'ropee'. Did you mean 'rope'?"),
    (("tour", "--chapter", "0"), "--chapter must be between 1 and 12; got 0."),
    (("tour", "--text", "word"), "--text must be at least two words; got 'word'."),
    (
        ("prove", "sinusoid.nrom"),
        "The claim must be a known id; got 'sinusoid.nrom'. Did you mean 'sinusoid.norm'?",
    ),
    (("compare", "rope", "--dim", "7"), "Rope.dim must be even; got 7. Channels turn in pairs."),
    (("nothing",), "No such command 'nothing'."),
    (("compare", "rope", "--length", "3"), "measure(): length must be at least 16; got 3."),
    (("show", "rope", "--dim", "100000"), "measure(): dim must be at most 8192; got 100000."),
    (("prove", "--plain", "--json"), "--plain must be given without --json; got 'both'."),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_refuses_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err == f"posenc: {sentence}\n"


BAD_FILES = {
    "empty.json": b"",
    "binary.json": bytes(range(256)),
    "list.json": b"[1, 2]",
    "cut.json": b'{"model_type": "llama", ',
    "number.json": b"NaN",
    "deep.json": b"[" * 100_000,
    "other.json": b'{"a": 1}',
}


@pytest.mark.parametrize("name", [*BAD_FILES, "missing.json"])
def test_bad_files_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    if name in BAD_FILES:
        path.write_bytes(BAD_FILES[name])
    for arguments in (("tour", str(path)), ("prove", "--config", str(path))):
        code, _, err = run(capsys, *arguments)
        assert code == 2
        assert err.startswith("posenc: ")
        assert err.count("\n") == 1
        assert "fault in posenc" not in err


@pytest.mark.parametrize("command", ["list", "show", "compare", "prove", "tour", "schema"])
def test_help_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"Example: posenc {command}" in out


@pytest.mark.parametrize("command", ["list", "show rope", "prove --json", "tour --chapter 3"])
def test_a_closed_pipe_is_not_an_error(command: str) -> None:
    script = f"{sys.executable} -m posenc {command} | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_code_of_the_folder_one_stands_in(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "import posenc\n"
        "def circle(positions):\n"
        "    return np.stack([np.cos(positions), np.sin(positions)], -1)\n"
        "spec = posenc.Sinusoidal(dim=6)\n"
    )
    posenc_script = Path(sys.executable).with_name("posenc")
    for arguments in (("compare", "mine:circle"), ("prove", "mine:spec")):
        done = subprocess.run(
            [posenc_script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [posenc_script, "prove", "mine:circle"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("posenc: 'mine:circle' must be a spec, or give one when called")


def test_findings_of_a_config_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = json.loads(CONFIG.read_text())
    config["rotary_base"] = 5e5  # another number for the base that the config states
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    code, out, _ = run(capsys, "tour", str(path), "--chapter", "12")
    assert code == 1
    assert "PE104 (error)" in out
    code, out, _ = run(capsys, "tour", str(path), "--chapter", "12", "--json")
    assert code == 1
    assert "PE104" in {finding["code"] for finding in json.loads(out)["findings"]}


def test_words_of_the_scorecard_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "compare", "rope", "--lang", "zh")
    assert "是" in out
    assert "yes" not in out


def test_laws_have_no_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "prove", "rope", "--plain")
    assert code == 2
    assert "Laws are tried through the library alone." in err


def test_no_matplotlib_is_one_line_and_no_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for extra in ((), ("--json",)):
        arguments = ("tour", "--chapter", "3", "--out", str(tmp_path), *extra)
        code, _, err = run(capsys, *arguments)
        assert code == 0
        missing, where = err.splitlines()
        assert missing.startswith("No pictures")
        assert "explorer.html" in where
    assert [path.name for path in tmp_path.iterdir()] == ["explorer.html"]


def test_the_tour_writes_the_page_with_the_frequencies_of_the_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, _ = run(
        capsys, "tour", str(CONFIG), "--out", str(tmp_path), "--lang", "zh", "--json"
    )
    assert code == 0
    assert json.loads(out)["files"] == [str(tmp_path / "explorer.html")]
    page = (tmp_path / "explorer.html").read_text("utf-8")
    assert page == explorer.build(config=CONFIG, language="zh")
    assert "given-0" in unpacked(page)[0]["ladders"]


def test_table_in_json_and_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(0, 0.02, (64, 32)).astype(np.float32)
    path = tmp_path / "model.safetensors"
    save_file({"wpe": rows}, path)
    code, out, _ = run(capsys, "tour", "--table", f"{path}:wpe", "--json")
    assert code == 0
    assert json.loads(out)["table"]["rows"] == 64
    code, _, err = run(capsys, "tour", "--table", f"{path}:wpe", "--chapter", "2")
    assert code == 2
    assert err == "posenc: --table must be given alone; got ['--chapter'].\n"


def test_code_that_exits_is_told(tmp_path: Path) -> None:
    (tmp_path / "leaves.py").write_text("raise SystemExit(1)")
    command = [Path(sys.executable).with_name("posenc"), "prove", "leaves:x"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("posenc: 'leaves:x' must be importable")


def test_a_closed_output_and_no_width_lose_nothing() -> None:
    script = f"{sys.executable} -m posenc list >&-; COLUMNS=0 {sys.executable} -m posenc list"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "sinusoidal-tensor2tensor" in done.stdout
    assert done.stderr == ""
