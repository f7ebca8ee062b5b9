"""Attention of installed transformers whose logits meet vectors of distances, and ours.

Their projections make q, k, v and the tables; what positions do with them is compared. Their
positions are indices from 0. Ours start at 8 and at 70 001, which distances do not feel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers.models.deberta import modeling_deberta
from transformers.models.deberta_v2 import modeling_deberta_v2
from transformers.models.gemma3n import modeling_gemma3n
from transformers.models.parakeet import modeling_parakeet
from transformers.models.seamless_m4t_v2 import modeling_seamless_m4t_v2
from transformers.models.speecht5 import modeling_speecht5
from transformers.models.umt5 import modeling_umt5
from transformers.models.wav2vec2_bert import modeling_wav2vec2_bert
from transformers.models.wav2vec2_conformer import modeling_wav2vec2_conformer
from transformers.models.xlnet import modeling_xlnet

import posenc
import posenc.torch

pytestmark = [pytest.mark.upstream, pytest.mark.usefixtures("seeded")]

BATCH, HEADS, DIM = 2, 3, 10
WIDTH = HEADS * DIM
NEAR = {"atol": 2e-6, "rtol": 0}  # largest measured: 7.5e-7
starts = pytest.mark.parametrize("start", [8, 70_001])


@pytest.fixture
def seeded() -> None:
    torch.manual_seed(0)


def heads(x: Tensor, count: int = HEADS) -> Tensor:
    return x.unflatten(-1, (count, -1)).transpose(1, 2)


def joined(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)


def places(start: int, count: int) -> Tensor:
    return torch.arange(start, start + count)


def projected(linear: Any, code: Tensor) -> Tensor:
    """A projected code, ``(heads, rows, head_dim)``."""
    return linear(code).unflatten(-1, (HEADS, -1)).transpose(0, 1).detach()


def filled(*parameters: Tensor) -> None:
    for parameter in parameters:
        nn.init.normal_(parameter, std=0.7)


def codes(spec: posenc.TransformerXL, layout: Any) -> Tensor:
    """The sinusoid of every distance that the spec has a row for."""
    sinusoid = posenc.bind(posenc.Sinusoidal(dim=WIDTH, layout=layout))
    return sinusoid.embed(torch.from_numpy(spec.distances()))


@starts
def test_wav2vec2_bert(start: int) -> None:
    tokens = 100  # past 64 to the left
    config = modeling_wav2vec2_bert.Wav2Vec2BertConfig(
        hidden_size=WIDTH, num_attention_heads=HEADS, attn_implementation="eager"
    )
    layer = modeling_wav2vec2_bert.Wav2Vec2BertSelfAttention(config).eval()
    filled(layer.distance_embedding.weight)
    x = torch.randn(BATCH, tokens, WIDTH)
    q, k, v = (heads(f(x)) for f in (layer.linear_q, layer.linear_k, layer.linear_v))
    spec = posenc.encodings()["shaw-wav2vec2-bert"].make(dim=DIM)
    arrays = {"table": layer.distance_embedding.weight}
    ours = posenc.attend(q, k, v, spec, q_positions=places(start, tokens), arrays=arrays)
    theirs = layer(x)[0].detach()
    np.testing.assert_allclose(layer.linear_out(joined(ours)).detach(), theirs, **NEAR)


def test_seamless_v2_reads_the_same_rows() -> None:
    tokens = 100
    config = modeling_seamless_m4t_v2.SeamlessM4Tv2Config(
        hidden_size=WIDTH, speech_encoder_attention_heads=HEADS
    )
    layer = modeling_seamless_m4t_v2.SeamlessM4Tv2ConformerSelfAttention(config).eval()
    filled(layer.distance_embedding.weight)
    x = torch.randn(BATCH, tokens, WIDTH)
    q, k, v = (heads(f(x)) for f in (layer.linear_q, layer.linear_k, layer.linear_v))
    spec = posenc.Shaw(head_dim=DIM, left=64, right=8)
    arrays = {"table": layer.distance_embedding.weight}
    ours = posenc.attend(q, k, v, spec, q_positions=places(8, tokens), arrays=arrays)
    theirs = layer(x)[0].detach()
    np.testing.assert_allclose(layer.linear_out(joined(ours)).detach(), theirs, **NEAR)


@starts
def test_speecht5(start: int) -> None:
    tokens, most = 13, 5
    layer = modeling_speecht5.SpeechT5Attention(WIDTH, HEADS).eval()
    rows = modeling_speecht5.SpeechT5RelativePositionalEncoding(DIM, most)
    x = torch.randn(BATCH, tokens, WIDTH)
    theirs = layer(x, position_bias=rows(x))[0].detach()
    q, k, v = (heads(f(x)) for f in (layer.q_proj, layer.k_proj, layer.v_proj))
    spec = posenc.Shaw(head_dim=DIM, left=most - 1, right=most, order="query-key")
    arrays = {"table": rows.pe_k.weight}
    ours = posenc.attend(q, k, v, spec, q_positions=places(start, tokens), arrays=arrays)
    np.testing.assert_allclose(layer.out_proj(joined(ours)).detach(), theirs, **NEAR)


def test_gemma3n_audio() -> None:
    """One block of 12 queries, with 12 keys before it; the soft cap is the model's."""
    config = modeling_gemma3n.Gemma3nAudioConfig(hidden_size=WIDTH, conf_num_attention_heads=HEADS)
    layer = modeling_gemma3n.Gemma3nAudioRelativePositionEmbedding(config)
    q, k = torch.randn(BATCH, 1, 12, HEADS, DIM), torch.randn(BATCH, 1, 24, HEADS, DIM)
    theirs = layer(q, k)[:, :, 0].detach()
    ladder = posenc.Sinusoidal(dim=WIDTH, layout="half", ladder="tensor2tensor")
    code = posenc.bind(ladder).embed(torch.arange(12, -1, -1))
    scheme = posenc.bind(
        posenc.encodings()["gemma3n-audio"].make(dim=DIM, heads=HEADS),
        {"table": projected(layer.pos_proj, code)},
    )
    q, k = (x[:, 0].transpose(1, 2) for x in (q, k))
    ours = scheme.adjust(q @ k.mT, q, k, places(70_013, 12), places(70_001, 24)).detach()
    back = torch.arange(12)[:, None] + 12 - torch.arange(24)
    seen = (back >= 0) & (back <= 12)  # the rest is what their mask hides
    np.testing.assert_allclose(ours[..., seen], theirs[..., seen], atol=4e-6, rtol=0)


@starts
@pytest.mark.parametrize("clamp", [-1, 4])
@pytest.mark.parametrize("kind", ["bi", "uni"])
def test_xlnet(kind: str, clamp: int, start: int) -> None:
    """With a memory: four queries, seven keys. "uni" has the rows of Transformer-XL."""
    queries, keys = 4, 7
    config = modeling_xlnet.XLNetConfig(
        d_model=WIDTH, n_head=HEADS, n_layer=1, d_inner=8, vocab_size=4, clamp_len=clamp,
        attn_type=kind,
    )  # fmt: skip
    layer = modeling_xlnet.XLNetRelativeAttention(config).eval()
    filled(layer.r, layer.r_w_bias, layer.r_r_bias)
    model = modeling_xlnet.XLNetModel(config)
    code = model.relative_positional_encoding(queries, keys, bsz=BATCH)
    q, k, v = (torch.randn(n, BATCH, HEADS, DIM) for n in (queries, keys, keys))
    hidden = torch.arange(keys) > torch.arange(queries)[:, None] + keys - queries
    mask = hidden.float()[..., None, None] if kind == "uni" else None
    rows = torch.einsum("ibh,hnd->ibnd", code, layer.r)
    theirs = layer.rel_attn_core(q, k, v, rows, attn_mask=mask).detach()

    right = (0 if kind == "uni" else queries - 1) if clamp < 0 else min(clamp, queries - 1)
    right = 0 if kind == "uni" else right
    left = keys if clamp < 0 else clamp
    spec = posenc.TransformerXL(heads=HEADS, head_dim=DIM, left=left, right=right, clip=clamp > 0)
    table = torch.einsum("rh,hnd->nrd", codes(spec, "half"), layer.r)
    ours = posenc.attend(
        *(x.permute(1, 2, 0, 3) for x in (q, k, v)),
        spec,
        q_positions=places(start + keys - queries, queries),
        k_positions=places(start, keys),
        causal=kind == "uni",
        arrays={"u": layer.r_w_bias, "v": layer.r_r_bias, "table": table},
    )
    np.testing.assert_allclose(ours.permute(2, 0, 1, 3).detach(), theirs, atol=3e-6, rtol=0)


@starts
def test_parakeet_with_shared_keys(start: int) -> None:
    tokens, count = 13, 4
    config = modeling_parakeet.ParakeetEncoderConfig(
        hidden_size=count * DIM, num_attention_heads=count, attn_implementation="eager"
    )
    config.num_key_value_heads = 2
    layer = modeling_parakeet.ParakeetEncoderAttention(config, 0).eval()
    filled(layer.bias_u, layer.bias_v)
    x = torch.randn(BATCH, tokens, count * DIM)
    code = modeling_parakeet.ParakeetEncoderRelPositionalEncoding(config)(x)
    theirs = layer(x, code)[0].detach()
    spec = posenc.encodings()["conformer"].make(dim=DIM, heads=count, length=tokens)
    sinusoid = posenc.bind(posenc.Sinusoidal(dim=count * DIM))
    mine = sinusoid.embed(torch.from_numpy(spec.distances()))
    np.testing.assert_allclose(mine, code[0], atol=2e-6)
    table = layer.relative_k_proj(mine).unflatten(-1, (count, DIM)).transpose(0, 1)
    ours = posenc.attend(
        heads(layer.q_proj(x), count),
        heads(layer.k_proj(x), 2),
        heads(layer.v_proj(x), 2),
        spec,
        q_positions=places(start, tokens),
        arrays={"u": layer.bias_u, "v": layer.bias_v, "table": table},
    )
    np.testing.assert_allclose(layer.o_proj(joined(ours)).detach(), theirs, **NEAR)


@starts
def test_wav2vec2_conformer(start: int) -> None:
    tokens = 13
    config = modeling_wav2vec2_conformer.Wav2Vec2ConformerConfig(
        hidden_size=WIDTH, num_attention_heads=HEADS, attn_implementation="eager"
    )
    layer = modeling_wav2vec2_conformer.Wav2Vec2ConformerSelfAttention(config).eval()
    filled(layer.pos_bias_u, layer.pos_bias_v)
    x = torch.randn(BATCH, tokens, WIDTH)
    code = modeling_wav2vec2_conformer.Wav2Vec2ConformerRelPositionalEmbedding(config)(x)
    theirs = layer(x, relative_position_embeddings=code)[0].detach()
    spec = posenc.encodings()["conformer"].make(dim=DIM, heads=HEADS, length=tokens)
    table = projected(layer.linear_pos, codes(spec, "interleaved"))
    q, k, v = (heads(f(x)) for f in (layer.linear_q, layer.linear_k, layer.linear_v))
    arrays = {"u": layer.pos_bias_u, "v": layer.pos_bias_v, "table": table}
    ours = posenc.attend(q, k, v, spec, q_positions=places(start, tokens), arrays=arrays)
    np.testing.assert_allclose(layer.linear_out(joined(ours)).detach(), theirs, **NEAR)


def deberta(kinds: list[str], tokens: int, **fields: Any) -> tuple[Any, Any, Any]:
    """A layer of v2, its input and the table of distances."""
    config = modeling_deberta_v2.DebertaV2Config(
        hidden_size=WIDTH, num_attention_heads=HEADS, relative_attention=True,
        pos_att_type=kinds, max_position_embeddings=64, **fields,
    )  # fmt: skip
    layer = modeling_deberta_v2.DisentangledSelfAttention(config).eval()
    table = torch.randn(2 * layer.pos_ebd_size, WIDTH)
    return layer, torch.randn(BATCH, tokens, WIDTH), table


def deberta_spec(layer: Any, kinds: list[str]) -> posenc.Deberta:
    most = layer.max_relative_positions if layer.position_buckets > 0 else None
    sides = {"c2p": "c2p" in kinds, "p2c": "p2c" in kinds}
    return posenc.Deberta(
        heads=HEADS, head_dim=DIM, span=layer.pos_ebd_size, max_distance=most, **sides
    )


def deberta_arrays(layer: Any, kinds: list[str], table: Tensor) -> dict[str, Tensor]:
    key = layer.key_proj if layer.share_att_key else getattr(layer, "pos_key_proj", None)
    query = layer.query_proj if layer.share_att_key else getattr(layer, "pos_query_proj", None)
    both = {"keys": ("c2p", key), "queries": ("p2c", query)}
    return {n: projected(f, table) for n, (kind, f) in both.items() if kind in kinds}


@starts
@pytest.mark.parametrize("kinds", [["c2p", "p2c"], ["c2p"], ["p2c"]], ids="+".join)
@pytest.mark.parametrize("fields", [{"position_buckets": 8}, {"max_relative_positions": 7}])
@pytest.mark.parametrize("share", [True, False])
def test_deberta_v2(kinds: list[str], fields: Any, share: bool, start: int) -> None:
    tokens = 90  # past the 64 of the logarithm, and past 7
    layer, x, table = deberta(kinds, tokens, share_att_key=share, **fields)
    near = modeling_deberta_v2.build_relative_position(
        x, x, layer.position_buckets, layer.max_relative_positions
    )
    seen = torch.ones(BATCH, 1, tokens, tokens)
    theirs = layer(x, seen, relative_pos=near, rel_embeddings=table)[0].detach()
    q, k, v = (heads(f(x)) for f in (layer.query_proj, layer.key_proj, layer.value_proj))
    spec = deberta_spec(layer, kinds)
    arrays = deberta_arrays(layer, kinds, table)
    ours = posenc.attend(q, k, v, spec, q_positions=places(start, tokens), arrays=arrays)
    np.testing.assert_allclose(joined(ours).detach(), theirs, atol=4e-6, rtol=0)


def test_deberta_v2_buckets_are_those_of_an_exact_logarithm() -> None:
    """Their float32 logarithm gives the same buckets for every distance up to 10 000."""
    apart = torch.arange(-10_000, 10_001)
    for span, most in ((256, 512), (32, 128), (8, 64)):
        theirs = modeling_deberta_v2.make_log_bucket_position(apart, span, most).long()
        rows = torch.clamp(theirs + span, 0, 2 * span - 1)
        table = {"keys": torch.arange(2.0 * span)[None, :, None]}
        spec = posenc.Deberta(heads=1, head_dim=1, span=span, max_distance=most, p2c=False)
        scheme = posenc.bind(spec, table)
        one, none = torch.ones(1, 1, 1), torch.zeros(1, len(apart), 1)
        at = torch.tensor([70_001]), 70_001 - apart
        ours = scheme.adjust(torch.zeros(1, 1, len(apart)), one, none, *at)
        np.testing.assert_array_equal(ours[0, 0].long(), rows)


@pytest.mark.parametrize("kinds", [["c2p", "p2c"], ["c2p"], ["p2c"]], ids="+".join)
def test_deberta_v2_with_fewer_queries_than_keys(kinds: list[str]) -> None:
    """Ours are the last rows of full attention. 5.24 has them for ``c2p`` alone."""
    tokens, last = 90, 5
    layer, x, table = deberta(kinds, tokens, position_buckets=8)
    near = modeling_deberta_v2.build_relative_position(x, x, 8, 64)
    seen = torch.ones(BATCH, 1, tokens, tokens)
    whole = layer(x, seen, relative_pos=near, rel_embeddings=table)[0].detach()
    q, k, v = (heads(f(x)) for f in (layer.query_proj, layer.key_proj, layer.value_proj))
    spec, arrays = deberta_spec(layer, kinds), deberta_arrays(layer, kinds, table)
    at = {"q_positions": places(8 + tokens - last, last), "k_positions": places(8, tokens)}
    ours = posenc.attend(q[..., -last:, :], k, v, spec, arrays=arrays, **at)
    np.testing.assert_allclose(joined(ours).detach(), whole[:, -last:], atol=4e-6, rtol=0)

    def theirs(count: int) -> Tensor:
        few = {"query_states": x[:, -count:], "relative_pos": near[:, -count:]}
        return layer(x, seen[:, :, -count:], rel_embeddings=table, **few)[0].detach()

    if kinds == ["c2p"]:
        np.testing.assert_allclose(theirs(last), whole[:, -last:], **NEAR)
        return
    with pytest.raises(RuntimeError, match=r"tensor a \(5\) must match .* tensor b \(90\)"):
        theirs(last)
    if kinds == ["p2c"]:  # as many rows as keys, all of one query
        assert theirs(1).shape == whole.shape


def test_deberta_v2_exchanges_buckets_and_their_limit() -> None:
    """Of unequal sizes 5.24 makes distances anew, with two arguments in each other's place."""
    q, k = torch.zeros(BATCH, 5, DIM), torch.zeros(BATCH, 90, DIM)
    most, buckets = 64, 8  # in the order in which the layer passes them
    theirs = modeling_deberta_v2.build_rpos(q, k, None, most, buckets)[0, -1]
    asked = modeling_deberta_v2.build_rpos(q, k, None, buckets, most)[0, -1]
    apart = [89, 64, 63, 40, 10, 5, 4, 0]
    assert [int(theirs[89 - r]) for r in apart] == [12, 18, 19, 28, 10, 5, 4, 0]
    assert [int(asked[89 - r]) for r in apart] == [8, 8, 7, 7, 5, 5, 4, 0]


@pytest.mark.parametrize("kinds", [["c2p", "p2c"], ["c2p"], ["p2c"]], ids="+".join)
def test_deberta_v1(kinds: list[str]) -> None:
    tokens, span = 11, 16
    config = modeling_deberta.DebertaConfig(
        hidden_size=WIDTH, num_attention_heads=HEADS, relative_attention=True,
        pos_att_type=kinds, max_relative_positions=span,
    )  # fmt: skip
    layer = modeling_deberta.DisentangledSelfAttention(config).eval()
    filled(layer.q_bias, layer.v_bias)
    x, table = torch.randn(BATCH, tokens, WIDTH), torch.randn(2 * span, WIDTH)
    near = modeling_deberta.build_relative_position(x, x)
    seen = torch.ones(BATCH, 1, tokens, tokens)
    theirs = layer(x, seen, relative_pos=near, rel_embeddings=table)[0].detach()
    q, k, v = layer.transpose_for_scores(layer.in_proj(x)).chunk(3, dim=-1)
    q, v = (y + heads(b[None, None]) for y, b in ((q, layer.q_bias), (v, layer.v_bias)))
    both = {"keys": ("c2p", "pos_proj"), "queries": ("p2c", "pos_q_proj")}
    arrays = {
        n: projected(getattr(layer, f), table) for n, (kind, f) in both.items() if kind in kinds
    }
    sides = {"c2p": "c2p" in kinds, "p2c": "p2c" in kinds}
    spec = posenc.Deberta(heads=HEADS, head_dim=DIM, span=span, **sides)
    ours = posenc.attend(q, k, v, spec, q_positions=places(8, tokens), arrays=arrays)
    np.testing.assert_allclose(joined(ours).detach(), theirs, atol=4e-6, rtol=0)


@starts
@pytest.mark.parametrize("decoder", [False, True])
def test_umt5(decoder: bool, start: int) -> None:
    tokens = 150
    config = modeling_umt5.UMT5Config(
        d_model=WIDTH, d_kv=DIM, num_heads=HEADS, attn_implementation="eager"
    )
    config.is_decoder = decoder
    layer = modeling_umt5.UMT5Attention(config, True, layer_idx=0).eval()
    x = 0.3 * torch.randn(BATCH, tokens, WIDTH)
    hidden = torch.ones(tokens, tokens).triu(1)[None, None] * torch.finfo(torch.float32).min
    theirs = layer(x, attention_mask=hidden if decoder else None)[0].detach()
    q, k, v = (heads(f(x)) for f in (layer.q, layer.k, layer.v))
    ours = posenc.attend(
        q,
        k,
        v,
        posenc.T5Bias(heads=HEADS, bidirectional=not decoder),
        q_positions=places(start, tokens),
        causal=decoder,
        scale=1,
        arrays={"table": layer.relative_attention_bias.weight},
    )
    np.testing.assert_allclose(layer.o(joined(ours)).detach(), theirs, **NEAR)
