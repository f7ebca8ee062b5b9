"""No tokens, no rows, and positions that no table holds."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError

ROPE = posenc.Rope(dim=8, layout="half")


@pytest.mark.parametrize("shape", [(1, 8, 0, 8), (1, 0, 4, 8), (0, 2, 4, 8)])
def test_an_axis_of_nothing(shape: tuple[int, ...]) -> None:
    """B160: no heads or no keys were divided by."""
    x = torch.zeros(shape)
    for axis in (-3, -2):
        at = torch.arange(shape[-5 - axis])
        assert posenc.bind(ROPE).query(x, at, head_axis=axis).shape == shape
    at = torch.arange(shape[-2])
    assert posenc.torch.attend(x, x, x, ROPE, q_positions=at).shape == shape
    assert (
        posenc.attend(x.numpy(), x.numpy(), x.numpy(), ROPE, q_positions=at.numpy()).shape == shape
    )


def test_a_formula_has_no_last_position() -> None:
    """B163: a buffer that did nothing, indexed by positions, set a limit."""
    enc = posenc.torch.Encoding(ROPE)
    assert not [*enc.buffers(), *enc.parameters()]
    x = torch.tensor([[1.0, 0, 0, 0, 0, 0, 0, 0]])
    y = enc(x, x, torch.tensor([2_000_000_007]), head_axis=None)[0]
    assert y[0, 0].item() == pytest.approx(np.cos(2_000_000_007.0), abs=5e-7)


def test_a_row_that_is_too_long_is_named() -> None:
    """B165: one of a batch had 2049 tokens, and the whole batch an index error."""
    embed = posenc.bind(posenc.Learned(rows=2048, dim=4)).embed
    at = np.stack([np.arange(2049) % 2048, np.arange(2049), np.arange(2049) % 9])
    with pytest.raises(
        EncodingError, match=r"positions\[1\] must be between 0 and 2047,.*; got '0\.\.2048'"
    ):
        embed(at)
    with pytest.raises(EncodingError, match=r"positions must be between 0 and 2047,.*'0\.\.2048'"):
        embed(at[1])


def test_a_code_by_formula_has_negative_and_very_large_positions() -> None:
    """B166: a table has neither, and says so."""
    code = posenc.bind(posenc.Sinusoidal(dim=2)).embed(np.array([-3, 10**9]), dtype=np.float64)
    due = [[-0.1411200081, -0.9899924966], [0.5458434495, 0.8378871813]]
    np.testing.assert_allclose(code, due, atol=1e-9)
    with pytest.raises(EncodingError, match="There is nothing for -3"):
        posenc.bind(posenc.Learned(rows=8, dim=2)).embed(np.array([-3]))
