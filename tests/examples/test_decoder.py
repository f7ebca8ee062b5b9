"""The example decoder learns under every encoding, and decodes from its caches what it computes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import torch

import posenc
from posenc.torch import Cache

FILE = Path(__file__).parents[2] / "examples" / "decoder.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("decoder", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model(example: ModuleType, name: str) -> torch.nn.Module:
    torch.manual_seed(0)
    return example.Decoder(20, example.encoding(name, 96))


OF_ANOTHER_WIDTH = {"binary", "gray", "one-hot"}
OF_TEXT = {
    name
    for name, entry in posenc.encodings(plugins=False).items()
    if posenc.bind(entry.make(), length=64).coordinates == 1
}
NAMES = sorted(OF_TEXT - OF_ANOTHER_WIDTH)


@pytest.mark.parametrize("name", NAMES)
def test_cached_steps_give_the_logits_of_the_full_pass(example: ModuleType, name: str) -> None:
    made = model(example, name)
    tokens, at = torch.randint(20, (1, 24)), torch.arange(24)
    full = made(tokens, at)
    caches, start = [Cache(made.enc) for _ in made.layers], 0
    for stop in (9, 10, 15, 24):
        piece = made(tokens[:, start:stop], at[start:stop], caches)
        torch.testing.assert_close(piece, full[:, start:stop], atol=2e-5, rtol=1e-5)
        start = stop


@pytest.mark.parametrize("name", ["rope", "alibi", "t5", "learned", "sinusoidal"])
def test_it_learns(example: ModuleType, name: str) -> None:
    """A row in which each sign says which is next, but for where one is in a group of three."""
    made = model(example, name)
    data = torch.arange(3000) // 3 % 20
    losses = example.train(made, data, steps=60)
    assert losses[0] > 2.5
    assert losses[-1] < 0.5
    assert made.generate(data[:12], 5).shape == (17,)


def test_it_is_short_enough_to_be_read() -> None:
    assert len(FILE.read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("name", sorted(OF_ANOTHER_WIDTH))
def test_a_code_of_another_width_is_refused(example: ModuleType, name: str) -> None:
    with pytest.raises(SystemExit, match="codes of another width"):
        example.encoding(name, 96)
