"""Properties, against what is known of each encoding."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError
from posenc.properties import measure
from posenc.text import load

KNOWN = {
    "sinusoidal": {"bounded": True, "smooth": True, "relative": True, "linear under shift": True,
                   "norm": True, "decay": False, "unique": True, "any length": True},
    "grid-columns-first": {"bounded": True, "smooth": True, "relative": True, "norm": True,
                           "linear under shift": True, "unique": True, "any length": True},
    "integer": {"bounded": False, "relative": False, "norm": False, "unique": True},
    "normalized-integer": {"precomputable": False, "smooth": True},
    "binary": {"smooth": False, "unique": True, "linear under shift": False, "any length": False},
    "gray": {"smooth": False, "linear under shift": False},
    "random-directions": {"smooth": False, "unique": True, "relative": False, "norm": True,
                          "parameters": True},
    "learned": {"any length": False, "parameters": False, "relative": False},
    "timestep": {"relative": True, "norm": True, "parameters": True, "linear under shift": True},
    "fourier-nerf": {"unique": False, "relative": True},  # whole turns between integers
    "fourier-nerf-code": {"unique": True, "bounded": False, "relative": False},
    "random-fourier": {"smooth": False, "relative": True, "norm": True, "parameters": True},
    "random-fourier-phases": {"relative": False, "norm": False},
    "time2vec": {"bounded": False, "relative": False, "parameters": False},
    "learned-grid": {"any length": False, "parameters": False, "relative": False, "unique": True},
    "learned-axes-added": {"any length": False, "unique": True},
    "layoutlm": {"any length": False, "unique": True},
    "gated-tiles": {"any length": False, "bounded": True},
    "rope": {"relative": True, "norm": True, "decay": False, "any length": True},
    "rope-dynamic-ntk": {"precomputable": False},
    "alibi": {"relative": True, "decay": True, "bounded": False, "smooth": None},
    "t5": {"relative": True, "unique": False, "bounded": True, "parameters": False},
    "kerple-log": {"relative": True, "decay": True, "bounded": False, "parameters": False,
                   "any length": True},
    "sandwich": {"relative": True, "decay": False, "parameters": True, "unique": True},
    "fire": {"bounded": True, "any length": True, "parameters": False},
    "dynamic-bias": {"relative": True, "bounded": False, "parameters": False},
    "swin": {"relative": True, "any length": False, "parameters": False},
    "levit": {"relative": True, "any length": False},
    "selfextend": {"relative": True, "any length": True, "parameters": True, "smooth": None},
    "rerope": {"unique": True, "norm": None},
    "cope": {"any length": True, "parameters": False, "unique": False, "relative": True},
    "shaw": {"relative": True, "unique": False, "any length": True, "smooth": None},
    "transformer-xl": {"relative": True, "unique": True, "any length": False, "parameters": False},
    "deberta-v2": {"relative": True, "unique": False, "any length": True, "bounded": True},
    "tupe": {"relative": False, "any length": False},
    "mvitv2": {"relative": True, "any length": False},
    "nope": {"unique": False, "bounded": None, "relative": None},
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known(name: str) -> None:
    card = measure(name)
    assert {k: card.row(k).holds for k in KNOWN[name]} == KNOWN[name]


def test_rounding_is_no_measure() -> None:
    """At whole positions the strangers of NeRF's waves are whole periods away: all alike."""
    assert measure("fourier-nerf").row("smooth").value is None


def test_every_property_has_a_title() -> None:
    assert [row.name for row in measure("nope").rows] == [*load("properties")]


def test_the_numbers_are_those_of_the_ledger() -> None:
    binary = measure(posenc.Binary(bits=4), length=16)
    assert binary.row("linear under shift").value == pytest.approx(0.954545, abs=1e-6)
    gray = measure(posenc.Gray(bits=4), length=16)
    assert gray.row("linear under shift").value == pytest.approx(0.772727, abs=1e-6)
    assert measure("sinusoidal").row("unique").value == pytest.approx(1.471848, abs=1e-6)


def test_a_function_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = types.ModuleType("mine")
    mine.circle = lambda positions: np.stack([np.cos(positions), np.sin(positions)], -1)
    mine.flat = lambda positions: positions * 1.0
    mine.broken = lambda positions: positions.nothing
    monkeypatch.setitem(sys.modules, "mine", mine)
    card = measure("mine:circle")
    assert card.row("norm").holds
    assert card.row("linear under shift").holds
    with pytest.raises(EncodingError, match=r"Your function's codes must be of shape"):
        measure("mine:flat")
    with pytest.raises(EncodingError, match=r"it raised AttributeError"):
        measure("mine:broken")


def test_what_is_remapped_is_measured_past_its_window() -> None:
    rope = posenc.Rope(dim=10, layout="half")
    rerope = measure(posenc.ReRope(rope=rope, window=16), length=64)
    assert rerope.row("relative").holds  # all far keys are at one distance
    assert not rerope.row("unique").holds
    assert measure(posenc.ReRope(rope=rope, window=16, factor=4), length=64).row("unique").holds
    assert not measure(posenc.SelfExtend(rope=rope, window=16), length=64).row("relative").holds
