"""Biases of installed models and packages, on their own learned arrays, drawn at random."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from transformers.models.falcon import modeling_falcon
from transformers.models.layoutlmv2 import modeling_layoutlmv2
from transformers.models.layoutlmv3 import modeling_layoutlmv3
from transformers.models.longt5 import modeling_longt5
from transformers.models.mpnet import modeling_mpnet
from transformers.models.mpt import modeling_mpt
from transformers.models.umt5 import modeling_umt5
from transformers.models.wavlm import modeling_wavlm
from x_transformers import x_transformers

import posenc

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS, DIM = 2, 6, 7, 10
STARTS = (8, 70_001)


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def heads(x: Tensor, count: int = HEADS) -> Tensor:
    return x.unflatten(-1, (count, -1)).transpose(1, 2)


def causal_mask() -> Tensor:
    ahead = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    return torch.zeros(TOKENS, TOKENS).masked_fill(ahead, float("-inf"))[None, None]


def equal(got: Tensor, due: Tensor, atol: float = 0.0) -> None:
    torch.testing.assert_close(got, due, atol=atol, rtol=0)


@pytest.mark.parametrize("count", [12, 8])
def test_a_falcon_layer_scales_its_bias_too(count: int) -> None:
    """Its slopes are rounded to bfloat16: some of 12 heads are a little off, of 8 none."""
    config = modeling_falcon.FalconConfig(
        hidden_size=count * DIM,
        num_attention_heads=count,
        alibi=True,
        multi_query=False,
        new_decoder_architecture=False,
        attn_implementation="eager",
    )
    layer = modeling_falcon.FalconAttention(config, layer_idx=0).eval()
    hidden = torch.randn(BATCH, TOKENS, count * DIM)
    alibi = modeling_falcon.build_alibi_tensor(torch.ones(BATCH, TOKENS), count, torch.float32)
    theirs = layer(hidden, alibi, causal_mask())[0]

    q, k, v = (x.transpose(1, 2) for x in layer._split_heads(layer.query_key_value(hidden)))
    exact = posenc.Alibi(heads=count, head_dim=DIM)
    slopes = torch.tensor(posenc.Alibi(heads=count).head_slopes())
    rounded = posenc.Alibi(heads=count, slopes=slopes.bfloat16().double().numpy(), head_dim=DIM)

    def ours(spec: posenc.Alibi, start: int = 8) -> Tensor:
        at = torch.arange(start, start + TOKENS)
        y = posenc.attend(q, k, v, spec, q_positions=at, causal=True)
        return layer.dense(y.transpose(1, 2).flatten(-2))

    equal(ours(rounded), theirs, 2e-6)
    equal(ours(rounded, 70_001), theirs, 2e-6)
    wrong = (ours(posenc.Alibi(heads=count)) - theirs).abs().max().item()
    assert wrong > 1e-3
    off = (ours(exact) - theirs).abs().max().item()
    assert (off < 2e-6) if count == 8 else (2e-6 < off < 1e-4)


def test_falcons_bias_merges_far_tokens() -> None:
    """With a mask of integers its product is bfloat16: at 300 it counts in twos, at 70 000 in 512s.

    Right is a bias of its own for every key.
    """
    ours = posenc.bind(posenc.Alibi(heads=8))
    for last, found in ((300, 11), (70_011, 1)):
        mask = torch.ones(1, last, dtype=torch.long)
        theirs = modeling_falcon.build_alibi_tensor(mask, 8, torch.float32)[:, 0, last - 20 :]
        assert [len(row.unique()) for row in theirs] == [found] * 8
        bias = ours.bias(torch.tensor([last - 1]), torch.arange(last - 20, last))
        assert [len(row.unique()) for row in bias[:, 0]] == [20] * 8


@pytest.mark.parametrize("top", [8, 4])
@pytest.mark.parametrize("count", [3, 6, 8, 12, 20])
def test_mpts_bias_is_ours_but_for_a_constant_in_each_row(count: int, top: int) -> None:
    """It adds slope * (key - last), the same to a softmax; its slopes are the reference's."""
    spec = posenc.Alibi(heads=count, bias_max=top)
    for first in STARTS:
        theirs = modeling_mpt.build_mpt_alibi_tensor(count, first + TOKENS, top)[..., first:]
        last = torch.tensor([first + TOKENS - 1])
        ours = posenc.bind(spec).bias(last, torch.arange(first, first + TOKENS))
        torch.testing.assert_close(theirs, ours, atol=0, rtol=3e-7)


def test_an_mpt_layer() -> None:
    config = modeling_mpt.MptConfig(d_model=HEADS * DIM, n_heads=HEADS)
    layer = modeling_mpt.MptAttention(config, layer_idx=0).eval()
    hidden = torch.randn(BATCH, TOKENS, HEADS * DIM)
    bias = modeling_mpt.build_mpt_alibi_tensor(HEADS, 64, 8)
    theirs = layer(hidden, bias, attention_mask=causal_mask() != 0)[0]
    q, k, v = (heads(x) for x in layer.Wqkv(hidden).chunk(3, dim=-1))
    at = torch.arange(8, 8 + TOKENS)
    ours = posenc.attend(q, k, v, posenc.Alibi(heads=HEADS), q_positions=at, causal=True)
    equal(layer.out_proj(ours.transpose(1, 2).flatten(-2)), theirs, 2e-6)


def wavlm() -> tuple[posenc.T5Bias, Tensor, Tensor]:
    layer = modeling_wavlm.WavLMAttention(HEADS * DIM, HEADS)
    spec = posenc.encodings()["t5-wavlm"].make(heads=HEADS)
    return spec, layer.rel_attn_embed.weight, layer.compute_bias(900, 1700)


def test_a_wavlm_layer_opens_its_bias_by_a_gate_for_each_query() -> None:
    """The gate is of the tokens: it multiplies what ``bias`` gives."""
    layer = modeling_wavlm.WavLMAttention(HEADS * DIM, HEADS).eval()
    torch.nn.init.normal_(layer.gru_rel_pos_const)
    hidden = torch.randn(BATCH, TOKENS, HEADS * DIM)
    theirs = layer(hidden)[0]
    spec = posenc.encodings()["t5-wavlm"].make(heads=HEADS)
    scheme = posenc.bind(spec, {"table": layer.rel_attn_embed.weight})
    parts = layer.gru_rel_pos_linear(heads(hidden)).unflatten(-1, (2, 4)).sum(-1)
    a, b = parts.sigmoid().split(1, dim=-1)
    gate = a * (b * layer.gru_rel_pos_const - 1) + 2
    bias = gate * scheme.bias(torch.arange(8, 8 + TOKENS))
    q, k, v = (heads(f(hidden)) for f in (layer.q_proj, layer.k_proj, layer.v_proj))
    ours = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    equal(layer.out_proj(ours.transpose(1, 2).flatten(-2)), theirs, 5e-7)


def umt5(decoder: bool) -> tuple[posenc.T5Bias, Tensor, Tensor]:
    config = modeling_umt5.UMT5Config(d_model=60, d_kv=DIM, num_heads=HEADS, is_decoder=decoder)
    layer = modeling_umt5.UMT5Attention(config, has_relative_attention_bias=True)
    spec = posenc.T5Bias(heads=HEADS, bidirectional=not decoder)
    return spec, layer.relative_attention_bias.weight, layer.compute_bias(900, 1700)[0]


def mpnet() -> tuple[posenc.T5Bias, Tensor, Tensor]:
    config = modeling_mpnet.MPNetConfig(
        hidden_size=60, num_attention_heads=HEADS, num_hidden_layers=1
    )
    layer = modeling_mpnet.MPNetEncoder(config)
    theirs = layer.compute_position_bias(torch.zeros(1, 900, 60))[0]
    spec = posenc.T5Bias(heads=HEADS, bidirectional=True)
    return spec, layer.relative_attention_bias.weight, theirs


def other() -> tuple[posenc.T5Bias, Tensor, Tensor]:
    layer = x_transformers.RelativePositionBias(scale=DIM**0.5, heads=HEADS)
    spec = posenc.encodings()["t5-x-transformers"].make(dim=DIM, heads=HEADS)
    return spec, layer.relative_attention_bias.weight, layer(900, 900)


TABLES = {
    "wavlm": wavlm,
    "umt5": lambda: umt5(False),
    "umt5-decoder": lambda: umt5(True),
    "mpnet": mpnet,
    "x-transformers": other,
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_buckets(name: str) -> None:
    spec, table, theirs = TABLES[name]()
    for first in (0, *STARTS):
        q, k = (torch.arange(first, first + n) for n in theirs.shape[-2:])
        equal(posenc.bind(spec, {"table": table}).bias(q, k), theirs)


def test_every_layer_of_umt5_has_a_table_of_its_own_and_t5_one_for_all() -> None:
    from transformers.models.t5 import modeling_t5

    small = {"d_model": 12, "d_kv": 4, "num_heads": 3, "num_layers": 3, "d_ff": 8, "vocab_size": 9}
    for module, config, model, count in (
        (modeling_umt5, "UMT5Config", "UMT5EncoderModel", 3),
        (modeling_t5, "T5Config", "T5EncoderModel", 1),
    ):
        made = getattr(module, model)(getattr(module, config)(**small))
        tables = [n for n, _ in made.named_parameters() if "relative_attention_bias" in n]
        assert len(tables) == count


def test_global_tokens_of_longt5_are_biased_by_blocks() -> None:
    config = modeling_longt5.LongT5Config(
        d_model=60,
        d_kv=DIM,
        num_heads=HEADS,
        global_block_size=4,
        encoder_attention_type="transient-global",
    )
    layer = modeling_longt5.LongT5TransientGlobalAttention(config, has_relative_attention_bias=True)
    mask = torch.ones(1, 98)
    blocks, segments = modeling_longt5._make_global_fixed_block_ids(mask, 4)
    theirs = layer.compute_side_bias(mask, segments)[0]
    table = {"table": layer.global_relative_attention_bias.weight}
    scheme = posenc.bind(posenc.T5Bias(heads=HEADS, bidirectional=True), table)
    equal(scheme.bias(blocks[0].long(), torch.arange(segments.shape[-1])), theirs)
    local = layer.compute_bias(9)[0, 0]
    table = {"table": layer.relative_attention_bias.weight}
    scheme = posenc.bind(posenc.T5Bias(heads=HEADS, bidirectional=True), table)
    equal(scheme.bias(torch.arange(70_010, 70_019), torch.arange(70_001, 70_028)), local)


def page() -> tuple[Tensor, Tensor]:
    """Boxes of words, and their positions: index, left edge, lower edge."""
    bbox = torch.randint(0, 1000, (BATCH, TOKENS, 4))
    index = torch.arange(8, 8 + TOKENS).expand(BATCH, -1)
    return bbox, torch.stack([index, bbox[..., 0], bbox[..., 3]], -1)


def layout(scale: float) -> posenc.Stack:
    across = {"buckets": 64, "max_distance": 256}
    return posenc.Stack(
        *(
            posenc.T5Bias(
                heads=HEADS, bidirectional=True, scale=scale, coordinates=3, axis=axis, **options
            )
            for axis, options in ((0, {}), (1, across), (2, across))
        )
    )


@pytest.mark.parametrize("version", [2, 3])
def test_layers_of_layoutlm(version: int) -> None:
    """Version 2 adds its three tables after the scaling of logits, version 3 before."""
    module = {2: modeling_layoutlmv2, 3: modeling_layoutlmv3}[version]
    config = getattr(module, f"LayoutLMv{version}Config")(
        hidden_size=HEADS * DIM,
        num_attention_heads=HEADS,
        num_hidden_layers=1,
        has_relative_attention_bias=True,
        has_spatial_attention_bias=True,
        attn_implementation="eager",
    )
    encoder = getattr(module, f"LayoutLMv{version}Encoder")(config).eval()
    for name, parameter in encoder.named_parameters():
        if "rel_pos" in name:
            torch.nn.init.normal_(parameter)
    layer = encoder.layer[0].attention.self
    hidden, (bbox, at) = torch.randn(BATCH, TOKENS, HEADS * DIM), page()
    if version == 2:
        one = encoder._calculate_1d_position_embeddings(at[..., 0])
        two = encoder._calculate_2d_position_embeddings(bbox)
        nothing = torch.zeros(BATCH, 1, 1, TOKENS, dtype=torch.bool)
        theirs = layer(hidden, nothing, rel_pos=one, rel_2d_pos=two)[0]
        q, k, v = layer.compute_qkv(hidden)
    else:
        bias = encoder._compute_position_bias(at[..., 0], bbox)
        theirs = layer(hidden, position_bias=bias)[0]
        q, k, v = layer.query(hidden), layer.key(hidden), layer.value(hidden)
    names = ("rel_pos_bias", "rel_pos_x_bias", "rel_pos_y_bias")
    arrays = {f"{i}.table": getattr(encoder, n).weight.T for i, n in enumerate(names)}
    spec = layout(1.0 if version == 2 else DIM**-0.5)
    if version == 3:
        assert spec == posenc.encodings()["t5-page-layoutlmv3"].make(dim=DIM, heads=HEADS)
    given = {"q_positions": at, "arrays": arrays}
    ours = posenc.attend(heads(q), heads(k), heads(v), spec, **given)
    equal(ours.transpose(1, 2).flatten(-2), theirs, 3e-6)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("depth", [1, 3])
def test_the_dynamic_bias_of_x_transformers(depth: int, log: bool) -> None:
    """Its numbers grow with the distance, and with them what float32 rounds."""
    layer = x_transformers.DynamicPositionBias(DIM, heads=HEADS, depth=depth, log_distance=log)
    spec = posenc.DynamicBias(heads=HEADS, dim=DIM, depth=depth, log_distance=log)
    linear = [m for m in layer.modules() if isinstance(m, torch.nn.Linear)]
    arrays = {}
    for i, one in enumerate(linear, 1):
        arrays |= {f"weight{i}": one.weight, f"bias{i}": one.bias}
    scheme = posenc.bind(spec, arrays)
    for first in STARTS:
        q, k = torch.arange(first, first + 5), torch.arange(first - 8, first + 5)
        equal(scheme.bias(q, k), layer(5, 13), 2e-6)


class ParallelKerple(torch.nn.Module):
    """What the authors' two modules compute of n tokens on themselves, clamps included."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form
        self.bias_p = torch.nn.Parameter(torch.rand(HEADS, 1, 1) * 2)
        self.bias_a = torch.nn.Parameter(torch.rand(HEADS, 1, 1))

    def forward(self, n: int) -> Tensor:
        apart = torch.tril(torch.arange(n)[:, None] - torch.arange(n)).float()
        top = 2.0 if self.form == "power" else None
        self.bias_p.data = self.bias_p.data.clamp(min=0.01, max=top)
        self.bias_a.data = self.bias_a.data.clamp(min=0.01)
        if self.form == "log":
            return -self.bias_p * torch.log(1 + self.bias_a * apart)
        return -apart.pow(self.bias_p) * self.bias_a


@pytest.mark.parametrize("form", ["log", "power"])
def test_kerple_with_its_clamps_and_their_gradients(form: str) -> None:
    """What training put out of range counts as its end, and can still come back."""
    theirs, n = ParallelKerple(form), 90
    with torch.no_grad():
        theirs.bias_p[:2] = torch.tensor([-0.5, 3.0])[:, None, None]
        theirs.bias_a[3] = -1.0
    given = {"p": theirs.bias_p.data[:, 0, 0].clone(), "a": theirs.bias_a.data[:, 0, 0].clone()}
    leaves = {name: x.requires_grad_() for name, x in given.items()}
    seen = torch.ones(n, n, dtype=torch.bool).tril()
    weight = torch.randn(HEADS, n, n) * seen
    due, at = theirs(n), torch.arange(70_001, 70_001 + n)
    got = posenc.bind(posenc.Kerple(heads=HEADS, form=form), leaves).bias(at, at)
    torch.testing.assert_close(got[:, seen], due[:, seen], atol=1e-5, rtol=2e-6)
    grads = torch.autograd.grad((got * weight).sum(), [leaves["p"], leaves["a"]])
    wanted = torch.autograd.grad((due * weight).sum(), [theirs.bias_p, theirs.bias_a])
    for grad, want in zip(grads, wanted, strict=True):
        assert (want != 0).all()
        torch.testing.assert_close(grad, want[:, 0, 0], atol=1e-3, rtol=1e-4)


class FireOfThePaper(torch.nn.Module):
    """The module that the paper prints in its appendix E, in other words."""

    def __init__(self, width: int, c: float, start: float) -> None:
        super().__init__()
        self.mlp = torch.nn.Sequential(
            torch.nn.Linear(1, width), torch.nn.ReLU(), torch.nn.Linear(width, HEADS)
        )
        self.c = torch.nn.Parameter(torch.tensor(c))
        self.start = start
        self.multiplier = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, n: int) -> Tensor:
        at = torch.arange(n).float()
        apart = at[:, None] - at[None, :]
        least = torch.abs(self.multiplier * self.start)
        reach = torch.max(at, least)[:, None]
        apart = torch.log(torch.abs(self.c * apart) + 1)
        reach = torch.log(torch.abs(self.c * reach) + 1) + 1e-6
        return self.mlp((apart / reach).unsqueeze(-1)).permute(2, 0, 1)


def test_fire_and_its_gradients() -> None:
    """On both sides of the threshold, in the middle of which the numbers change their meaning."""
    theirs = FireOfThePaper(32, 0.1, 40.0)
    spec = posenc.Fire(heads=HEADS, threshold=40.0)
    arrays = {
        "c": theirs.c,
        "multiplier": theirs.multiplier,
        "weight1": theirs.mlp[0].weight,
        "bias1": theirs.mlp[0].bias,
        "weight2": theirs.mlp[2].weight,
        "bias2": theirs.mlp[2].bias,
    }
    at = torch.arange(90)
    due, got = theirs(90), posenc.bind(spec, arrays).bias(at, at)
    equal(got, due, 1e-6)
    weight = torch.randn_like(due)
    grads = [torch.autograd.grad((x * weight).sum(), list(arrays.values())) for x in (got, due)]
    for grad, want in zip(*grads, strict=True):
        torch.testing.assert_close(grad, want, atol=2e-3, rtol=1e-4)


@pytest.mark.parametrize("dim", [6, 10, 64, 96])
def test_sandwich_of_nemo(dim: int) -> None:
    """NeMo sums cosines of float32 angles; in float64 it gives the same as ours."""
    apart = (torch.arange(90)[:, None] - torch.arange(90)).double()
    freqs = 1.0 / 10_000 ** (2 * torch.arange(1, dim / 2 + 1).double() / dim)
    sums = (apart[..., None] * freqs).cos().sum(-1)
    scales = torch.arange(1, HEADS + 1)[:, None, None] * 8 / HEADS
    due = (sums - dim / 2) / scales
    scheme = posenc.bind(posenc.Sandwich(heads=HEADS, dim=dim))
    for first in STARTS:
        at = torch.arange(first, first + 90)
        equal(scheme.bias(at, at).double(), due, 2e-5)
        host = posenc.bind(posenc.Sandwich(heads=HEADS, dim=dim)).bias(at.numpy(), at.numpy())
        equal(torch.as_tensor(host), due, 3e-6)
