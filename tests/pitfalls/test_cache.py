"""Where a decode step is, what is turned once, and what moves."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError
from posenc.positions import arange
from posenc.torch import Encoding

ROPE = posenc.Rope(dim=10, layout="half")


def test_what_was_prepared_is_read_alike_by_every_layer() -> None:
    """B53: the first layer counted on, so that those above were one ahead."""
    layers = [Encoding(ROPE) for _ in range(3)]
    x = torch.ones(2, 1, 10)
    for p in range(8, 11):
        placed = layers[0].prepare(torch.tensor([p]))
        due = posenc.bind(ROPE).query(x, torch.tensor([p]))
        for layer in layers:
            torch.testing.assert_close(layer(x, x, placed)[0], due)


def test_the_last_position_counts_not_the_number_of_tokens() -> None:
    """B54: three tokens fit into eight rows, but not after six."""
    embed = posenc.bind(posenc.Learned(rows=8, dim=4)).embed
    assert embed(arange(2, offset=6)).shape == (2, 4)
    with pytest.raises(EncodingError, match=r"between 0 and 7, .*; got '6\.\.8'"):
        embed(arange(3, offset=6))


def test_a_key_turned_twice_is_at_twice_its_position() -> None:
    """B56: turned keys are said to be turned, and left alone."""
    scheme = posenc.bind(ROPE)
    q, k, v = torch.randn(3, 1, 2, 5, 10, generator=torch.Generator().manual_seed(0))
    at = torch.arange(8, 13)
    turned = scheme.key(k, at)
    twice = scheme.key(turned, at)
    torch.testing.assert_close(twice, scheme.key(k, 2 * at), atol=2e-6, rtol=1e-6)
    due = posenc.torch.attend(q, k, v, ROPE, q_positions=at)
    given = {"q_positions": at, "keys": "turned"}
    for _ in range(3):
        got = posenc.torch.attend(q, turned, v, ROPE, **given)
        torch.testing.assert_close(got, due, atol=2e-6, rtol=1e-5)
    assert (posenc.torch.attend(q, twice, v, ROPE, **given) - due).abs().max() > 0.05


@pytest.mark.parametrize("xp", ["numpy", "torch", "jax"])
def test_the_diagonal_of_a_bias_is_shifted_by_the_memory(xp: str) -> None:
    """B59: two queries after a memory of three; distance 0 is at column r + 3."""
    q, k = arange(2, offset=3, xp=xp), arange(5, xp=xp)
    alibi = np.asarray(posenc.bind(posenc.Alibi(heads=1, slopes=[1.0])).bias(q, k))[0]
    np.testing.assert_array_equal(alibi, [[-3, -2, -1, 0, 1], [-4, -3, -2, -1, 0]])
    buckets = {"table": np.arange(32, dtype=np.float32)[:, None]}
    t5 = posenc.bind(posenc.T5Bias(heads=1, bidirectional=False), buckets).bias(q, k)
    np.testing.assert_array_equal(np.asarray(t5)[0], [[3, 2, 1, 0, 0], [4, 3, 2, 1, 0]])


def test_several_coordinates_are_not_shifted_as_one() -> None:
    """B62: an encoding of one axis refuses positions of three."""
    x, at = np.zeros((2, 4, 5, 10)), posenc.positions.grid(t=1, h=1, w=5, order="thw")
    assert at.shape == (5, 3)
    for hook in (posenc.bind(ROPE).query, posenc.bind(ROPE).key):
        for given in (at, np.moveaxis(at, -1, 0)):
            with pytest.raises(EncodingError, match="positions must be of shape"):
                hook(x, given - 1)
