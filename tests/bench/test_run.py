"""Processes that take turns: what is missing, wrong or broken is said, and is not timed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from posenc.bench import CASES, Case, Row, Size, _memory, _run, _sides, run
from posenc.bench._process import Process
from posenc.bench._run import Effort

NUMPY = replace(CASES["rotate-numpy"], name="tried", limit="", peers=("numpy",))


def row_of(case: Case, *, memory: bool = False) -> Row:
    *_, row = run([case], smoke=True, memory=memory)
    return row


def test_a_side_is_timed_and_its_difference_told() -> None:
    row = row_of(NUMPY)
    assert row.errors == {}
    assert row.ours.median is not None
    assert row.peers["numpy"].median is not None
    assert row.peers["numpy"].off is not None
    assert row.peers["numpy"].off < 1e-5


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_sides.NEEDS, "numpy", ("no_such_library",))
    row = row_of(NUMPY)
    assert row.peers["numpy"].note == "no-such-library not installed"
    found = row.to_dict()
    assert found["peers"] == {"numpy": None}
    assert found["notes"] == {"numpy": "no-such-library not installed"}
    assert found["ours"] is not None


def test_where_memory_is_the_limit_ours_is_measured_in_several_processes() -> None:
    case = replace(CASES["rotate-numpy"], name="tried", peers=("numpy",))
    ((point, size),) = case.sizes(smoke=True)
    effort = Effort(rounds=4, processes=2, batch=0.0, budget=60.0, pause=0.0)
    opened = []

    class Counted(_run.Process):
        def __init__(self, **options: Any) -> None:
            opened.append(self)
            super().__init__(**options)

    with _run._Pool(lasting=False) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(_run, "Process", Counted)
        row = _run._timed(case, point, size, pool, effort)
    assert not row.errors
    assert len(opened) == 1 + 1 + 1  # ours, its peer, and ours again
    assert [len(side.samples) for side in (row.ours, row.limit, row.peers["numpy"])] == [4, 4, 4]


def test_without_what_ours_needs_nobody_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_sides.NEEDS, "ours/numpy", ("no_such_library",))
    row = row_of(NUMPY)
    assert row.ours.note
    assert row.peers["numpy"].samples == []


def test_what_a_side_cannot_do_is_named() -> None:
    row = row_of(replace(NUMPY, dtypes=("bfloat16",)))
    assert row.peers["numpy"].note == "NumPy has no bfloat16"
    assert row.errors == {}


def test_another_answer_is_an_error_and_is_not_timed() -> None:
    # The peer pairs halves, whatever the layout.
    row = row_of(replace(NUMPY, size=Size(layout="interleaved")))
    assert row.errors["numpy"].startswith("its answer is off by ")
    assert row.peers["numpy"].samples == []
    assert row.to_dict()["errors"] == row.errors


def test_a_side_that_breaks_is_an_error() -> None:
    row = row_of(replace(NUMPY, peers=("no-such-side",)))
    assert row.errors == {"no-such-side": "KeyError: 'no-such-side'"}
    assert row.ours.samples


def test_a_process_that_ends_is_an_error() -> None:
    with Process(threads=1) as process:
        process._child.kill()
        assert process.ask(do="time", side="numpy", calls=1)["failed"].startswith(
            "its process ended with -9"
        )


def test_memory_is_a_row_of_its_own() -> None:
    row = row_of(NUMPY, memory=True)
    assert row.unit == "MiB"
    assert row.ours.median is not None
    assert row.to_dict()["unit"] == "MiB"


def test_the_highest_point_is_seen() -> None:
    def work(mebibytes: int) -> float:
        _memory.settle()
        before = _memory.start()
        held = np.ones((mebibytes, 1 << 20), np.uint8)
        del held
        return _memory.highest() - before

    assert 250 < work(256) < 290
    assert 60 < work(64) < 90  # what came before was higher, and is not counted
