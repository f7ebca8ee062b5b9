"""Slopes, buckets, signs and memory of biases."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from transformers.models.t5 import modeling_t5

import posenc
import posenc.torch
from posenc.torch import Encoding

EIGHT = [2.0**-h for h in range(1, 9)]


@pytest.mark.parametrize(
    ("heads", "slopes"),
    [
        (12, [*EIGHT, 0.7071067812, 0.3535533906, 0.1767766953, 0.0883883476]),
        (3, [0.0625, 0.00390625, 0.25]),
        (6, [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]),
        (8, EIGHT),
    ],
)
def test_slopes(heads: int, slopes: list[float]) -> None:
    """B140, B141: one sequence for any number of heads, kept from the model before; 1 as first."""
    np.testing.assert_allclose(posenc.Alibi(heads=heads).head_slopes(), slopes, rtol=1e-9)
    bias = posenc.bind(posenc.Alibi(heads=heads)).bias(np.array([9]), np.array([8]))
    np.testing.assert_allclose(-bias[:, 0, 0], slopes, rtol=1e-7)


def test_far_keys_are_penalised() -> None:
    """B144: five keys back at slope m is -5 m."""
    bias = posenc.bind(posenc.Alibi(heads=1, slopes=[0.25])).bias(np.array([5]), np.array([0]))
    assert bias.item() == -1.25


@pytest.mark.parametrize("xp", ["numpy", "torch", "jax"])
def test_a_decode_step_has_a_bias_on_every_key(xp: str) -> None:
    """B145: made of the query alone it was [[0]], and broadcast."""
    alibi = posenc.bind(posenc.Alibi(heads=1, slopes=[0.5]))
    arange = posenc.positions.arange
    got = np.asarray(alibi.bias(arange(1, offset=7, xp=xp), arange(8, xp=xp)))
    np.testing.assert_array_equal(got, [[[-3.5, -3, -2.5, -2, -1.5, -1, -0.5, 0]]])


class Largest(TorchDispatchMode):
    """The most numbers that any operation made at once."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for made in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(made, torch.Tensor):
                self.numbers = max(self.numbers, made.numel())
        return out


def test_a_bias_is_32_slopes_and_never_whole() -> None:
    """B147: at 8192 tokens the whole takes 4 294 967 296 bytes in bfloat16."""
    enc, n = Encoding(posenc.Alibi(heads=32)), 512
    assert sum(b.numel() for b in enc._derived.arrays().values()) == 32
    q, at = torch.ones(32, n, 2), torch.arange(n)
    with Largest() as by_rows:
        posenc.torch.attend(q, q, q, enc, q_positions=at, causal=True, backend="rows")
    with Largest() as reference:
        posenc.torch.attend(q, q, q, enc, q_positions=at, causal=True, backend="reference")
    assert reference.numbers == 32 * n * n
    assert by_rows.numbers <= reference.numbers / 4


@pytest.mark.upstream
def test_cross_attention_of_t5_has_no_bias() -> None:
    """B148: the layer of transformers is plain attention, unscaled, and a config names no other."""
    torch.manual_seed(0)
    config = modeling_t5.T5Config(d_model=16, d_kv=8, num_heads=2, dropout_rate=0.0)
    layer = modeling_t5.T5LayerCrossAttention(config, layer_idx=0).EncDecAttention.eval()
    here, there = torch.randn(2, 3, 16), torch.randn(2, 5, 16)
    theirs = layer(here, key_value_states=there)[0]

    def heads(x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (2, 8)).transpose(1, 2)

    q, k, v = heads(layer.q(here)), heads(layer.k(there)), heads(layer.v(there))
    ours = posenc.attend(q, k, v, posenc.NoPE(), scale=1.0)
    ours = layer.o(ours.transpose(1, 2).flatten(-2))
    torch.testing.assert_close(ours, theirs, atol=2e-6, rtol=1e-5)
    parts = posenc.inspect.read({"model_type": "t5"}).parts
    assert [part.name for part in parts] == ["encoder", "decoder"]


def buckets(spec: posenc.T5Bias, q: torch.Tensor, k: torch.Tensor, dtype: torch.dtype) -> list:
    """The bucket of every pair, read off a table that holds the number of each row."""
    enc = Encoding(spec)
    with torch.no_grad():
        enc.learned.arrays()["table"].copy_(torch.arange(32.0)[:, None])
    return enc.to(dtype)(q, k)[0].tolist()


ENCODER = posenc.T5Bias(heads=1, bidirectional=True)
DECODER = posenc.T5Bias(heads=1, bidirectional=False)


def test_buckets_ahead_and_behind() -> None:
    """B150: without the logarithm, without the last bucket, or the wrong way round."""
    row = buckets(ENCODER, torch.arange(1), torch.arange(10), torch.float32)[0]
    assert row == [0, 17, 18, 19, 20, 21, 22, 23, 24, 24]
    edges = {8: 8, 11: 8, 12: 9, 15: 9, 16: 10, 22: 10, 23: 11, 31: 11, 32: 12, 45: 12, 46: 13}
    edges |= {63: 13, 64: 14, 90: 14, 91: 15, 127: 15, 128: 15, 10**6: 15}
    behind = buckets(ENCODER, torch.tensor([10**6]), 10**6 - torch.tensor([*edges]), torch.float32)
    assert behind[0] == [*edges.values()]
    edges = {-1: 0, 0: 0, 15: 15, 16: 16, 18: 16, 19: 17, 112: 30, 113: 31, 10**6: 31}
    causal = buckets(DECODER, torch.tensor([10**6]), 10**6 - torch.tensor([*edges]), torch.float32)
    assert causal[0] == [*edges.values()]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_no_cast_moves_an_edge(dtype: torch.dtype) -> None:
    """B151: in bfloat16 the logarithm puts 16, 32 and 90 into another bucket."""
    apart = torch.arange(200)
    got = buckets(ENCODER, torch.tensor([199]), 199 - apart, dtype)[0]
    assert [got[d] for d in (16, 32, 90)] == [10, 12, 14]
    assert got == buckets(ENCODER, torch.tensor([199]), 199 - apart, torch.float32)[0]


def test_a_bucket_does_not_depend_on_the_length() -> None:
    """B153: the logarithm was scaled by the sequence in place of the largest distance."""
    spec = posenc.T5Bias(heads=1, bidirectional=True, max_distance=512)
    short, long = (
        buckets(spec, torch.tensor([n - 1]), torch.arange(n), torch.float32)[0] for n in (128, 512)
    )
    assert long[-128:] == short
    assert short[0] != buckets(ENCODER, torch.tensor([127]), torch.arange(128), torch.float32)[0][0]
