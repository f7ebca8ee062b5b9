"""Biases of windows: Swin, BEiT, LeViT and Swin v2 of transformers, and timm's layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType

import pytest
import torch
from torch import Tensor
from transformers.models.beit import modeling_beit
from transformers.models.levit import modeling_levit
from transformers.models.swin import modeling_swin
from transformers.models.swinv2 import modeling_swinv2

import posenc

pytestmark = pytest.mark.upstream

Layers = Callable[[str], ModuleType]
HEADS, DIM = 3, 10
WIDE = (5, 7)
CORNERS = ((0, 0), (8, 13), (70_001, 9))


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def cells(window: tuple[int, int], corner: tuple[int, int] = (0, 0)) -> Tensor:
    grid = posenc.positions.grid(h=window[0], w=window[1], order="hw", xp="torch")
    return grid + torch.tensor(corner)


def with_class(window: tuple[int, int]) -> Tensor:
    return torch.cat([torch.tensor([[-1, -1]]), cells(window)])


def equal(got: Tensor, due: Tensor, atol: float = 0.0) -> None:
    torch.testing.assert_close(got, due, atol=atol, rtol=0)


def filled(layer: torch.nn.Module) -> Tensor:
    return torch.nn.init.normal_(layer.relative_position_bias_table).detach()


@pytest.mark.parametrize("window", [WIDE, (7, 5), (2, 2), (1, 6)])
def test_swins_table(window: tuple[int, int], timm_layer: Layers) -> None:
    rel = timm_layer("pos_embed_rel")
    for layer in (
        modeling_swin.SwinRelativePositionBias(HEADS, window),
        rel.RelPosBias(window, HEADS),
    ):
        scheme = posenc.bind(posenc.SwinBias(heads=HEADS, window=window), {"table": filled(layer)})
        theirs = layer.get_bias() if hasattr(layer, "get_bias") else layer()
        for corner in CORNERS:
            at = cells(window, corner)
            equal(scheme.bias(at, at), theirs[0])


def test_some_queries_of_a_window_on_others_of_its_keys() -> None:
    layer = modeling_swin.SwinRelativePositionBias(HEADS, WIDE)
    table, at = {"table": filled(layer)}, cells(WIDE, (8, 13))
    rows, columns = torch.randperm(35)[:6], torch.randperm(35)[:11]
    got = posenc.bind(posenc.SwinBias(heads=HEADS, window=WIDE), table)
    equal(got.bias(at[rows], at[columns]), layer()[0][:, rows[:, None], columns])


def test_timms_table_with_a_class_token(timm_layer: Layers) -> None:
    layer = timm_layer("pos_embed_rel").RelPosBias(WIDE, HEADS, prefix_tokens=1)
    spec = posenc.SwinBias(heads=HEADS, window=WIDE, class_token=True)
    at = with_class(WIDE)
    equal(posenc.bind(spec, {"table": filled(layer)}).bias(at, at), layer.get_bias()[0])


def test_the_table_of_tensorflows_maxvit_is_turned_round(timm_layer: Layers) -> None:
    """It is told by key minus query, and has a head a plane: read as Swin's it is another bias."""
    layer = timm_layer("pos_embed_rel").RelPosBiasTf(WIDE, HEADS)
    planes = torch.nn.init.normal_(layer.relative_position_bias_table).detach()
    theirs = layer.get_bias().reshape(HEADS, 35, 35)
    spec, at = posenc.SwinBias(heads=HEADS, window=WIDE), cells(WIDE, (8, 13))
    table = planes.flip(-1, -2).reshape(HEADS, -1).T
    equal(posenc.bind(spec, {"table": table}).bias(at, at), theirs)
    as_it_is = posenc.bind(spec, {"table": planes.reshape(HEADS, -1).T}).bias(at, at)
    equal(as_it_is, theirs.mT)
    assert (as_it_is - theirs).abs().max() > 1


def beit(window: tuple[int, int]) -> modeling_beit.BeitRelativePositionBias:
    size = [4 * n for n in window]
    config = modeling_beit.BeitConfig(
        image_size=size, patch_size=4, num_attention_heads=HEADS, hidden_size=HEADS * DIM
    )
    return modeling_beit.BeitRelativePositionBias(config)


def test_beits_table_with_a_class_token(timm_layer: Layers) -> None:
    """transformers takes the table for one of width by height: right where they are equal.

    In a window that is no square it stretches what it took for the other shape, where no
    stretching was asked for. Right is the table as it was trained, which timm's index reads too.
    """
    for window in ((5, 5), WIDE):
        layer = beit(window)
        table = filled(layer)
        spec = posenc.SwinBias(heads=HEADS, window=window, class_token=True)
        at = with_class(window)
        ours = posenc.bind(spec, {"table": table}).bias(at, at)
        index = timm_layer("pos_embed_rel").gen_relative_position_index(window, class_token=True)
        equal(ours, table[index].permute(2, 0, 1))
        theirs = layer(window)[0].detach()
        off = (theirs - ours).abs().max().item()
        assert (off == 0) if window == (5, 5) else (off > 1)
        outside = theirs[:, 0], theirs[:, :, 0]
        equal(torch.stack(outside), torch.stack([ours[:, 0], ours[:, :, 0]]))


@pytest.mark.parametrize("stride", [1, 2])
def test_levits_offsets(stride: int) -> None:
    """The same table, turned; the fewer queries of a shrinking layer stand on every other key."""
    side, fewer = 6, 6 // stride
    if stride == 1:
        layer = modeling_levit.LevitAttention(12, 4, HEADS, 2, side)
    else:
        layer = modeling_levit.LevitAttentionSubsample(12, 12, 4, HEADS, 2, stride, side, fewer)
    table = torch.nn.init.normal_(layer.attention_biases).detach().T
    theirs = layer.get_attention_biases("cpu").detach()
    spec = posenc.SwinBias(heads=HEADS, window=(side, side), offsets="absolute")
    for corner in CORNERS:
        k = cells((side, side), corner)
        q = cells((fewer, fewer)) * stride + torch.tensor(corner)
        equal(posenc.bind(spec, {"table": table}).bias(q, k), theirs)


@pytest.mark.parametrize(
    ("window", "pretrained"), [(WIDE, (0, 0)), (WIDE, (3, 6)), ((12, 16), (8, 8)), ((8, 8), (0, 0))]
)
def test_swin_v2(window: tuple[int, int], pretrained: tuple[int, int]) -> None:
    layer = modeling_swinv2.Swinv2SelfAttention(
        modeling_swinv2.Swinv2Config(), HEADS * DIM, HEADS, window, pretrained
    ).eval()
    torch.nn.init.normal_(layer.logit_scale, 4.0)  # some are past the largest
    torch.nn.init.normal_(layer.continuous_position_bias_mlp[2].weight)
    spec = posenc.SwinV2Bias(
        heads=HEADS, window=window, pretrained_window=pretrained if pretrained[0] else None
    )
    one, _, two = layer.continuous_position_bias_mlp
    arrays = {"weight1": one.weight, "bias1": one.bias, "weight2": two.weight}
    coordinates = torch.as_tensor(spec.log_offsets()).float()
    equal(coordinates, layer.relative_coords_table.reshape(-1, 2), 2.5e-7)
    hidden = torch.randn(2, math.prod(window), HEADS * DIM)
    blocked = torch.zeros(1, math.prod(window), math.prod(window))
    blocked[:, 3:, 2] = -100.0  # added twice there
    theirs = layer(hidden, blocked)[0]

    def heads(x: Tensor) -> Tensor:
        return x.unflatten(-1, (HEADS, DIM)).transpose(1, 2)

    def unit(x: Tensor) -> Tensor:
        return torch.nn.functional.normalize(heads(x), dim=-1)

    q = unit(layer.query(hidden)) * layer.logit_scale.clamp(max=math.log(100)).exp()
    k, v = unit(layer.key(hidden)), heads(layer.value(hidden))
    given = {"scale": 1.0, "mask": blocked[0] == 0, "arrays": arrays}
    ours = posenc.attend(q, k, v, spec, q_positions=cells(window, (8, 13)), **given)
    equal(ours.transpose(1, 2).flatten(-2), theirs, 2e-5)


def test_swin_v2_adds_its_mask_twice() -> None:
    """Of a cell with the largest logit, 100, one mask of -100 leaves an even share among the rest.

    Added twice it is as good as hidden, which is what a mask means.
    """
    config = modeling_swinv2.Swinv2Config()
    layer = modeling_swinv2.Swinv2SelfAttention(config, HEADS * DIM, HEADS, (2, 2), (0, 0)).eval()
    layer.logit_scale.data.fill_(math.log(100))
    layer.key.weight.data, layer.query.bias.data = layer.query.weight.data, torch.zeros(HEADS * DIM)
    token = torch.randn(HEADS * DIM)
    hidden = torch.stack([token, *torch.zeros(3, HEADS * DIM)])[None]
    blocked = torch.zeros(1, 4, 4)
    blocked[:, 0, 0] = -100.0
    theirs = layer(hidden, blocked, output_attentions=True)[1][0, :, 0]
    plain = layer(hidden, None, output_attentions=True)[1][0, :, 0]
    assert plain[:, 0].min() > 0.999
    assert theirs[:, 0].max() < 1e-6
    once = layer(hidden, blocked / 2, output_attentions=True)[1][0, :, 0]
    assert 0.01 < once[:, 0].min() < once[:, 0].max() < 0.9


@pytest.mark.parametrize("mode", ["swin", "cr"])
def test_timms_networks(mode: str, timm_layer: Layers) -> None:
    layer = timm_layer("pos_embed_rel").RelPosMlp(WIDE, HEADS, hidden_dim=24, mode=mode).eval()
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter)
    form = "v2" if mode == "swin" else mode
    spec = posenc.SwinV2Bias(heads=HEADS, window=WIDE, hidden=24, form=form)
    one, two = layer.mlp.fc1, layer.mlp.fc2
    arrays = {"weight1": one.weight, "bias1": one.bias, "weight2": two.weight}
    arrays |= {} if two.bias is None else {"bias2": two.bias}
    for corner in CORNERS:
        at = cells(WIDE, corner)
        equal(posenc.bind(spec, arrays).bias(at, at), layer.get_bias()[0], 2e-5)
