"""Nothing is kept under a key that can come to mean something else."""

from __future__ import annotations

import torch

import posenc
from posenc.torch import Encoding

ROPE = posenc.Rope(dim=10, layout="half")


def test_every_frequency_after_a_meta_build() -> None:
    """B75: what was allocated and never written read 2.9e-39, which is finite."""
    enc = Encoding(ROPE, device="meta").to_empty(device="cpu")
    x = torch.tensor([[1.0] * 5 + [0.0] * 5])
    cos, sin = enc(x, x, torch.tensor([1]), head_axis=None)[0].split(5, -1)
    due = 1e4 ** (-torch.arange(5, dtype=torch.float64) / 5)
    torch.testing.assert_close(torch.atan2(sin, cos)[0].double(), due, atol=1e-7, rtol=1e-6)


def test_positions_at_one_address_are_looked_at_each_time() -> None:
    """B81: a table was kept by the address of a tensor that somebody wrote into, or freed."""
    rope, alibi, x = Encoding(ROPE), Encoding(posenc.Alibi(heads=3)), torch.ones(5, 10)
    hooks = (
        lambda at: rope(x, x, at, head_axis=None)[0],
        lambda at: alibi(at, torch.arange(5)),
        posenc.bind(posenc.Sinusoidal(dim=10)).embed,
    )
    for hook in hooks:
        at = torch.arange(8, 13)
        before, address = hook(at), at.data_ptr()
        at += 70_000
        assert at.data_ptr() == address
        after = hook(at)
        assert not torch.equal(before, after)
        torch.testing.assert_close(after, hook(at.clone()), atol=0, rtol=0)
