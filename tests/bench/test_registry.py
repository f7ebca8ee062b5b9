"""The registry: every promise about speed has a case, and every case its words and its sides."""

from __future__ import annotations

from importlib import import_module

import pytest

from posenc.bench import CASES, GROWTH, Case, chosen
from posenc.bench._sides import NEEDS, SHOWN
from posenc.errors import EncodingError
from posenc.text import load

# What posenc promises: (case, at most, of which side or in which unit).
PROMISED = [
    *((f"rotate-in-place{layout}", 1.6, "limit") for layout in ("", "-interleaved")),
    *((f"rotate-into{layout}", 1.8, "limit") for layout in ("", "-interleaved")),
    *((f"rotate-fresh{layout}", 4.5, "limit") for layout in ("", "-interleaved")),
    ("decode", 1 / 3, "transformers"),
    ("table-into", 2, "limit"),
    ("table-into-any", 2, "limit"),
    ("table-plain", 6, "limit"),
    *((name, 1 / 3, "materialised") for name in ("alibi", "t5")),
    *((name, 64, "MiB") for name in ("alibi", "t5")),
    *((f"{name}-gradient", 1 / 2, "materialised") for name in ("alibi", "t5")),
    *((f"{name}-gradient", 320, "MiB") for name in ("alibi", "t5")),
    ("import", 1.5, "limit"),
    ("help", 0.25, "s"),
    ("inspect", 0.35, "s"),
    ("tour", 5, "s"),
    ("graphs", 2, "graphs"),
    ("graphs-token", 3, "graphs"),
]


def test_every_promise_has_a_case() -> None:
    stated = {
        (case.name, bound.at_most, bound.of or bound.unit)
        for case in CASES.values()
        for bound in case.bounds
    }
    assert stated == set(PROMISED)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_side_of_a_case_exists(case: Case) -> None:
    sides = import_module(f"posenc.bench.works.{case.work}").SIDES
    limits = [f"limit/{case.limit}"] if case.limit else []
    assert {f"ours/{case.ours}", *limits, *case.peers} <= set(sides)
    assert set(case.peers) <= set(NEEDS)
    for bound in case.bounds:
        assert bound.of in ("", "limit", *case.peers)


def test_rotation_and_attention_are_measured_in_bfloat16_too() -> None:
    for case in CASES.values():
        if case.work in ("rotation", "attending") and case not in (*GROWTH, CASES["rotate-numpy"]):
            assert {"float32", "bfloat16"} <= set(case.dtypes)


def test_every_case_is_said_in_words() -> None:
    assert set(load("cases")) == set(CASES)


def test_names_that_are_printed_are_of_sides() -> None:
    limits = {f"limit/{case.limit}" for case in CASES.values()}
    assert set(SHOWN) <= {*NEEDS, *limits}


def test_growth_goes_from_a_thousand_tokens_to_a_million_and_from_one_thread_to_two() -> None:
    lengths, _, _, threads = (case.points for case in GROWTH)
    assert (lengths[0]["length"], lengths[-1]["length"]) == (1 << 10, 1 << 20)
    assert {point["threads"] for point in threads} == {1, 2}


def test_cases_keep_their_order_and_refuse_other_names() -> None:
    assert [case.name for case in chosen(["tour", "decode"])] == ["decode", "tour"]
    assert chosen() == list(CASES.values())
    with pytest.raises(EncodingError) as refused:
        chosen(["rotate-frseh"])
    assert str(refused.value) == (
        "--case must be a case that there is; got 'rotate-frseh'. Did you mean 'rotate-fresh'?"
    )
