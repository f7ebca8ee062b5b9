"""The library against the golden numbers: every quantity of every case."""

import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from posenc.testing._quantities import QUANTITIES
from posenc.testing.golden import Golden, cases, compare

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = cases(GOLDEN)
# JAX compiles every operation for every shape; one case in eight, and the hardest, will do.
FEW = [case for number, case in enumerate(CASES) if number % 8 == 0 or "between" in case.name]

everything = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@everything
def test_numpy_in_float64(case: Golden) -> None:
    compare(case, float64=True)


@everything
def test_numpy_in_float32(case: Golden) -> None:
    compare(case)


@everything
@pytest.mark.parametrize("xp", ["torch", "array-api-strict"])
def test_other_libraries(case: Golden, xp: str) -> None:
    compare(case, xp=xp)


@pytest.mark.parametrize("case", FEW, ids=lambda case: case.name)
def test_jax(case: Golden) -> None:
    compare(case, xp="jax")


def test_every_quantity_is_due_somewhere() -> None:
    due = {name for case in CASES for name in case.due}
    rotary = {"frequencies", "attention_factor", "stretched_base", "bounds", "angles", "cos", "sin"}
    turned = {"rotated", "growth", "scaled", "score", "as_query", "as_key"}
    logits = {"slopes", "buckets", "bias", "log_offsets", "adjusted", "logit_scale"}
    pairs = {"contextual", "counted", "distances"}
    assert due == rotary | turned | logits | pairs | {"embed", "attended"}


def test_every_number_of_a_case_is_a_quantity_or_an_input() -> None:
    about = {"case", "spec", "length", "reference", "source", "atol", "rtol"}
    given = {"positions", "x", "arrays", "relative", "q", "k", "q_positions", "k_positions"}
    for case in CASES:
        assert set(case.data) <= about | given | set(case.due), case.name
        assert case.due, case.name


def test_the_hard_cases_are_among_the_few() -> None:
    kinds = {case.spec.kind for case in FEW}
    assert kinds >= {"rope", "sinusoidal", "alibi", "t5_bias"}
    assert "rope/powers-of-two-far-and-between" in {case.name for case in FEW}


def test_every_entry_has_a_case_that_covers_its_hooks() -> None:
    run = "run `python tools/entries.py && python tools/golden.py`"
    asked = list(inputs_of_entries())
    written = json.loads((GOLDEN / "entries.json").read_text("utf-8"))["cases"]
    assert [case["case"] for case in written] == [case["case"] for case in asked], run
    for case, inputs in zip(written, asked, strict=True):
        due = {name for name, value in inputs.items() if value is None and name != "length"}
        assert case | dict.fromkeys(due) == json.loads(json.dumps(inputs)), run
        assert due, case["case"]
        assert due <= set(QUANTITIES), case["case"]
        assert all(case[name] is not None for name in due), run


def inputs_of_entries() -> Iterator[dict[str, Any]]:
    path = GOLDEN.parent / "tools" / "entries.py"
    sys.path.insert(0, str(path.parent))
    try:
        yield from runpy.run_path(str(path))["entries"]()
    finally:
        sys.path.remove(str(path.parent))
