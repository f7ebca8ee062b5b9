"""What other libraries compute, and who is right where they differ; docs/explanation/peers.md.

Positions from 8 and from 70 001. The truth about angles is mpmath's, on the float64 frequency.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
import rotary_embedding_torch
import torch
from positional_encodings.torch_encodings import PositionalEncoding1D
from torch import Tensor
from transformers.models.bloom import modeling_bloom
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.gptj import modeling_gptj
from transformers.models.t5 import modeling_t5
from x_transformers import x_transformers

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS = 2, 3, 5
DIMS = (6, 10, 64, 96)
STARTS = (8, 70_001)
# How far their numbers are from the truth at 70 001: a float32 angle of that size is rounded by up
# to half of 1 / 128, its product with a rounded frequency by about as much. By channels.
FAR = {
    "half": {6: 7.0e-4, 10: 1.2e-3, 64: 4.4e-3, 96: 6.1e-3},
    "interleaved": {6: 8.6e-4, 10: 1.5e-3, 64: 5.2e-3, 96: 7.3e-3},
    "sinusoid": {6: 2.9e-4, 7: 2.2e-4, 10: 5.3e-4, 64: 2.2e-3, 96: 2.3e-3},
}
LARGEST_ULP = 2  # between their frequencies and ours in float32: torch's power is a bit off


def gptj(x: Tensor, first: int) -> Tensor:
    table = modeling_gptj.create_sinusoidal_positions(first + TOKENS, x.shape[-1])[first:]
    sin, cos = table.expand(BATCH, -1, -1).chunk(2, dim=-1)
    return modeling_gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)


def gpt_neox(x: Tensor, first: int) -> Tensor:
    config = modeling_gpt_neox.GPTNeoXConfig(
        hidden_size=HEADS * x.shape[-1],
        num_attention_heads=HEADS,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": 1.0,
        },
    )
    at = torch.arange(first, first + TOKENS).expand(BATCH, -1)
    cos, sin = modeling_gpt_neox.GPTNeoXRotaryEmbedding(config)(x, at)
    return modeling_gpt_neox.apply_rotary_pos_emb(x, x, cos, sin)[1]


def lucidrains(x: Tensor, first: int) -> Tensor:
    turn = rotary_embedding_torch.RotaryEmbedding(x.shape[-1])
    return turn.rotate_queries_or_keys(x, offset=first)


def x_transformer(x: Tensor, first: int) -> Tensor:
    angles, scale = x_transformers.RotaryEmbedding(x.shape[-1])(torch.arange(first, first + TOKENS))
    return x_transformers.apply_rotary_pos_emb(x, angles, scale)


ROTARY: dict[str, tuple[posenc.Layout, Callable[[Tensor, int], Tensor]]] = {
    "gptj": ("interleaved", gptj),
    "gpt-neox": ("half", gpt_neox),
    "rotary-embedding-torch": ("interleaved", lucidrains),
    "x-transformers": ("interleaved", x_transformer),
}


def drawn(dim: int) -> Tensor:
    return torch.randn(BATCH, HEADS, TOKENS, dim, generator=torch.Generator().manual_seed(dim))


def true_angles(dim: int, first: int) -> tuple[Tensor, Tensor]:
    """cos and sin to the last bit of float64, (tokens, pairs)."""
    freqs = [10_000.0 ** (-2.0 * i / dim) for i in range(dim // 2)]
    with mpmath.workprec(120):
        angles = [[mpmath.mpf(p) * w for w in freqs] for p in range(first, first + TOKENS)]
        return tuple(
            torch.tensor([[float(f(a)) for a in row] for row in angles], dtype=torch.float64)
            for f in (mpmath.cos, mpmath.sin)
        )


def truly_turned(x: Tensor, first: int, layout: str) -> Tensor:
    cos, sin = true_angles(x.shape[-1], first)
    pairs = (-1, 2) if layout == "interleaved" else (2, -1)
    axis = -1 if layout == "interleaved" else -2
    a, b = x.double().unflatten(-1, pairs).unbind(axis)
    return torch.stack((a * cos - b * sin, a * sin + b * cos), axis).flatten(-2)


def off(got: Tensor, due: Tensor) -> float:
    return (got.double() - due).abs().max().item()


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("name", ROTARY)
def test_rotations_agree_while_positions_are_small(name: str, dim: int) -> None:
    layout, turned = ROTARY[name]
    x, spec = drawn(dim), posenc.Rope(dim=dim, layout=layout)
    ours = posenc.bind(spec).query(x, torch.arange(8, 8 + TOKENS))
    torch.testing.assert_close(turned(x, 8), ours, atol=1.5e-6, rtol=0)
    assert off(turned(x, 8), truly_turned(x, 8, layout)) < 1.5e-6


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("name", ROTARY)
def test_float32_angles_cost_them_three_digits_far_out(name: str, dim: int) -> None:
    layout, turned = ROTARY[name]
    x, spec = drawn(dim), posenc.Rope(dim=dim, layout=layout)
    at = torch.arange(70_001, 70_001 + TOKENS)
    due = truly_turned(x, 70_001, layout)
    assert off(turned(x, 70_001), due) == pytest.approx(FAR[layout][dim], rel=0.3)
    assert off(posenc.bind(spec).query(x, at), due) < 1e-6


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("name", ROTARY)
def test_float32_arithmetic_repeats_their_rounding(name: str, dim: int, start: int) -> None:
    """To the last bit of the sums, on pairs whose float32 frequency is the same as theirs."""
    layout, turned = ROTARY[name]
    x, spec = drawn(dim), posenc.Rope(dim=dim, layout=layout)
    rates = spec.constants(arithmetic="float32")["rates"]
    theirs = (1.0 / 10_000 ** (torch.arange(0, dim, 2).float() / dim)).numpy()
    np.testing.assert_array_max_ulp(rates, theirs, maxulp=LARGEST_ULP)
    same = torch.tensor(rates == theirs)
    assert same.double().mean() >= 0.9
    same = same.repeat_interleave(2) if layout == "interleaved" else same.repeat(2)
    at = torch.arange(start, start + TOKENS)
    ours = posenc.bind(spec, arithmetic="float32").query(x, at)
    torch.testing.assert_close(turned(x, start)[..., same], ours[..., same], atol=5e-7, rtol=0)


def test_positions_in_the_dtype_of_queries_run_together() -> None:
    """rotary-embedding-torch counts in bfloat16 for bfloat16 queries; posenc counts in integers."""
    x = torch.ones(1, 1, 512, 64)
    turn = rotary_embedding_torch.RotaryEmbedding(64)
    theirs = turn.rotate_queries_or_keys(x.bfloat16(), offset=1024)
    ours = posenc.bind(posenc.Rope(dim=64, layout="interleaved")).query(
        x.bfloat16(), torch.arange(1024, 1024 + 512)
    )
    assert len(theirs[0, 0].unique(dim=0)) == 65
    assert len(ours[0, 0].unique(dim=0)) == 512


@pytest.mark.parametrize("dim", [*DIMS, 7])
def test_the_sinusoid_of_positional_encodings(dim: int) -> None:
    """An odd width is the code of one channel more, cut."""
    table = PositionalEncoding1D(dim)(torch.zeros(1, 70_001 + TOKENS, dim))[0]
    spec = posenc.Sinusoidal(dim=dim, odd="ceil" if dim % 2 else "refuse")
    for start in STARTS:
        at = torch.arange(start, start + TOKENS)
        cos, sin = true_angles(dim + dim % 2, start)
        due = torch.stack((sin, cos), -1).flatten(-2)[:, :dim]
        figure = FAR["sinusoid"][dim] if start > 8 else 0
        assert off(table[at], due) == pytest.approx(figure, rel=0.3, abs=5e-7)
        assert off(posenc.bind(spec).embed(at), due) < 5e-7


@pytest.mark.parametrize("heads", [3, 4, 6, 8, 12])
def test_blooms_bias_is_ours_but_for_a_constant_in_each_row(heads: int) -> None:
    """It adds slope * key, where ALiBi is -slope * (query - key): the same to a softmax.

    In float32 its terms at 70 000 are rounded by up to half of 1 / 256, and slopes that are no
    powers of two are up to 1.1e-7 of themselves off: ours is the nearer one.
    """
    assert posenc.Alibi(heads=heads).head_slopes() == pytest.approx(
        modeling_bloom._get_alibi_slopes(heads, "cpu").numpy(), rel=1.2e-7
    )
    for first, bound in ((8, 1e-6), (70_001, 2**-8)):
        q = torch.arange(first, first + TOKENS)
        k = torch.arange(first - 8, first + TOKENS)
        theirs = modeling_bloom.build_alibi_tensor(
            torch.ones(1, first + TOKENS), heads, torch.float32
        )[..., k]
        ours = posenc.bind(posenc.Alibi(heads=heads)).bias(q, k)
        slopes = torch.tensor(posenc.Alibi(heads=heads).head_slopes())[:, None, None]
        assert off(theirs - slopes * q[:, None], ours.double()) < bound
        assert off(ours, -slopes * (q[:, None] - k)) < 1e-6


def test_blooms_bias_in_bfloat16_loses_tokens() -> None:
    """In each head the twenty keys around 70 001 get one and the same bias, up to 64 off."""
    theirs = modeling_bloom.build_alibi_tensor(torch.ones(1, 70_011), 4, torch.bfloat16)
    assert [len(row.unique()) for row in theirs[:, 0, 69_991:]] == [1, 1, 1, 1]
    rounded = theirs[0, 0].double() - 0.25 * torch.arange(70_011)
    assert rounded.abs().max() == 64


@pytest.mark.parametrize("heads", [3, 4, 6, 8, 12])
def test_the_alibi_of_x_transformers_looks_both_ways(heads: int) -> None:
    bias = x_transformers.AlibiPositionalBias(heads)
    spec = posenc.Alibi(heads=heads, symmetric=True)
    scheme, causal = posenc.bind(spec), posenc.bind(posenc.Alibi(heads=heads))
    for first in STARTS:
        q = torch.arange(first, first + TOKENS)
        k = torch.arange(first - 7, first + TOKENS + 2)
        theirs = bias.forward_custom_pos(q, k)
        torch.testing.assert_close(theirs, scheme.bias(q, k), atol=0, rtol=0)
        seen = (q[:, None] >= k).expand_as(theirs)
        torch.testing.assert_close(theirs[seen], causal.bias(q, k)[seen], atol=0, rtol=0)
    # Queries stand at the end of their keys.
    due = scheme.bias(torch.arange(8, 13), torch.arange(13))
    torch.testing.assert_close(bias(5, 13), due, atol=0, rtol=0)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("buckets", "reach"), [(32, 128), (16, 64), (8, 20), (64, 1000)])
def test_buckets_of_t5_and_x_transformers(bidirectional: bool, buckets: int, reach: int) -> None:
    """Every distance on both sides, and queries from 8 and 70 001 on: no bucket differs."""
    config = modeling_t5.T5Config(
        d_model=12,
        d_kv=4,
        num_heads=HEADS,
        relative_attention_num_buckets=buckets,
        relative_attention_max_distance=reach,
        is_decoder=not bidirectional,
    )
    t5 = modeling_t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    other = x_transformers.RelativePositionBias(
        scale=1.0, causal=not bidirectional, num_buckets=buckets, max_distance=reach, heads=HEADS
    )
    table = torch.arange(buckets * HEADS).reshape(buckets, HEADS).float()  # every entry its own
    for layer in (t5, other):
        layer.relative_attention_bias.weight.data = table
    spec = posenc.T5Bias(
        heads=HEADS, bidirectional=bidirectional, buckets=buckets, max_distance=reach
    )
    scheme = posenc.bind(spec, {"table": table})
    for first, keys in ((8, 2 * reach), (70_001, 70_001 + TOKENS)):
        q, k = torch.arange(first, first + TOKENS), torch.arange(keys)
        theirs = t5.compute_bias(TOKENS, keys, past_seen_tokens=first)[0]
        torch.testing.assert_close(theirs, scheme.bias(q, k), atol=0, rtol=0)
    for queries, keys in ((2 * reach, 2 * reach), (TOKENS, 70_001 + TOKENS)):
        q, k = torch.arange(keys - queries, keys), torch.arange(keys)
        torch.testing.assert_close(other(queries, keys), scheme.bias(q, k), atol=0, rtol=0)
