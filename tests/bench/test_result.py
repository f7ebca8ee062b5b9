"""What follows from samples: medians, ratios within rounds, verdicts; and how they are shown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from posenc.bench import CASES, GROWTH, Bound, Case, Row, Side
from posenc.bench._picture import draw
from posenc.bench._result import quartiles, ratio
from posenc.cli import _bench_page as page

CASE = Case(
    name="decode",
    work="rotation",
    ours="fresh",
    limit="copy",
    peers=("numpy", "jax-jit", "transformers", "x-transformers"),
    unit="us",
    bounds=(
        Bound(1.5, "limit"),
        Bound(1 / 3, "numpy"),
        Bound(1e-3, unit="s"),
        Bound(7, unit="MiB"),
    ),
)


def row() -> Row:
    return Row(
        CASE,
        "float32",
        "us",
        ours=Side([2.0, 4.0, 8.0]),
        limit=Side([1.0, 2.0, 4.0]),
        peers={
            "numpy": Side([20.0, 40.0, 80.0], off=0.25),
            "jax-jit": Side([1.0, 4.0, 9.0]),
            "transformers": Side([1.0, 2.0, 2.0]),
            "x-transformers": Side(note="x-transformers not installed"),
        },
    )


def shown(block: object, width: int = 110) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(block)
    return out.getvalue()


def test_medians_and_quartiles() -> None:
    assert row().ours.median == 4.0
    assert Side().median is None
    assert quartiles([1.0, 2.0, 3.0, 4.0, 5.0]) == (2.0, 4.0)
    assert quartiles([3.0]) == (3.0, 3.0)


def test_ratios_are_of_one_round() -> None:
    # The machine slowed down while this ran, which no ratio shows.
    assert ratio(row().ours, row().limit) == 2.0
    assert ratio(Side([2.0, 4.0, 30.0]), Side([1.0, 2.0, 10.0])) == 2.0
    assert ratio(Side([1.0, 9.0, 1.0]), Side([1.0, 3.0, 1.0])) == 1.0
    assert ratio(Side([1.0, 2.0, 30.0]), Side([10.0, 1.0, 10.0])) == 2.0
    assert ratio(row().ours, Side()) is None
    assert ratio(row().ours, Side([4.0])) == 0.5


def test_ahead_and_behind_only_beyond_the_spread() -> None:
    found = row()
    standings = [found.standing(name) for name in CASE.peers]
    assert standings == ["ahead", "equal", "behind", None]
    found.tried = True
    assert found.standing("numpy") is None
    assert found.bounds() == []


def test_few_seconds_are_no_nothing() -> None:
    """Processes that start in milliseconds are counted in seconds."""
    assert ratio(Side([0.0675]), Side([0.0075])) == pytest.approx(9)
    assert ratio(Side([80.0]), Side([0.0])) is None


def test_bounds() -> None:
    by_copy, by_numpy, absolute = row().bounds()
    assert (by_copy.value, by_copy.met) == (2.0, False)
    assert (by_numpy.value, by_numpy.met) == (0.1, True)
    assert (absolute.value, absolute.met) == (pytest.approx(4e-6), True)
    heavy = Row(CASE, "float32", "MiB", ours=Side([9.0]))
    assert [(kept.value, kept.met) for kept in heavy.bounds()] == [(9.0, False)]
    unknown = Row(CASE, "float32", "us")
    assert {kept.met for kept in unknown.bounds()} == {None}


def test_json() -> None:
    found = row().to_dict()
    assert found["ours"] == 4.0
    assert found["limit"] == 2.0
    assert found["peers"]["numpy"] == 40.0
    assert found["peers"]["x-transformers"] is None
    assert found["off"] == {"numpy": 0.25}
    assert found["bounds"][0] == {
        "at_most": 1.5, "of": "limit", "unit": None, "value": 2.0, "met": False,
    }  # fmt: skip


def test_the_page_says_it() -> None:
    text = shown(page.table_of(row(), "en"))
    lines = {line.split("  ")[0]: line.split() for line in text.splitlines() if line.strip()}
    assert lines["NumPy"] == ["NumPy", "40", "30..60", "20", "10", "ahead", "0.25"]
    assert lines["copy"] == ["copy", "2", "1.5..3", "1", "0.5"]
    assert "x-transformers: x-transformers not installed." in text
    assert "2 x copy, at most 1.5: not met." in text
    assert "0.1 x NumPy, at most 0.333: met." in text
    assert "4e-06 s, at most 0.001: met." in text
    assert "未达到" in shown(page.table_of(row(), "zh"))


def test_the_summary_counts() -> None:
    broken = row()
    broken.peers["numpy"] = Side(error="its answer is off by 2")
    text = shown(page.summary([row(), broken], "en", smoke=False))
    assert "Bounds: 3 of 5 met." in text
    assert "Not met: decode float32, decode float32." in text
    assert "ahead of 1, equal to 2 within the spread, behind 2" in text
    assert "decode float32: NumPy: its answer is off by 2." in text
    assert "mean nothing" in shown(page.summary([row()], "en", smoke=True))


def test_growth_is_one_table_and_a_picture(tmp_path: Path) -> None:
    rows = [
        Row(
            case,
            "float32",
            "ms",
            at=point,
            ours=Side([2.0 * i]),
            limit=Side([1.0 * i]),
            peers={
                "transformers": Side([8.0 * i]),
                "torch-compile": Side(),
                "numpy": Side(note="no"),
            },
        )
        for case in GROWTH
        for i, point in enumerate(case.points, 1)
    ]
    few = [r for r in rows if r.case is CASES["growth-threads"]]
    text = shown(page.growth(few, "en"))
    assert ["2", "2", "0.5", "4"] in [line.split() for line in text.splitlines()]
    assert text.count("NumPy: no.") == 1
    for language in ("en", "zh"):
        draw(rows, tmp_path / f"{language}.png", language=language)
        assert (tmp_path / f"{language}.png").stat().st_size > 10_000
