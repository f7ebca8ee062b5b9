"""Every config in the folder reads as transformers' own classes have it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import inspect

CONFIGS = Path(__file__).parents[1] / "data" / "configs"
CASES_PER_FAMILY = {
    "bloom": 1,
    "gemma": 1,
    "gemma2": 1,
    "gpt_neox": 4,
    "llama": 16,
    "mistral": 2,
    "mpt": 1,
    "mt5": 1,
    "olmo2": 2,
    "olmoe": 1,
    "phi": 3,
    "phi3": 9,  # of four files: one refused, two with a case for each of four lengths
    "qwen2": 5,
    "qwen3": 4,
    "qwen3_moe": 2,
    "stablelm": 2,
    "starcoder2": 1,
    "t5": 1,
    "umt5": 1,
}


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


PATHS = sorted(CONFIGS.glob("*.json"))
GOLDENS = {path: load(path.parent / "golden" / path.name) for path in PATHS}
CASES = [(path, case) for path in PATHS for case in GOLDENS[path]["cases"]]


def cases_with(key: str) -> list[Any]:
    found = [(path, case) for path, case in CASES if key in case]
    return [pytest.param(p, c, id=f"{p.stem}-{c.get('seq_len')}") for p, c in found]


def test_no_case_is_missing() -> None:
    assert Counter(load(path)["model_type"] for path, _ in CASES) == CASES_PER_FAMILY
    assert len(PATHS) == 53
    assert [path.stem for path in PATHS if not GOLDENS[path]["cases"]] == [
        "microsoft__Phi-3-vision-128k-instruct.su"
    ]


@pytest.mark.parametrize(("path", "case"), cases_with("inv_freq"))
def test_rotary(path: Path, case: dict[str, Any]) -> None:
    (part,) = inspect.read(path).parts
    (group,) = part.groups
    length = case["seq_len"]
    np.testing.assert_allclose(group.freqs(length), case["inv_freq"], rtol=1e-6, atol=0)
    factor = group.attention_factor(length)
    np.testing.assert_allclose(factor, case["attention_scaling"], rtol=1e-7, atol=0)
    assert group.layout == "half"


def test_what_transformers_refuses_reads_right_all_the_same() -> None:
    path = CONFIGS / "microsoft__Phi-3-vision-128k-instruct.su.json"
    block = load(path)["rope_scaling"]
    group = inspect.read(path).parts[0].groups[0]
    plain = 10_000.0 ** -(np.arange(48) / 48)
    for length, key in [(None, "short"), (4096, "short"), (4097, "long"), (131_072, "long")]:
        wanted = plain / np.array(block[f"{key}_factor"])
        np.testing.assert_allclose(group.freqs(length), wanted, rtol=1e-12)
        assert group.attention_factor(length) == pytest.approx(1.190238071, rel=1e-9)


@pytest.mark.parametrize(("path", "case"), cases_with("slopes"))
def test_alibi(path: Path, case: dict[str, Any]) -> None:
    spec = inspect.read(path).parts[0].groups[0].spec
    assert isinstance(spec, posenc.Alibi)
    # Upstream raises a rounded float32 to powers: the smallest slope is off by 3e-7.
    np.testing.assert_allclose(spec.head_slopes(), case["slopes"], rtol=5e-7, atol=0)


@pytest.mark.parametrize(("path", "case"), cases_with("causal"))
def test_t5(path: Path, case: dict[str, Any]) -> None:
    first, last = case["relative_positions"]
    parts = {part.name: part for part in inspect.read(path).parts}
    assert list(parts) == ["encoder", "decoder"]
    for name, key in [("encoder", "bidirectional"), ("decoder", "causal")]:
        spec = parts[name].groups[0].spec
        assert isinstance(spec, posenc.T5Bias)
        assert (spec.buckets, spec.max_distance) == (case["num_buckets"], case["max_distance"])
        numbered = np.repeat(np.arange(spec.buckets, dtype=np.float32)[:, None], spec.heads, 1)
        scheme = posenc.bind(spec, {"table": numbered})
        bias = scheme.bias(np.array([-first]), np.arange(last - first + 1))
        np.testing.assert_array_equal(bias[0, 0], case[key])
