"""Rotary encodings of several coordinates in transformers, and ours at the same places.

Coordinates from 8 and at 70 001, no two axes alike, B != S. Their angles are float32, which is
off by up to 8e-3 at 70 001; ours are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers.models.dinov3_vit import modeling_dinov3_vit
from transformers.models.efficientloftr import modeling_efficientloftr
from transformers.models.ernie4_5_vl_moe import modeling_ernie4_5_vl_moe
from transformers.models.esmfold2 import modeling_esmfold2
from transformers.models.gemma4 import modeling_gemma4
from transformers.models.glm4v import modeling_glm4v
from transformers.models.glm4v_moe import modeling_glm4v_moe
from transformers.models.glm_image import modeling_glm_image
from transformers.models.hunyuan_vl import modeling_hunyuan_vl
from transformers.models.inkling2 import modeling_inkling2
from transformers.models.kimi_k25 import modeling_kimi_k25
from transformers.models.llama4 import modeling_llama4
from transformers.models.minimax_m3_vl import modeling_minimax_m3_vl
from transformers.models.neomme import modeling_neomme
from transformers.models.pixtral import modeling_pixtral
from transformers.models.qwen2_5_vl import modeling_qwen2_5_vl
from transformers.models.qwen2_vl import modeling_qwen2_vl
from transformers.models.qwen3_5 import modeling_qwen3_5
from transformers.models.qwen3_vl import modeling_qwen3_vl
from transformers.models.sam2_video import modeling_sam2_video
from transformers.models.step3p7 import modeling_step3p7
from transformers.models.vjepa2 import modeling_vjepa2

import posenc
from posenc import Rope, Sections
from posenc.positions import centres, grid

pytestmark = pytest.mark.upstream

BATCH, HEADS, TOKENS = 2, 3, 5
NEAR, FAR = 1e-5, 1.5e-2
PLACES = torch.tensor(
    [
        [[8, 8, 8], [9, 12, 30], [9, 13, 8], [31, 31, 31], [40, 11, 57]],
        [[10, 10, 10], [11, 14, 8], [11, 8, 21], [12, 9, 20], [33, 33, 33]],
    ]
)


def config(dim: int, base: float, kind: str = "default", **more: Any) -> SimpleNamespace:
    rope = {"rope_type": kind, "rope_theta": base, **more}
    width = HEADS * dim
    return SimpleNamespace(
        hidden_size=width,
        embed_dim=width,
        num_attention_heads=HEADS,
        num_heads=HEADS,
        head_dim=dim,
        max_position_embeddings=1024,
        rope_parameters=rope,
    )


class Text(NamedTuple):
    """M-RoPE of one model."""

    module: Any
    rotary: str
    base: float
    sizes: tuple[int, ...]
    spec: Rope
    part: float = 1.0


TEXTS = {
    "qwen2-vl": Text(
        modeling_qwen2_vl,
        "Qwen2VLRotaryEmbedding",
        1e6,
        (16, 24, 24),
        posenc.encodings()["mrope"].make(dim=128),
    ),
    "qwen2-vl-10": Text(
        modeling_qwen2_vl,
        "Qwen2VLRotaryEmbedding",
        1e4,
        (1, 2, 2),
        Rope(dim=10, layout="half", axes=Sections(sizes=(1, 2, 2))),
    ),
    "qwen2.5-vl": Text(
        modeling_qwen2_5_vl,
        "Qwen2_5_VLRotaryEmbedding",
        1e6,
        (16, 24, 24),
        posenc.encodings()["mrope"].make(dim=128),
    ),
    "qwen3-vl": Text(
        modeling_qwen3_vl,
        "Qwen3VLTextRotaryEmbedding",
        5e6,
        (24, 20, 20),
        posenc.encodings()["mrope-interleaved"].make(dim=128),
    ),
    "qwen3.5": Text(
        modeling_qwen3_5,
        "Qwen3_5TextRotaryEmbedding",
        1e7,
        (11, 11, 10),
        posenc.encodings()["mrope-interleaved-partial"].make(dim=256),
        part=0.25,
    ),
    "ernie-4.5-vl": Text(
        modeling_ernie4_5_vl_moe,
        "Ernie4_5_VLMoeTextRotaryEmbedding",
        5e5,
        (22, 22, 20),
        posenc.encodings()["mrope-time-last"].make(dim=128),
    ),
    "glm-4v": Text(
        modeling_glm4v,
        "Glm4vTextRotaryEmbedding",
        1e4,
        (8, 12, 12),
        posenc.encodings()["mrope-partial"].make(dim=128),
        part=0.5,
    ),
    "glm-4v-moe": Text(
        modeling_glm4v_moe,
        "Glm4vMoeTextRotaryEmbedding",
        1e4,
        (8, 12, 12),
        posenc.encodings()["mrope-partial-half"].make(dim=128),
        part=0.5,
    ),
    "glm-image": Text(
        modeling_glm_image,
        "GlmImageTextRotaryEmbedding",
        1e4,
        (8, 12, 12),
        posenc.encodings()["mrope-partial-half"].make(dim=128),
        part=0.5,
    ),
}


def both(q: Tensor, k: Tensor, spec: Any, positions: Any, arrays: Any = None) -> Tensor:
    scheme = posenc.bind(spec, arrays)
    placed = scheme.prepare(positions)
    return torch.stack([scheme.query(q, placed), scheme.key(k, placed)])


def tokens(dim: int, count: int = TOKENS, seed: int = 0) -> tuple[Tensor, Tensor]:
    drawn = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, BATCH, HEADS, count, dim, generator=drawn)
    return q, k


@pytest.mark.parametrize(("shift", "atol"), [(0, NEAR), (69_993, FAR)])
@pytest.mark.parametrize("name", TEXTS)
def test_text_with_images(name: str, shift: int, atol: float) -> None:
    text = TEXTS[name]
    dim = text.spec.head_dim or text.spec.dim
    given = config(dim, text.base, mrope_section=list(text.sizes), partial_rotary_factor=text.part)
    rotary = getattr(text.module, text.rotary)(given)
    q, k = tokens(dim)
    places = PLACES + shift
    cos, sin = rotary(q, places.movedim(-1, 0))
    theirs = torch.stack(text.module.apply_rotary_pos_emb(q, k, cos, sin))
    torch.testing.assert_close(both(q, k, text.spec, places), theirs, atol=atol, rtol=0)


def test_rows_and_columns_of_neomme() -> None:
    given = config(16, 1e4)
    given.layer_types = ["sliding_attention"]
    given.rope_parameters = {"sliding_attention": given.rope_parameters}
    rotary = modeling_neomme.NeoMMERotaryEmbedding(given)
    q, k = tokens(16)
    places = PLACES[..., 1:]
    cos, sin = rotary(q, places.movedim(-1, 0), layer_type="sliding_attention")
    theirs = torch.stack(modeling_neomme.apply_rotary_pos_emb(q, k, cos, sin))
    spec = posenc.encodings()["mrope-rows-columns"].make(dim=16)
    torch.testing.assert_close(both(q, k, spec, places), theirs, atol=NEAR, rtol=0)


def test_hunyuan_vl_pairs_channels_of_two_axes() -> None:
    """transformers 5.24 doubles each section: text is right, images are not turned at all."""
    sizes = (2, 2, 2, 2)
    rotary = modeling_hunyuan_vl.HunYuanVLRotaryEmbedding(
        config(16, 1e4, mrope_section=list(sizes))
    )
    spec = Rope(dim=16, layout="half", axes=Sections(sizes=sizes))
    q, k = tokens(16)

    def theirs(places: Tensor) -> Tensor:
        turn = modeling_hunyuan_vl.apply_rotary_pos_emb
        return torch.stack(turn(q, k, *rotary(q, places.movedim(-1, 0))))

    text = torch.arange(8, 8 + TOKENS)[None, :, None].expand(BATCH, TOKENS, 4)
    torch.testing.assert_close(both(q, k, spec, text), theirs(text), atol=NEAR, rtol=0)
    image = torch.cat([PLACES, PLACES[..., :1] + 3], dim=-1)
    lengths = theirs(image).norm(dim=-1) / torch.stack([q, k]).norm(dim=-1)
    assert (lengths - 1).abs().max() > 0.1
    ours = both(q, k, spec, image).norm(dim=-1) / torch.stack([q, k]).norm(dim=-1)
    torch.testing.assert_close(ours, torch.ones_like(ours), atol=1e-6, rtol=0)
    tiled = torch.cat([m[..., i : i + 1].expand(-1, -1, n) for i, (m, n) in
                       enumerate(zip([image] * 4, sizes, strict=True))], dim=-1)  # fmt: skip
    angle = tiled * rotary.inv_freq
    cos, sin = (torch.cat([t, t], dim=-1) for t in (angle.cos(), angle.sin()))
    right = torch.stack(modeling_hunyuan_vl.apply_rotary_pos_emb(q, k, cos, sin))
    torch.testing.assert_close(both(q, k, spec, image), right, atol=NEAR, rtol=0)


def tower(module: Any, rotary: str, base: float = 1e4) -> Callable[..., Tensor]:
    """A vision tower whose tables are of (cells, coordinates) and whose tokens are in one row."""

    def turned(q: Tensor, k: Tensor, places: Tensor) -> Tensor:
        made = getattr(module, rotary)(config(q.shape[-1], base, "axial"))
        cos, sin = made(q, places)
        turn = module.apply_rotary_pos_emb_vision
        rows = [turn(a.movedim(0, 1), b.movedim(0, 1), cos, sin) for a, b in zip(q, k, strict=True)]
        return torch.stack([torch.stack([r[i].movedim(0, 1) for r in rows]) for i in (0, 1)])

    return turned


def pixtral(q: Tensor, k: Tensor, places: Tensor) -> Tensor:
    made = modeling_pixtral.PixtralVisionRotaryEmbedding(config(q.shape[-1], 1e4, "axial"))
    cos, sin = made(q, places)
    return torch.stack(modeling_pixtral.apply_rotary_pos_emb(q, k, cos[None], sin[None]))


def gemma4(q: Tensor, k: Tensor, places: Tensor) -> Tensor:
    made = modeling_gemma4.Gemma4VisionRotaryEmbedding(config(q.shape[-1], 100.0, "axial"))
    at = places[None].expand(BATCH, -1, -1)
    cos, sin = made(q, at)
    turn = modeling_gemma4.apply_multidimensional_rope
    return torch.stack([turn(x.transpose(1, 2), cos, sin, at).transpose(1, 2) for x in (q, k)])


def sam2(q: Tensor, k: Tensor, places: Tensor) -> Tensor:
    given = config(q.shape[-1], 1e4, "axial")
    given.memory_attention_hidden_size = HEADS * q.shape[-1]
    given.memory_attention_downsample_rate = 1
    given.memory_attention_num_attention_heads = HEADS
    cos, sin = modeling_sam2_video.Sam2VideoVisionRotaryEmbedding(given)(q, places)
    return torch.stack(modeling_sam2_video.apply_rotary_pos_emb_2d(q, k, cos, sin))


TOWERS: dict[str, tuple[Callable[..., Tensor], str, dict[str, Any]]] = {
    "qwen2-vl": (tower(modeling_qwen2_vl, "Qwen2VLVisionRotaryEmbedding"), "rope-2d", {}),
    "qwen2.5-vl": (tower(modeling_qwen2_5_vl, "Qwen2_5_VLVisionRotaryEmbedding"), "rope-2d", {}),
    "qwen3-vl": (tower(modeling_qwen3_vl, "Qwen3VLVisionRotaryEmbedding"), "rope-2d", {}),
    "ernie-4.5-vl": (
        tower(modeling_ernie4_5_vl_moe, "Ernie4_5_VLMoeVisionRotaryEmbedding"),
        "rope-2d",
        {},
    ),
    "glm-4v": (tower(modeling_glm4v, "Glm4vVisionRotaryEmbedding"), "rope-2d", {}),
    "pixtral": (pixtral, "rope-2d-strided", {}),
    "gemma-4": (gemma4, "rope-2d-apart", {}),
    "sam-2": (sam2, "rope-2d-interleaved", {}),
}


@pytest.mark.parametrize("first", [8, 70_001])
@pytest.mark.parametrize("dim", [8, 64])
@pytest.mark.parametrize("name", TOWERS)
def test_towers(name: str, dim: int, first: int) -> None:
    theirs, entry, fields = TOWERS[name]
    places = torch.from_numpy(grid(h=3, w=7, order="hw")) + torch.tensor([first, 11])
    q, k = tokens(dim, 21)
    spec = posenc.encodings()[entry].make(dim=dim, **fields)
    atol = NEAR if first == 8 else FAR
    torch.testing.assert_close(both(q, k, spec, places), theirs(q, k, places), atol=atol, rtol=0)


@pytest.mark.parametrize("dim", [8, 64])
def test_kimi(dim: int) -> None:
    """Columns and rows in turn; the port of transformers has its pairs across the halves."""
    theirs = tower(modeling_kimi_k25, "Kimi_K25VisionRotaryEmbedding")
    cells = torch.from_numpy(grid(h=3, w=7, order="hw")) + torch.tensor([9, 20])
    q, k = tokens(dim, 21)
    spec = posenc.encodings()["rope-2d-alternate"].make(dim=dim, layout="half")
    ours = both(q, k, spec, cells.flip(-1))
    torch.testing.assert_close(ours, theirs(q, k, cells), atol=NEAR, rtol=0)


@pytest.mark.parametrize(
    ("module", "rotary", "entry"),
    [
        (modeling_step3p7, "Step3p7VisionRotaryEmbedding", "rope-2d"),
        (modeling_inkling2, "Inkling2VisionRotaryEmbedding", "rope-2d-interleaved"),
    ],
)
def test_towers_that_read_columns_first(module: Any, rotary: str, entry: str) -> None:
    cells = torch.from_numpy(grid(h=3, w=7, order="hw")) + torch.tensor([9, 20])
    q, k = tokens(64, 21)
    ours = both(q, k, posenc.encodings()[entry].make(dim=64), cells.flip(-1))
    torch.testing.assert_close(ours, tower(module, rotary)(q, k, cells), atol=NEAR, rtol=0)


def test_efficient_loftr_turns_all_channels_from_one_on() -> None:
    """Before heads are split, so that a partial_rotary_factor above 1 has a meaning there."""
    width, rows, columns = 64, 9, 13
    given = config(16, 1e4, partial_rotary_factor=2.0)
    given.hidden_size, given.q_aggregation_kernel_size, given.q_aggregation_stride = width, 1, 1
    made = modeling_efficientloftr.EfficientLoFTRRotaryEmbedding(given)
    cos, sin = made(torch.zeros(1, width, rows, columns))
    q, k = (x[:, 0] for x in tokens(width, rows * columns))
    turn = modeling_efficientloftr.apply_rotary_pos_emb
    square = (x.reshape(BATCH, rows, columns, 1, width).squeeze(-2) for x in (q, k))
    theirs = torch.stack(turn(*square, cos.squeeze(0), sin.squeeze(0), unsqueeze_dim=0)).flatten(
        2, 3
    )
    scheme = posenc.bind(posenc.encodings()["rope-2d-alternate"].make(dim=width))
    at = torch.from_numpy(grid(h=rows, w=columns, order="hw") + 1)
    ours = torch.stack([scheme.query(q, at, head_axis=None), scheme.key(k, at, head_axis=None)])
    torch.testing.assert_close(ours, theirs, atol=NEAR, rtol=0)


def test_atoms_of_esmfold2() -> None:
    given = SimpleNamespace(
        num_spatial_rope_pairs_per_axis=2,
        num_uid_rope_pairs=10,
        spatial_rope_base_frequency=20.0,
        uid_rope_base_frequency=10_000.0,
        head_dim=32,
    )
    made = modeling_esmfold2.EsmFold2RotaryEmbedding(given)
    space = torch.randn(BATCH, TOKENS, 3, generator=torch.Generator().manual_seed(0)) * 20
    residue = PLACES[..., 0]
    q, k = tokens(32)
    cos, sin = made(space, residue, torch.float32)
    theirs = torch.stack(modeling_esmfold2.apply_rotary_pos_emb(q, k, cos, sin))
    places = torch.cat([space, residue[..., None].float()], dim=-1)
    spec = posenc.encodings()["rope-atoms"].make(dim=32)
    torch.testing.assert_close(both(q, k, spec, places), theirs, atol=NEAR, rtol=0)


@pytest.mark.parametrize("dim", [10, 64])
def test_minimax_turns_three_thirds(dim: int) -> None:
    theirs = tower(modeling_minimax_m3_vl, "MiniMaxM3VLVisionRotaryEmbedding")
    cells = torch.from_numpy(grid(t=2, h=3, w=4, order="thw")) + torch.tensor([9, 20, 8])
    q, k = tokens(dim, 24)
    spec = posenc.encodings()["rope-3d"].make(dim=dim)
    torch.testing.assert_close(both(q, k, spec, cells), theirs(q, k, cells), atol=NEAR, rtol=0)


def test_llama4_counts_columns_first_and_from_one() -> None:
    side, dim = 11, 16
    given = config(dim, 1e4)
    given.image_size, given.patch_size = 14 * side, 14
    made = modeling_llama4.Llama4VisionRotaryEmbedding(given)
    q, k = tokens(dim, side * side + 1)
    turn = modeling_llama4.vision_apply_rotary_emb
    theirs = torch.stack(turn(q.transpose(1, 2), k.transpose(1, 2), made(q))).transpose(2, 3)
    patches = grid(h=side, w=side, order="wh") + 1
    places = torch.from_numpy(np.concatenate([patches, [[0, 0]]]))  # the class token comes last
    spec = posenc.encodings()["rope-2d-interleaved"].make(dim=dim)
    torch.testing.assert_close(both(q, k, spec, places), theirs, atol=NEAR, rtol=0)


def test_dinov3_leaves_prefix_tokens() -> None:
    dim, h, w, prefix = 16, 9, 13, 5
    given = SimpleNamespace(
        rope_theta=100.0,
        hidden_size=HEADS * dim,
        num_attention_heads=HEADS,
        image_size=224,
        patch_size=16,
    )
    made = modeling_dinov3_vit.DINOv3ViTRopePositionEmbedding(given).eval()
    cos, sin = made(torch.zeros(BATCH, 3, 16 * h, 16 * w))
    q, k = tokens(dim, prefix + h * w)
    theirs = torch.stack(modeling_dinov3_vit.apply_rotary_pos_emb(q, k, cos, sin))
    spec = posenc.encodings()["rope-dinov3"].make(dim=dim)
    patches = centres(h=h, w=w, order="hw")
    places = torch.from_numpy(np.concatenate([np.zeros((prefix, 2)), patches]))
    torch.testing.assert_close(both(q, k, spec, places), theirs, atol=NEAR, rtol=0)


@pytest.mark.parametrize("dim", [16, 64])
def test_vjepa2_is_no_rotation(dim: int) -> None:
    each = 2 * ((dim // 3) // 2)
    layer = SimpleNamespace(d_dim=each, h_dim=each, w_dim=each, attention_head_size=dim)
    cells = torch.from_numpy(grid(t=2, h=3, w=4, order="thw")) + torch.tensor([9, 20, 8])
    q, k = tokens(dim, 24)
    turn = modeling_vjepa2.VJEPA2RopeAttention.apply_rotary_embeddings
    at = tuple(cells.T.float())
    theirs = torch.stack([turn(layer, x, at) for x in (q, k)])
    spec = posenc.encodings()["v-jepa-2"].make(dim=dim)
    torch.testing.assert_close(both(q, k, spec, cells), theirs, atol=NEAR, rtol=0)
    lengths = theirs.norm(dim=-1) / torch.stack([q, k]).norm(dim=-1)
    assert (lengths - 1).abs().max() > 0.09
