"""The golden checker rejects what is wrong, and says where."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc.errors import ReadError
from posenc.testing import LawError
from posenc.testing._libraries import library
from posenc.testing._quantities import At, tolerance
from posenc.testing.golden import Golden, cases, compare

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = {case.name: case for case in cases(GOLDEN)}

# A case for each quantity.
ONE_OF_EACH = [
    ("rope_scaling/yarn-40-back", "frequencies"),
    ("rope_scaling/yarn-40-back", "attention_factor"),
    ("rope_scaling/yarn-40-back", "cos"),
    ("rope_scaling/yarn-40-back", "sin"),
    ("rope_scaling/yarn-40-back", "rotated"),
    ("rope_scaling/yarn-40-back", "scaled"),
    ("learned_rope/mixed-half", "as_query"),
    ("rope_crossed/v-jepa-2", "growth"),
    ("printed/half-score", "score"),
    ("printed/angles-base-10000", "angles"),
    ("printed/dynamic-ntk-2", "stretched_base"),
    ("printed/yarn-8-truncated", "bounds"),
    ("sinusoidal/paper-64", "embed"),
    ("positions/normalized-length-5", "embed"),
    ("alibi/geometric-12", "slopes"),
    ("alibi/geometric-12", "bias"),
    ("t5_bias/bias-causal", "bias"),
    ("xpos/half-6", "as_query"),
    ("xpos/half-6", "as_key"),
    ("polar/5-channels", "adjusted"),
    ("temperature/llama4-8192", "logit_scale"),
    ("t5_bias/320-800-causal", "buckets"),
    ("context/selfextend", "adjusted"),
    ("context/cope", "adjusted"),
    ("printed/cope-three-tokens", "contextual"),
    ("printed/cope-three-tokens", "counted"),
    ("printed/rerope-leaky-3000", "distances"),
    ("relative/deberta-buckets", "adjusted"),
    ("relative/deberta-buckets", "logit_scale"),
    ("window_bias/swin-v2", "log_offsets"),
    ("entries/nope", "attended"),
]


def moved(case: Golden, name: str, tolerances: float, *, float64: bool) -> Golden:
    """The case with the last number of a quantity off by so many tolerances."""
    data: dict[str, Any] = copy.deepcopy(dict(case.data))
    table = np.asarray(data[name], np.float64)
    at = At(case.spec, data, library("numpy"), float64)
    atol, rtol = tolerance(name, at)
    atol = atol + data.get("atol", 0.0)
    allowed = np.broadcast_to(atol + (rtol + data.get("rtol", 0.0)) * np.abs(table), table.shape)
    last = (-1,) * table.ndim
    table[last] += tolerances * allowed[last] or 1.0  # a bucket has no tolerance
    return Golden(case.name, case.spec, {**data, name: table.tolist()})


@pytest.mark.parametrize("float64", [True, False], ids=["float64", "float32"])
@pytest.mark.parametrize(("case", "name"), ONE_OF_EACH)
def test_a_number_off_by_ten_tolerances_is_rejected(case: str, name: str, float64: bool) -> None:
    compare(CASES[case], float64=float64)
    with pytest.raises(LawError, match=f"{case}: {name}"):
        compare(moved(CASES[case], name, 10.0, float64=float64), float64=float64)


def test_every_quantity_has_been_moved() -> None:
    assert {name for _, name in ONE_OF_EACH} == {n for case in CASES.values() for n in case.due}


def test_a_missing_row_is_rejected() -> None:
    case = CASES["rope/half-6"]
    short = Golden(case.name, case.spec, {**case.data, "cos": case.data["cos"][:-1]})
    with pytest.raises(LawError, match=r"rope/half-6: cos: shape \(9, 3\) where \(8, 3\) is due"):
        compare(short)


def test_a_nan_is_rejected() -> None:
    case = CASES["rope/half-6"]
    cos = [[float("nan")] * 3, *case.data["cos"][1:]]
    with pytest.raises(LawError, match="3 of 27 numbers are off"):
        compare(Golden(case.name, case.spec, {**case.data, "cos": cos}))


@pytest.mark.parametrize("text", ["", "[]", '{"case": []}', "{"])
def test_a_file_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(ReadError, match=r"^odd\.json must be a golden file"):
        cases(path)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="must be a golden file or a folder of them"):
        cases(tmp_path)


def test_a_file_is_read_by_its_own_name(tmp_path: Path) -> None:
    case = CASES["rope/half-6"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"cases": [case.data]}))
    assert [read.name for read in cases(path)] == ["mine/half-6"]
