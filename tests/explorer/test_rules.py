"""The settings that the view of rules offers mean what the view shows."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from posenc import inspect
from posenc.claims._pairs import TRAINED, under
from posenc.explorer.views.rules import FACTORS, NAMES, PARTS, ruled, snippet, view


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "longrope"])
def test_a_config_with_these_settings_has_these_frequencies(name: str, factor: int) -> None:
    text = snippet(name, factor)
    stated, end = json.JSONDecoder().raw_decode(text)
    flags = text[end:].strip()
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
    assert flags == "" or flags.startswith("--rope-")


def test_ratios_are_as_fine_as_the_picture_shows() -> None:
    given = view.numbers()["rules.ratios"] / PARTS
    for row, name in enumerate(NAMES):
        for column, factor in enumerate(FACTORS):
            spec = under(ruled(name, factor))
            due = spec.frequencies(factor * TRAINED) / under("linear").frequencies() / 8
            np.testing.assert_allclose(given[row, column], due, atol=0.5 / PARTS)
