"""The list of encodings, and plug-ins in it."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import types
from dataclasses import replace

import numpy as np
import pytest

import posenc
from posenc import registry
from posenc.errors import EncodingError
from posenc.testing import laws


def test_every_entry_says_what_it_is() -> None:
    for name, entry in posenc.encodings().items():
        assert entry.name == name
        assert set(entry.title) == {"en", "zh"}
        assert entry.reference
        assert entry.formula
        entry.make(dim=8, heads=2, length=16)


MATHS = {
    *("sin", "cos", "tanh", "ln", "exp", "sqrt", "floor", "ceil", "clip", "min", "max", "sum"),
    *("sign", "mod", "div", "xor", "pi", "if", "else", "alpha", "sigma"),
}
"""Names of functions, operators and numbers, which every language writes alike."""


@pytest.mark.parametrize("entry", posenc.encodings(plugins=False).values(), ids=lambda e: e.name)
def test_a_formula_has_no_words_and_a_user_is_a_name(entry: registry.Entry) -> None:
    """Both are shown in every language; what needs words is a note, of which there are two."""
    runs = re.findall(r"[A-Za-z]{2,}(?:[ ,;:]+[A-Za-z]{2,})+", entry.formula)
    for run in runs:
        words = [word for word in re.findall("[A-Za-z]+", run) if word not in MATHS]
        assert len(words) < 2, run
    for name in entry.shipped_by:
        prose = re.search(r"[,;:(]| (and|whose|with|in|for|of|a|on) |^[a-z]+$", name)
        assert not prose or name in {"timm", "nanochat"}, name
    if entry.note:
        assert {*entry.note} == {"en", "zh"}
        assert entry.note["en"].endswith(".")
        assert re.search("[。…]$", entry.note["zh"])


@pytest.mark.parametrize("entry", posenc.encodings(plugins=False).values(), ids=lambda e: e.name)
def test_an_entry_of_several_coordinates_says_which_come_first(entry: registry.Entry) -> None:
    """Models differ, and a square image hides the mistake."""
    several = laws.case(entry.make(dim=8, heads=2)).hooks.coordinates > 1
    assert entry.note or not several


def test_a_note_is_in_both_languages() -> None:
    with pytest.raises(EncodingError) as caught:
        replace(_entry("spiral"), note={"en": "turns"})
    message = "Entry('spiral').note must be a mapping with 'en' and 'zh'; got {'en': 'turns'}."
    assert str(caught.value) == message


def test_variants_are_fields_and_not_classes() -> None:
    entries = posenc.encodings(plugins=False)
    assert len(entries) >= 90
    assert len({entry.cls for entry in entries.values()}) <= 45


def test_fields_can_be_changed_and_misspelt_ones_are_named() -> None:
    assert posenc.encodings()["rope"].make(dim=8, base=5e5).base == 5e5
    with pytest.raises(EncodingError) as caught:
        posenc.encodings()["rope"].make(bsae=5e5)
    assert str(caught.value) == "rope: field must be one it has; got 'bsae'. Did you mean 'base'?"


class _Point:
    def __init__(self, name: str, load, package: str) -> None:
        self.name, self.value, self.load = name, f"{package}:ENTRIES", load
        self.dist = types.SimpleNamespace(name=package)


def _entry(name: str) -> registry.Entry:
    title = {"en": "a plug-in's", "zh": "插件的"}
    return registry.Entry(
        name=name, spec_class=posenc.NoPE, title=title, year=2026, reference="none"
    )


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch):
    def broken():
        raise ImportError("No module named 'gone'")

    points = [
        _Point("ours", lambda: [_entry("spiral"), _entry("rope")], "spirals"),
        _Point("bad", broken, "broken"),
        _Point("worse", lambda: ["spiral"], "worse"),
        _Point("once", lambda: (_entry(n) for n in ["once"]), "once"),
        _Point("loud", lambda: print("hello") or [], "loud"),
    ]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)


def test_a_plugin_joins_and_a_taken_name_is_prefixed(plugins: None) -> None:
    names = [*posenc.encodings()]
    assert names[-2:] == ["spiral", "spirals-rope"]


def test_a_plugin_that_fails_is_a_row_with_its_error(plugins: None) -> None:
    failed = {f.name: f.error for f in registry.failures()}
    assert failed["broken: bad"] == "No module named 'gone'"
    assert failed["worse: worse"].startswith("worse's posenc.encodings must be a list of Entry")
    assert failed["once: once"].startswith("once's posenc.encodings must be a list of Entry")


def test_what_a_plugin_prints_stays_out_of_stdout(plugins: None, capsys) -> None:
    posenc.encodings()
    assert capsys.readouterr() == ("", "hello\n")


def test_an_object_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = types.ModuleType("mine")
    mine.spec = posenc.Sinusoidal(dim=6)
    mine.make = lambda: mine.spec
    mine.number = lambda: 3
    monkeypatch.setitem(sys.modules, "mine", mine)
    assert registry.load("mine:spec") == registry.load("mine:make") == mine.spec
    with pytest.raises(EncodingError, match=r"'mine:number' must be a spec; got 3\."):
        registry.load("mine:number")
    with pytest.raises(EncodingError, match=r"must be importable as package\.module:object"):
        registry.load("mine:absent")
    with pytest.raises(EncodingError, match="ModuleNotFoundError"):
        registry.load("not_there:spec")


def test_laws_of_plain_use_hold_for_a_plugin(plugins: None) -> None:
    spec = posenc.encodings()["spiral"].make()
    x = np.ones((1, 2, 4))
    assert posenc.attend(x, x, x, spec).shape == x.shape
