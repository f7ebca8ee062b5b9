"""Rotary encodings of images and video in diffusers, and ours at the same places.

Grids that are no squares, coordinates from 8 on and, where a model takes any, at 70 001. Models
with float64 frequencies are nearer there than those with float32 angles.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from diffusers.models.embeddings import (
    apply_rotary_emb,
    apply_rotary_emb_allegro,
    get_2d_rotary_pos_embed_lumina,
    get_3d_rotary_pos_embed,
    get_3d_rotary_pos_embed_allegro,
)
from diffusers.models.transformers import (
    transformer_cogview4,
    transformer_cosmos,
    transformer_ernie_image,
    transformer_flux,
    transformer_flux2,
    transformer_hidream_image,
    transformer_hunyuan_video,
    transformer_hunyuanimage,
    transformer_kandinsky,
    transformer_krea2,
    transformer_ltx,
    transformer_ltx2,
    transformer_lumina2,
    transformer_mochi,
    transformer_omnigen,
    transformer_qwenimage,
    transformer_wan,
    transformer_z_image,
)
from torch import Tensor

import posenc
from posenc.positions import (
    Image,
    grid,
    joint_flux,
    joint_flux2,
    joint_lumina2,
    joint_qwen_image,
    rescaled,
)

pytestmark = pytest.mark.upstream

BATCH, HEADS = 2, 3
NEAR, FAR = 1e-5, 1.5e-2
ENTRIES = posenc.encodings(plugins=False)


def tokens(dim: int, count: int) -> Tensor:
    drawn = torch.Generator().manual_seed(count)
    return torch.randn(BATCH, HEADS, count, dim, generator=drawn)


def turned(entry: str, x: Tensor, places: Any, *, arrays: Any = None, **fields: Any) -> Tensor:
    spec = ENTRIES[entry].make(dim=x.shape[-1], heads=HEADS, **fields)
    scheme = posenc.bind(spec, arrays)
    at = torch.as_tensor(places)
    ours = scheme.query(x, at)
    assert torch.equal(scheme.key(x, at), ours)
    return ours


def close(ours: Tensor, theirs: Tensor, atol: float = NEAR) -> None:
    torch.testing.assert_close(ours, theirs, atol=atol, rtol=0)


def video(t: int = 9, h: int = 3, w: int = 10) -> np.ndarray:
    return grid(t=t, h=h, w=w, order="thw")


@pytest.mark.parametrize("first", [0, 70_001])
@pytest.mark.parametrize("dims", [(16, 56, 56), (4, 14, 14)])
def test_flux(dims: tuple[int, ...], first: int) -> None:
    text, image = joint_flux(4, Image(9, 13))
    ids = torch.from_numpy(np.concatenate([text, image]) + first)
    x = tokens(sum(dims), len(ids))
    theirs = apply_rotary_emb(x, transformer_flux.FluxPosEmbed(10_000, list(dims))(ids))
    close(turned("rope-flux", x, ids), theirs, 2e-6)


@pytest.mark.parametrize("first", [0, 70_001])
def test_flux2(first: int) -> None:
    text, image = joint_flux2(12, Image(9, 13), references=[Image(2, 11)])
    ids = torch.from_numpy(np.concatenate([text, image]) + first)
    x = tokens(128, len(ids))
    made = transformer_flux2.Flux2PosEmbed(2000, [32, 32, 32, 32])
    close(turned("rope-flux-2", x, ids), apply_rotary_emb(x, made(ids)), 2e-6)


def test_krea2() -> None:
    ids = torch.from_numpy(joint_lumina2(12, Image(9, 13)).image)
    x = tokens(128, len(ids))
    made = transformer_krea2.Krea2RotaryPosEmbed(theta=1000, axes_dim=[32, 48, 48])
    theirs = apply_rotary_emb(x, made(ids))
    close(turned("rope-krea-2", x, ids), theirs)


@pytest.mark.parametrize("dim", [64, 128])
def test_wan(dim: int) -> None:
    made = transformer_wan.WanRotaryPosEmbed(dim, (1, 2, 2), 1024)
    cos, sin = made(torch.zeros(1, 4, 9, 6, 20))
    x = tokens(dim, 9 * 3 * 10)
    theirs = apply_rotary_emb(x, (cos[0, :, 0], sin[0, :, 0]))
    close(turned("rope-wan", x, video()), theirs, 2e-6)


def test_wan_far_out() -> None:
    made = transformer_wan.WanRotaryPosEmbed(128, (1, 2, 2), 70_010)
    places = torch.tensor([[8, 70_001, 9], [70_002, 13, 70_009], [0, 40, 70_001]])
    parts = [t.split([44, 42, 42], dim=1) for t in (made.freqs_cos, made.freqs_sin)]
    tables = [torch.cat([p[a][places[:, a]] for a in range(3)], dim=-1) for p in parts]
    x = tokens(128, 3)
    close(turned("rope-wan", x, places[None]), apply_rotary_emb(x, tuple(tables)), 2e-6)


def test_hunyuan_video() -> None:
    made = transformer_hunyuan_video.HunyuanVideoRotaryPosEmbed(2, 1, [16, 56, 56])
    x = tokens(128, 9 * 3 * 10)
    theirs = apply_rotary_emb(x, made(torch.zeros(1, 4, 9, 6, 20)))
    close(turned("rope-hunyuan-video", x, video()), theirs)


def test_hunyuan_image() -> None:
    made = transformer_hunyuanimage.HunyuanImageRotaryPosEmbed([2, 2], [64, 64])
    x = tokens(128, 9 * 13)
    theirs = apply_rotary_emb(x, made(torch.zeros(1, 4, 18, 26)))
    close(turned("rope-hunyuan-image", x, grid(h=9, w=13, order="hw")), theirs)


def complex_rotation(x: Tensor, freqs: Tensor) -> Tensor:
    return apply_rotary_emb(x.transpose(1, 2), freqs, use_real=False).transpose(1, 2)


def test_z_image() -> None:
    text, image = joint_lumina2(32, Image(9, 13), first=1)
    assert image[0].tolist() == [33, 0, 0]
    ids = np.concatenate([text, image])
    made = transformer_z_image.RopeEmbedder(256.0, [32, 48, 48], [1024, 512, 512])
    x = tokens(128, len(ids))
    theirs = complex_rotation(x, made(torch.from_numpy(ids))[None])
    close(turned("rope-z-image", x, ids), theirs)


def test_lumina2() -> None:
    made = transformer_lumina2.Lumina2RotaryPosEmbed(10_000, [32, 32, 32], patch_size=2)
    mask = torch.ones(1, 12, dtype=torch.int64)
    freqs = made(torch.zeros(1, 4, 18, 26), mask)[3]
    text, image = joint_lumina2(12, Image(9, 13))
    x = tokens(96, 12 + 9 * 13)
    ours = turned("rope-lumina-2", x, np.concatenate([text, image]))
    close(ours, complex_rotation(x, freqs.to(torch.complex64)), 2e-6)


def test_lumina_next_takes_rows_and_columns_in_turn() -> None:
    freqs = get_2d_rotary_pos_embed_lumina(48, 9, 13)
    x = tokens(48, 9 * 13)
    theirs = complex_rotation(x, freqs.flatten(0, 1)[None])
    close(turned("rope-2d-alternate", x, grid(h=9, w=13, order="hw")), theirs)


@pytest.mark.parametrize("first", [8, 70_001])
def test_hidream_has_a_third_coordinate(first: int) -> None:
    """Released with (64, 32, 32) channels; its patches and its text are 0 along the first."""
    made = transformer_hidream_image.HiDreamImageEmbedND(10_000, [64, 32, 32])
    text, image = joint_flux(3, Image(9, 13))
    ids = torch.from_numpy(np.concatenate([image, text]) + np.array([0, first, 8]))
    x = tokens(128, len(ids))
    rows = x.transpose(1, 2)
    theirs, _ = transformer_hidream_image.apply_rope(rows, rows, made(ids[None].double()))
    close(turned("rope-hidream", x, ids), theirs.transpose(1, 2), 2e-6)


@pytest.mark.parametrize(("start", "atol"), [(8, NEAR), (4090, 1e-3), (70_001, FAR)])
def test_omnigen_divides_by_the_factors_of_longrope(start: int, atol: float) -> None:
    """The longer ones from the position on that is past the trained length."""
    short, long = ([1 + step * i for i in range(16)] for step in (0.01, 0.5))
    factors = {"short_factor": short, "long_factor": long}
    made = transformer_omnigen.OmniGenSuScaledRotaryEmbedding(32, rope_scaling=factors)
    x, at = tokens(32, 12), torch.arange(start, start + 12)
    theirs = apply_rotary_emb(x, made(x, at[None]), use_real_unbind_dim=-2)
    scaling = posenc.LongRope(short=short, long=long, trained_length=4096, factor=32.0)
    spec = ENTRIES["rope-longrope"].make(dim=32, scaling=scaling)
    scheme = posenc.bind(spec, length=start + 12)
    close(scheme.query(x, at) * spec.attention_factor(start + 12), theirs, atol)


@pytest.mark.parametrize("images", [[(1, 9, 14)], [(1, 9, 14), (1, 11, 4)], [(1, 3, 5), (1, 8, 7)]])
def test_qwen_image(images: list[tuple[int, int, int]]) -> None:
    made = transformer_qwenimage.QwenEmbedRope(10_000, [16, 56, 56], scale_rope=True)
    image_freqs, text_freqs = made([images], torch.device("cpu"), max_txt_seq_len=11)
    text, image = joint_qwen_image(11, [Image(h, w) for _, h, w in images])
    turn = transformer_qwenimage.apply_rotary_emb_qwen
    for places, freqs in ((text, text_freqs), (image, image_freqs)):
        x = tokens(128, len(places))
        theirs = turn(x.transpose(1, 2), freqs, use_real=False).transpose(1, 2)
        close(turned("rope-flux", x, places), theirs)


def test_cogvideox() -> None:
    tables = get_3d_rotary_pos_embed(64, ((0, 0), (30, 37)), (9, 13), 10)
    x = tokens(64, 10 * 9 * 13)
    cells = rescaled(t=10, h=9, w=13, order="thw", to={"t": 10, "h": 30, "w": 37})
    close(turned("rope-cogvideox", x, cells), apply_rotary_emb(x, tables), 3e-5)


def test_cogvideox_spaces_a_crop_unevenly_in_diffusers() -> None:
    """Its end is moved as if the crop began at 0: the original steps by (41 - 4) / 13."""
    tables = get_3d_rotary_pos_embed(64, ((0, 4), (30, 41)), (9, 13), 1)
    x = tokens(64, 9 * 13)
    theirs = apply_rotary_emb(x, tables)
    right = np.linspace(4, 41, 13, endpoint=False)
    there = np.linspace(4, 41 * 12 / 13, 13)
    assert right[12] - there[12] == pytest.approx(4 / 13)
    cells = rescaled(t=1, h=9, w=13, order="thw", to={"t": 1, "h": 30, "w": 13})
    columns = cells[:, 2].astype(int)
    for along, near in ((there, True), (right, False)):
        cells[:, 2] = along[columns]
        ours = turned("rope-cogvideox", x, cells)
        assert torch.allclose(ours, theirs, atol=3e-5, rtol=0) == near
    again = rescaled(t=1, h=9, w=13, order="thw", to={"t": 1, "h": 30, "w": 37})
    np.testing.assert_allclose(again[:, 2] + 4, right[columns])


def test_kandinsky5() -> None:
    made = transformer_kandinsky.Kandinsky5RoPE3D((16, 24, 24))
    sizes = (9, 3, 10)
    rope = made((1, *sizes), [torch.arange(n) for n in sizes]).flatten(1, 3)
    x = tokens(64, 9 * 3 * 10)
    pairs = x.transpose(1, 2).reshape(BATCH, -1, HEADS, 32, 1, 2)
    theirs = (rope * pairs).sum(-1).reshape(BATCH, -1, HEADS, 64).transpose(1, 2)
    close(turned("rope-cogvideox", x, video()), theirs)


def test_allegro() -> None:
    *freqs, t, h, w = get_3d_rotary_pos_embed_allegro(
        96, ((0, 0), (3, 10)), (3, 10), 9, (2, 1.5, 2)
    )
    places = torch.from_numpy(video())
    at = [places[:, a][None].expand(BATCH, -1) for a in range(3)]
    x = tokens(96, len(places))
    theirs = apply_rotary_emb_allegro(x, freqs, at)
    ours = turned("rope-allegro", x, video() / np.array([2, 1.5, 2]))
    assert (len(t), len(h), len(w)) == (9, 3, 10)
    close(ours, theirs)


@pytest.mark.parametrize("dim", [64, 32])
def test_ltx_turns_all_channels_behind_a_rest(dim: int) -> None:
    """Before heads are split; what is left of a division by six stays in front."""
    made = transformer_ltx.LTXVideoRotaryPosEmbed(dim, base_height=704, base_width=512)
    x = tokens(dim, 9 * 3 * 10)[:, 0]
    scale = (0.4, 32.0, 32.0)
    theirs = transformer_ltx.apply_rotary_emb(x, made(x, 9, 3, 10, rope_interpolation_scale=scale))
    fractions = video() * (np.array(scale) / np.array([20, 704, 512]))
    spec = ENTRIES["rope-ltx"].make(dim=dim)
    ours = posenc.bind(spec).query(x, torch.from_numpy(2 * fractions - 1), head_axis=None)
    assert torch.equal(theirs[..., : dim % 6], x[..., : dim % 6])
    close(ours, theirs, FAR)  # angles of up to 15 708 in float32
    slow = theirs[..., : dim // 2] - ours[..., : dim // 2]
    assert slow.abs().max() < 5e-4


@pytest.mark.parametrize("head", [32, 64])
def test_ltx_2_split_gives_each_head_frequencies_of_its_own(head: int) -> None:
    """One ladder over the channels of all heads, paired across the halves of each head."""
    dim = HEADS * head
    made = transformer_ltx2.LTX2AudioVideoRotaryPosEmbed(
        dim, rope_type="split", num_attention_heads=HEADS, base_height=704, base_width=512
    )
    coords = made.prepare_video_coords(BATCH, 9, 3, 10, "cpu")
    x = tokens(head, 9 * 3 * 10)
    theirs = transformer_ltx2.apply_split_rotary_emb(x, made(coords))
    rungs = dim // 6
    freqs = np.zeros((dim // 2, 3))
    step = np.pi / 2 * 10_000 ** (np.arange(rungs) / (rungs - 1))
    freqs[dim // 2 - 3 * rungs :] = np.kron(step[:, None], np.eye(3))
    shares = coords.mean(-1).movedim(1, -1) / torch.tensor([20, 704, 512])
    spec = posenc.LearnedRope(dim=head, layout="half", heads=HEADS, coordinates=3)
    scheme = posenc.bind(spec, {"freqs": freqs.reshape(HEADS, -1, 3).astype(np.float32)})
    close(scheme.query(x, 2 * shares - 1), theirs, FAR)  # angles of up to 15 708 in float32


@pytest.mark.parametrize("fps", [None, 30])
def test_cosmos(fps: int | None) -> None:
    made = transformer_cosmos.CosmosRotaryPosEmbed(128, rope_scale=(2.0, 1.0, 1.0))
    tables = made(torch.zeros(1, 4, 9, 6, 20), fps)
    x = tokens(128, 9 * 3 * 10)
    theirs = apply_rotary_emb(x, tables, use_real_unbind_dim=-2)
    pace = np.array([1 if fps is None else 24 / fps, 1, 1])
    close(turned("rope-cosmos", x, video() * pace), theirs)


def test_cogview4() -> None:
    made = transformer_cogview4.CogView4RotaryPosEmbed(128, 2, (256, 200))
    tables = made(torch.zeros(1, 4, 18, 26))
    x = tokens(128, 9 * 13)
    theirs = apply_rotary_emb(x, tables, use_real_unbind_dim=-2)
    cells = rescaled(h=9, w=13, order="hw", to={"h": 256, "w": 200}, whole=True)
    close(turned("rope-2d", x, cells), theirs, 3e-5)


@pytest.mark.filterwarnings("ignore:In CPU autocast")
def test_mochi() -> None:
    freqs = torch.randn(
        3, HEADS, 16, generator=torch.Generator().manual_seed(0), requires_grad=True
    )
    cos, sin = transformer_mochi.MochiRoPE()(freqs, 9, 3, 10, dtype=torch.float32)
    x = tokens(32, 9 * 3 * 10)
    even, odd = x.transpose(1, 2).unflatten(-1, (-1, 2)).unbind(-1)
    pair = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    theirs = pair.flatten(-2).transpose(1, 2)
    scale = np.sqrt(192 * 192 / (3 * 10))
    centred = (video() + 0.5 - np.array([0.5, 3 / 2, 10 / 2])) * np.array([1, scale, scale])
    learned = {"freqs": freqs.movedim(0, -1)}
    ours = turned("rope-mochi", x, centred, arrays=learned)
    close(ours, theirs, 2e-4)  # angles of some hundreds in float32
    (ours * x).sum().backward()
    mine = freqs.grad.clone()
    freqs.grad = None
    (theirs * x).sum().backward()
    assert (mine - freqs.grad).norm() < 2e-5 * freqs.grad.norm()


def test_ernie_image_is_no_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Angles lie as for adjacent pairs, channels are paired across the halves."""
    text, image = joint_lumina2(12, Image(9, 13))
    ids = torch.from_numpy(np.concatenate([image, text]))
    seen: list[Tensor] = []

    def caught(query: Tensor, key: Tensor, value: Tensor, **_: Any) -> Tensor:
        seen.extend([query, key])
        return value

    monkeypatch.setattr(transformer_ernie_image, "dispatch_attention_fn", caught)
    x = tokens(128, len(ids))
    flat = x.transpose(1, 2).flatten(-2)
    same = torch.nn.Identity()
    layer = SimpleNamespace(
        to_q=same, to_k=same, to_v=same, norm_q=None, norm_k=None, heads=HEADS, to_out=[same, same]
    )
    freqs = transformer_ernie_image.ErnieImageEmbedND3(128, 256, (32, 48, 48))(ids[None].float())
    transformer_ernie_image.ErnieImageSingleStreamAttnProcessor()(layer, flat, freqs_cis=freqs)
    theirs = seen[0].transpose(1, 2)
    close(turned("ernie-image", x, ids), theirs)
    assert (theirs.norm(dim=-1) / x.norm(dim=-1) - 1).abs().max() > 0.1
