"""Queries and keys that turn by the cells of a canvas: transformers that paint by diffusion."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import FRAMES_FIRST, axial

_AXIAL = "angle[a, k] = p[a] base^(-2k/d_a)"


def _stretched(*channels: int) -> list[float]:
    """Bases of Cosmos: time stretched twofold, each ladder to the power that its width asks."""
    ratios = (2.0, 1.0, 1.0)
    return [10_000.0 * r ** (d / max(d - 2, 1)) for r, d in zip(ratios, channels, strict=True)]


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "rope-flux",
        "spec_class": "Rope",
        "fields": axial(16, 56, 56, layout="interleaved"),
        "title": {
            "en": "rotary of an image: an eighth for a third coordinate, the rest rows and columns",
            "zh": "Flux 旋转编码：八分之一给第三坐标，其余给行列",
        },
        "year": 2024,
        "reference": "diffusers, FluxPosEmbed",
        "shipped_by": (
            "Flux.1",
            "Qwen-Image",
            "Chroma",
            "Bria",
            "LongCat-Image",
            "Ovis-Image",
            "NucleusMoE-Image",
        ),
        "formula": _AXIAL + ", d_a = d/8, 7d/16, 7d/16",
        "note": {
            "en": "Text is at (0, 0, 0) and patches at (0, row, column), by joint_flux. Text of "
            "Ovis-Image and LongCat-Image is on the diagonal (0, i, i). Qwen-Image and "
            "NucleusMoE-Image count from the middle, by joint_qwen_image.",
            "zh": "文本在 (0, 0, 0)，图块在（0，行，列），由 joint_flux 生成。Ovis-Image 与 "
            "LongCat-Image 的文本在对角线 (0, i, i) 上。Qwen-Image 与 NucleusMoE-Image 从中心数起，"
            "用 joint_qwen_image。",
        },
    },
    {
        "name": "rope-hidream",
        "spec_class": "Rope",
        "fields": axial(64, 32, 32, layout="interleaved"),
        "title": {
            "en": "rotary of an image: half for a third coordinate, the rest rows and columns",
            "zh": "HiDream 旋转编码：一半给第三坐标，其余给行列",
        },
        "year": 2025,
        "reference": "diffusers, HiDreamImageEmbedND",
        "shipped_by": ("HiDream",),
        "formula": _AXIAL + ", d_a = d/2, d/4, d/4",
        "note": {
            "en": "Text is at (0, 0, 0) and patches at (0, row, column), by joint_flux; half of "
            "the channels do not turn at all.",
            "zh": "文本在 (0, 0, 0)，图块在（0，行，列），由 joint_flux 生成；一半通道从不旋转。",
        },
    },
    {
        "name": "rope-flux-2",
        "spec_class": "Rope",
        "fields": axial(32, 32, 32, 32, layout="interleaved", base=2000.0),
        "title": {
            "en": "rotary of four coordinates: picture, row, column, place in the text",
            "zh": "Flux.2 旋转编码：图序、行、列、文本序四轴",
        },
        "year": 2025,
        "reference": "diffusers, Flux2PosEmbed",
        "shipped_by": ("Flux.2",),
        "formula": _AXIAL + ", d_a = d/4",
        "note": {
            "en": "Positions are (picture, row, column, place in the text), by joint_flux2.",
            "zh": "位置为（图序，行，列，文本序），由 joint_flux2 生成。",
        },
    },
    {
        "name": "rope-hunyuan-video",
        "spec_class": "Rope",
        "fields": axial(16, 56, 56, layout="interleaved", base=256.0),
        "title": {
            "en": "rotary of frames, rows and columns on a base of 256",
            "zh": "混元视频旋转编码：帧、行、列，底数 256",
        },
        "year": 2024,
        "paper": "kong2024hunyuanvideo",
        "reference": "Kong et al. 2024, arXiv:2412.03603; diffusers, HunyuanVideoRotaryPosEmbed",
        "shipped_by": ("HunyuanVideo", "HunyuanVideo 1.5", "FramePack", "Motif-Video", "JoyImage"),
        "formula": _AXIAL + ", d_a = d/8, 7d/16, 7d/16",
        "note": {
            "en": 'Positions are (frame, row, column), as grid(t=, h=, w=, order="thw") gives '
            "them. Text does not turn.",
            "zh": '位置为（帧，行，列），即 grid(t=, h=, w=, order="thw") 所给。文本不旋转。',
        },
    },
    {
        "name": "rope-hunyuan-image",
        "spec_class": "Rope",
        "fields": axial(64, 64, layout="interleaved", base=256.0),
        "title": {
            "en": "rotary of rows and columns on a base of 256",
            "zh": "混元图像旋转编码：行列各半，底数 256",
        },
        "year": 2025,
        "reference": "diffusers, HunyuanImageRotaryPosEmbed",
        "shipped_by": ("HunyuanImage",),
        "formula": _AXIAL + ", d_a = d/2",
        "note": {
            "en": 'Positions are (row, column), as grid(h=, w=, order="hw") gives them. Text does '
            "not turn.",
            "zh": '位置为（行，列），即 grid(h=, w=, order="hw") 所给。文本不旋转。',
        },
    },
    {
        "name": "rope-z-image",
        "spec_class": "Rope",
        "fields": axial(32, 48, 48, layout="interleaved", base=256.0),
        "title": {
            "en": "rotary of text order, rows and columns on a base of 256",
            "zh": "Z-Image 旋转编码：文本序、行、列，底数 256",
        },
        "year": 2025,
        "reference": "diffusers, transformer_z_image",
        "shipped_by": ("Z-Image",),
        "formula": _AXIAL + ", d_a = d/4, 3d/8, 3d/8",
        "note": {
            "en": "Text is at (p, 0, 0) from 1 on, patches at (p, row, column) with the p behind "
            "it, by joint_lumina2(first=1).",
            "zh": "文本在 (p, 0, 0)，p 从 1 起；图块在（p，行，列），p 接在文本之后，由 "
            "joint_lumina2(first=1) 生成。",
        },
    },
    {
        "name": "rope-krea-2",
        "spec_class": "Rope",
        "fields": axial(32, 48, 48, layout="interleaved", base=1000.0),
        "title": {
            "en": "rotary of a third coordinate, rows and columns on a base of 1000",
            "zh": "Krea 2 旋转编码：第三坐标、行、列，底数 1000",
        },
        "year": 2026,
        "reference": "diffusers, transformer_krea2",
        "shipped_by": ("Krea 2",),
        "formula": _AXIAL + ", d_a = d/4, 3d/8, 3d/8",
        "note": {
            "en": "Text is at (0, 0, 0) and patches at (0, row, column), by joint_flux.",
            "zh": "文本在 (0, 0, 0)，图块在（0，行，列），由 joint_flux 生成。",
        },
    },
    {
        "name": "rope-lumina-2",
        "spec_class": "Rope",
        "fields": axial(32, 32, 32, layout="interleaved"),
        "title": {
            "en": "rotary of text order, rows and columns in equal parts",
            "zh": "Lumina 2 旋转编码：文本序、行、列均分",
        },
        "year": 2025,
        "paper": "qin2025lumina",
        "reference": "Qin et al. 2025, arXiv:2503.21758; diffusers, Lumina2RotaryPosEmbed",
        "shipped_by": ("Lumina 2",),
        "formula": _AXIAL + ", d_a = d/3",
        "note": {
            "en": "Text is at (p, 0, 0) and patches at (p, row, column) with the p behind it, by "
            "joint_lumina2.",
            "zh": "文本在 (p, 0, 0)；图块在（p，行，列），p 接在文本之后，由 joint_lumina2 生成。",
        },
    },
    {
        "name": "rope-wan",
        "spec_class": "Rope",
        "fields": axial(44, 42, 42, layout="interleaved"),
        "title": {
            "en": "rotary of frames, rows and columns, the rest of a third going to frames",
            "zh": "Wan 旋转编码：帧、行、列三分，余数归帧",
        },
        "year": 2025,
        "paper": "wang2025wan",
        "reference": "Wan Team 2025, arXiv:2503.20314; diffusers, WanRotaryPosEmbed",
        "shipped_by": ("Wan 2.1", "Wan 2.2", "SkyReels-V2"),
        "formula": _AXIAL + ", d_a = d - 4 (d // 6), 2 (d // 6), 2 (d // 6)",
        "note": FRAMES_FIRST,
    },
    {
        "name": "rope-cogvideox",
        "spec_class": "Rope",
        "fields": axial(16, 24, 24, layout="interleaved"),
        "title": {
            "en": "rotary of frames, rows and columns: a quarter and three eighths each",
            "zh": "CogVideoX 旋转编码：帧占四分之一，行列各八分之三",
        },
        "year": 2024,
        "paper": "yang2024cogvideox",
        "reference": "Yang et al. 2024, arXiv:2408.06072; diffusers, get_3d_rotary_pos_embed",
        "shipped_by": ("CogVideoX", "Kandinsky 5"),
        "formula": _AXIAL + ", d_a = d/4, 3d/8, 3d/8",
        "note": {
            "en": "Positions are (frame, row, column); CogVideoX's rows and columns are rescaled() "
            "to the grid of training.",
            "zh": "位置为（帧，行，列）；CogVideoX 的行列用 rescaled() 缩放到训练网格。",
        },
    },
    {
        "name": "rope-allegro",
        "spec_class": "Rope",
        "fields": axial(32, 32, 32, layout="half", halves="axis"),
        "title": {
            "en": "rotary of frames, rows and columns, each paired across its own halves",
            "zh": "Allegro 旋转编码：帧、行、列均分，各自前后半配对",
        },
        "year": 2024,
        "paper": "zhou2024allegro",
        "reference": "Zhou et al. 2024, arXiv:2410.15458; diffusers, apply_rotary_emb_allegro",
        "shipped_by": ("Allegro",),
        "formula": _AXIAL + " of x[a d_a + k], x[a d_a + d_a/2 + k], d_a = d/3",
        "note": {
            "en": "Positions are (frame, row, column), each over a scale of its own.",
            "zh": "位置为（帧，行，列），各除以自己的缩放系数。",
        },
    },
    {
        "name": "rope-ltx",
        "spec_class": "Rope",
        "fields": axial(
            2, 2, 2, layout="interleaved", order="alternate", ladder="rising", at="back"
        ),
        "title": {
            "en": "rotary by fractions of a reference size, of all channels before heads are split",
            "zh": "LTX 旋转编码：按参考尺寸的比例，分头之前作用于全部通道",
        },
        "year": 2024,
        "paper": "hacohen2024ltx",
        "reference": "HaCohen et al. 2024, arXiv:2501.00103; diffusers, LTXVideoRotaryPosEmbed",
        "shipped_by": ("LTX-Video",),
        "formula": "angle[a, k] = p[a] pi/2 base^(k/(d/6 - 1)), p = 2 c - 1",
        "note": {
            "en": 'c are shares of (20 seconds, 2048, 2048 pixels): grid(t=, h=, w=, order="thw") '
            "* step / (20, 2048, 2048), a step being 8 frames in seconds and 32 pixels.",
            "zh": 'c 为占（20 秒，2048 像素，2048 像素）的比例：grid(t=, h=, w=, order="thw") * '
            "step / (20, 2048, 2048)，一步为 8 帧所历秒数与 32 像素。",
        },
    },
    {
        "name": "rope-cosmos",
        "spec_class": "Rope",
        "fields": axial(44, 42, 42, layout="half", bases=_stretched),
        "title": {
            "en": "rotary of frames, rows and columns, each on a base of its own",
            "zh": "Cosmos 旋转编码：帧、行、列各有底数",
        },
        "year": 2025,
        "paper": "agarwal2025cosmos",
        "reference": "NVIDIA 2025, arXiv:2501.03575; diffusers, CosmosRotaryPosEmbed",
        "shipped_by": ("Cosmos 1",),
        "formula": "angle[a, k] = p[a] base_a^(-2k/d_a), base_a = 10000 ratio_a^(d_a/(d_a - 2))",
        "note": {
            "en": "Positions are (frame, row, column), frames times 24 over the frame rate where "
            "it is known.",
            "zh": "位置为（帧，行，列）；帧率已知时，帧号乘以 24 除以帧率。",
        },
    },
    {
        "name": "rope-mochi",
        "spec_class": "LearnedRope",
        "fields": {"layout": "interleaved", "coordinates": 3},
        "title": {
            "en": "rotary in learned directions of frames, rows and columns",
            "zh": "Mochi 旋转编码：在帧、行、列上学习方向",
        },
        "year": 2024,
        "reference": "diffusers, MochiRoPE: pos_frequencies",
        "shipped_by": ("Mochi 1",),
        "formula": "angle[h, i] = sum_a p[a] freqs[h, i, a]",
        "note": {
            "en": "Positions are (frame, row, column); rows and columns are centres counted from "
            "the middle, times 192 over the root of rows times columns.",
            "zh": "位置为（帧，行，列）；行列取格心到图像中心的距离，再乘以 192 除以行列数之积的平"
            "方根。",
        },
    },
    {
        "name": "ernie-image",
        "spec_class": "CrossedRope",
        "fields": axial(32, 48, 48, layout="half", base=256.0),
        "title": {
            "en": "angles for adjacent pairs on pairs across the halves, as shipped: no rotation",
            "zh": "ERNIE-Image 原样实现：角度按相邻配对、通道按前后半配对，不是旋转",
        },
        "year": 2026,
        "reference": "diffusers, transformer_ernie_image",
        "shipped_by": ("ERNIE-Image",),
        "formula": "y[c] = x[c] cos a[c // 2] + partner(x)[c] sin a[c // 2]",
        "note": {
            "en": "Text is at (p, 0, 0) and patches at (p, row, column) with the p behind it, by "
            "joint_lumina2.",
            "zh": "文本在 (p, 0, 0)；图块在（p，行，列），p 接在文本之后，由 joint_lumina2 生成。",
        },
    },
    {
        "name": "v-jepa-2",
        "spec_class": "CrossedRope",
        "fields": axial(1, 1, 1, layout="interleaved", halves="axis"),
        "title": {
            "en": "angles for halves on adjacent pairs, as shipped: no rotation",
            "zh": "V-JEPA 2 原样实现：角度按前后半、通道按相邻配对，不是旋转",
        },
        "year": 2025,
        "paper": "assran2025v",
        "reference": "Assran et al. 2025, arXiv:2506.09985; transformers, vjepa2",
        "shipped_by": ("V-JEPA 2",),
        "formula": "y[c] = x[c] cos a[c mod d_a/2] + partner(x)[c] sin a[c mod d_a/2]",
        "note": FRAMES_FIRST,
    },
]
