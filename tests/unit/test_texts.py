"""Every sentence in both languages: same keys, same slots, Chinese with its own punctuation."""

from __future__ import annotations

import re
import string
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from posenc.testing import laws
from posenc.text import LANGUAGES, load

ROOT = Path(str(files("posenc.text")))
FILES = sorted(str(p.relative_to(ROOT).with_suffix("")) for p in ROOT.rglob("*.toml"))
WIDE = r"[\u3400-\u9fff\uff00-\uffef]"


def slots(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("name", FILES)
def test_both_languages_with_the_same_slots(name: str) -> None:
    raw = tomllib.loads((ROOT / f"{name}.toml").read_text("utf-8"))
    for key, texts in raw.items():
        assert set(texts) == set(LANGUAGES), key
        assert all(text.strip() for text in texts.values()), key
        if name.startswith("tour/") or name == "findings":
            assert slots(texts["en"]) == slots(texts["zh"]), key


@pytest.mark.parametrize("name", FILES)
def test_chinese_punctuation(name: str) -> None:
    for key, texts in load(name).items():
        text = texts["zh"]
        assert not re.search(rf"{WIDE}[,;:?!]|[,;?!]{WIDE}", text), (key, text)
        assert not re.search(rf"\([^()]*{WIDE}[^()]*\)", text), (key, text)


@pytest.mark.parametrize("name", FILES)
def test_commands_can_be_typed(name: str) -> None:
    """Within a command all punctuation is ASCII; after it the sentence may go on in its own."""
    for key, texts in load(name).items():
        for command in re.findall(r"posenc [a-z]+ [^。]*", texts["zh"]):
            assert not re.search(r"[!-~][\uff00-\uffef]+[!-~]", command), (key, command)


def test_laws_have_their_sentences() -> None:
    words = load("laws")
    assert set(words) == set(laws.LAWS)
    for name, law in laws.LAWS.items():
        assert words[name]["en"] == law.statement
