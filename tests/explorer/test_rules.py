"""The settings that the view of rules offers mean what the view shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import posenc
from posenc import inspect
from posenc.claims._pairs import TRAINED, under
from posenc.explorer.views.rules import FACTORS, NAMES, PARTS, PYTHON, ruled, snippet, view


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("name", NAMES)
def test_a_config_with_these_settings_has_these_frequencies(name: str, factor: int) -> None:
    text = snippet(name, factor)
    stated, _, flags = text.partition("\n}")
    stated = eval(f"{stated}\n}}")  # JSON of numbers and words; for LongRoPE, Python
    config = {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "head_dim": 128,
        "num_hidden_layers": 1,
        "max_position_embeddings": TRAINED * (1 if name == "dynamic" else factor),
        **stated,
    }
    spec: Any = inspect.read(config).parts[0].groups[0].spec
    length = factor * TRAINED
    due = under(ruled(name, factor)).frequencies(length)
    np.testing.assert_allclose(spec.frequencies(length), due, rtol=1e-12)
    assert flags == "" or flags.startswith("\n# llama.cpp\n--rope-")


def test_ratios_are_as_fine_as_the_picture_shows() -> None:
    given = view.numbers()["rules.ratios"] / PARTS
    for row, name in enumerate(NAMES):
        for column, factor in enumerate(FACTORS):
            spec = under(ruled(name, factor))
            due = spec.frequencies(factor * TRAINED) / under("linear").frequencies() / 8
            np.testing.assert_allclose(given[row, column], due, atol=0.5 / PARTS)


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_in_python_are_those_of_the_picture(name: str) -> None:
    for factor in FACTORS:
        scaling = eval("posenc." + PYTHON[name].format(factor=factor), {"posenc": posenc})
        assert scaling == ruled(name, factor)
