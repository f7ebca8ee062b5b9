"""What a constant shift of all positions does."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc

SHIFTS = (1, 50, 1000, 100_000)
Q, K = torch.randn(2, 1, 128, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
Q, K = Q / Q.norm(), K / K.norm()


def score(dtype: torch.dtype, shift: int, turned: torch.dtype | None = None) -> float:
    scheme = posenc.bind(posenc.Rope(dim=128, layout="half"))
    at = torch.tensor([3 + shift]), torch.tensor([11 + shift])
    q = scheme.query(Q.to(dtype), at[0], head_axis=None).to(turned or dtype)
    k = scheme.key(K.to(dtype), at[1], head_axis=None).to(turned or dtype)
    return float((q.double() * k.double()).sum())


@pytest.mark.parametrize(("dtype", "bound"), [(torch.float64, 1e-12), (torch.float32, 1e-6)])
def test_rotary_scores_do_not_see_a_shift(dtype: torch.dtype, bound: float) -> None:
    """B65: exact in real numbers; vectors rounded to bfloat16 after they were turned do see it."""
    for shift in SHIFTS:
        assert score(dtype, shift) == pytest.approx(score(dtype, 0), abs=bound)
    rounded = [score(dtype, shift, torch.bfloat16) for shift in (0, *SHIFTS)]
    assert np.ptp(rounded) > 1e-5


def test_codes_of_absolute_positions_do_see_a_shift() -> None:
    """B65."""
    embed = posenc.bind(posenc.Sinusoidal(dim=10)).embed
    assert np.abs(embed(np.arange(8, 13)) - embed(np.arange(9, 14))).max() > 0.5
