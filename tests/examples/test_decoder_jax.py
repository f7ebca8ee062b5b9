"""The decoder in JAX learns, and its scan decodes what the full pass computes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

FILE = Path(__file__).parents[2] / "examples" / "decoder_jax.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("decoder_jax", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["nope", "rope", "rope-yarn", "alibi", "t5", "learned"])
def test_a_filled_cache_gives_the_logits_of_the_full_pass(example: ModuleType, name: str) -> None:
    first, second = jax.random.split(jax.random.key(0))
    tree = example.model(20, example.encoding(name, 96, first), second)
    tokens, at = jnp.arange(24) % 20, jnp.arange(24)
    full, _ = example.logits(tree, tokens, at)
    heads, width = example.HEADS, example.WIDTH // example.HEADS
    cache = [tuple(jnp.zeros((2, heads, 40, width))) for _ in tree["layers"]]
    start = 0
    for stop in (9, 10, 24):
        piece, cache = example.logits(tree, tokens[start:stop], at[start:stop], cache)
        np.testing.assert_allclose(piece, full[start:stop], atol=5e-5, rtol=1e-4)
        start = stop


def test_it_learns_and_writes_what_it_learnt(example: ModuleType) -> None:
    keys = jax.random.split(jax.random.key(0), 4)
    tree = example.model(20, example.encoding("rope", 96, keys[0]), keys[1])
    data = jnp.arange(3000) // 3 % 20
    tree, losses = example.train(tree, data, steps=80, key=keys[2])
    assert losses[0] > 2.5
    assert losses[-1] < 0.5
    written = example.generate(tree, data[:64], 12, keys[3])
    assert (written[64:] == data[64:76]).mean() > 0.6
