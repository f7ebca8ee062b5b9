"""The two READMEs say the same, and what they print is what the commands print."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from posenc.cli import main

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {lang: (ROOT / name).read_text("utf-8") for lang, name in
         (("en", "README.md"), ("zh", "README.zh.md"))}  # fmt: skip
PRINTED = re.compile(r"```console\n\$ (posenc prove [^\n]*)\n(.*?)\n```", re.DOTALL)


def outline(text: str) -> list[int]:
    return [len(level) for level in re.findall(r"^(#+) ", text, re.MULTILINE)]


def numbers(text: str) -> list[str]:
    prose = re.sub(r"https?://\S+|[\w./-]*\d[\w./-]*\.(?:png|json|md)", "", text)
    return re.findall(r"\d[\d_.]*\d|\d", prose)


def test_same_headings_and_numbers() -> None:
    assert outline(TEXTS["en"]) == outline(TEXTS["zh"])
    # Rich breaks lines elsewhere in the other language, so only the set is compared.
    assert set(numbers(TEXTS["en"])) == set(numbers(TEXTS["zh"]))


def test_same_code() -> None:
    def code(text: str) -> list[str]:
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        return [re.sub(r" *#.*", "", block) for block in blocks]

    assert code(TEXTS["en"]) == code(TEXTS["zh"])


@pytest.mark.parametrize("lang", TEXTS)
def test_the_code_runs(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", TEXTS[lang], re.DOTALL):
        exec(block, space)
    assert space["y"].shape == (1, 8, 5, 128)  # type: ignore[attr-defined]


@pytest.mark.parametrize("lang", TEXTS)
def test_what_it_prints_is_what_the_command_prints(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    shown = PRINTED.findall(TEXTS[lang])
    assert len(shown) == 1
    for command, expected in shown:
        assert main(shlex.split(command)[1:]) == 0
        printed = capsys.readouterr().out
        assert [line.rstrip() for line in printed.splitlines()] == expected.splitlines()
        false = {"en": "false", "zh": "不成立"}[lang]
        assert (
            sum(line.startswith("✓") and line.endswith(false) for line in expected.splitlines())
            == 2
        )


@pytest.mark.parametrize("lang", TEXTS)
def test_links_and_commands_exist(lang: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXTS[lang]):
        assert (ROOT / target).exists(), target
    from posenc.cli._app import _COMMANDS

    for command in re.findall(r"`posenc (\w+)", TEXTS[lang]):
        assert command in _COMMANDS


def test_make_knows_the_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("tour", "test"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert os.access(ROOT / ".ci/run", os.X_OK)
