"""Queries and keys that turn by several coordinates: images, clips, atoms, points."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import COLUMNS_FIRST, FRAMES_FIRST, ROWS_FIRST, axial, scaling

_AXIAL = "angle[a, k] = p[a] base^(-2k/d_a)"


def _atoms(room: Any) -> tuple[int, ...]:
    """An eighth of the channels for each coordinate in space, the rest for the number."""
    each = max(2, room.dim // 16 * 2)
    return (each, each, each, room.dim - 3 * each)


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "rope-2d",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="half"),
        "title": {
            "en": "a ladder for rows, one for columns, pairs across the halves",
            "zh": "二维旋转编码：行列各半（前后半配对）",
        },
        "year": 2024,
        "paper": "heo2024rotary",
        "reference": "transformers, qwen2_vl: Qwen2VLVisionRotaryEmbedding",
        "shipped_by": (
            "Qwen2-VL vision",
            "GLM-4V vision",
            "ERNIE-4.5-VL vision",
            "Step-3.7 vision",
            "CogView4",
        ),
        "formula": _AXIAL + ", d_a = d/2",
        "note": {
            "en": "Positions are (row, column); Step-3.7 reads (column, row). Patches of Qwen2-VL, "
            "GLM-4V and ERNIE-4.5-VL come block by block: grid(merge=2). Those of CogView4 are "
            "rescaled(to=256, whole=True).",
            "zh": "位置为（行，列）；Step-3.7 先列后行。Qwen2-VL、GLM-4V、ERNIE-4.5-VL 的图块按合"
            "并块排列：grid(merge=2)；CogView4 用 rescaled(to=256, whole=True)。",
        },
    },
    {
        "name": "rope-2d-interleaved",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="interleaved"),
        "title": {
            "en": "a ladder for each of two coordinates, adjacent pairs",
            "zh": "二维旋转编码：行列各半（相邻配对）",
        },
        "year": 2023,
        "paper": "fang2023eva",
        "reference": "timm, RotaryEmbeddingCat; transformers, llama4",
        "shipped_by": (
            "EVA-02",
            "Llama 4 vision",
            "SAM 2",
            "SAM 3",
            "EdgeTAM",
            "Perception Encoder",
            "Inkling 2 vision",
        ),
        "formula": _AXIAL + ", d_a = d/2",
        "note": {
            "en": "EVA-02 reads (row, column). Llama 4, SAM 2, SAM 3, EdgeTAM, Perception Encoder "
            "and Inkling 2 read (column, row); Llama 4 and Perception Encoder count from 1.",
            "zh": "EVA-02 先行后列；Llama 4、SAM 2、SAM 3、EdgeTAM、Perception Encoder 与 Inkling "
            "2 先列后行，其中 Llama 4 与 Perception Encoder 从 1 数起。",
        },
    },
    {
        "name": "rope-2d-pixels",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="interleaved", ladder="linear", base=10.0),
        "title": {
            "en": "evenly spaced frequencies for coordinates from -1 to 1",
            "zh": "二维旋转编码：坐标归一化到 -1..1，频率等距",
        },
        "year": 2021,
        "reference": "rotary-embedding-torch, freqs_for='pixel'; timm, pixel_freq_bands",
        "shipped_by": ("rotary-embedding-torch", "timm"),
        "formula": "angle[a, k] = p[a] pi (1 + k (base/2 - 1)/(d/4 - 1))",
        "note": {
            "en": "Positions are (row, column), from -1 at the first cell to 1 at the last.",
            "zh": "位置为（行，列），从首格的 -1 到末格的 1。",
        },
    },
    {
        "name": "rope-2d-strided",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="half", order="strided"),
        "title": {
            "en": "one ladder, its even rungs for rows, its odd ones for columns",
            "zh": "二维旋转编码：同一阶梯，偶数级给行、奇数级给列",
        },
        "year": 2024,
        "paper": "agrawal2024pixtral",
        "reference": "Agrawal et al. 2024, arXiv:2410.07073; transformers, pixtral",
        "shipped_by": ("Pixtral", "Mistral 3 vision"),
        "formula": "angle[a, k] = p[a] base^(-2(2k + a)/d)",
        "note": ROWS_FIRST,
    },
    {
        "name": "rope-2d-alternate",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="interleaved", order="alternate"),
        "title": {
            "en": "two coordinates pair by pair in turn",
            "zh": "二维旋转编码：两个坐标逐对交替",
        },
        "year": 2025,
        "paper": "du2025kimi",
        "reference": "Kimi Team 2025, arXiv:2504.07491; in transformers with layout half",
        "shipped_by": ("Kimi-VL", "Kimi K2.5", "MoonViT", "Lumina-Next", "EfficientLoFTR"),
        "formula": _AXIAL + ", k = 0 0 1 1 .., a = 0 1 0 1 ..",
        "note": {
            "en": "Kimi's models read (column, row), Lumina-Next and EfficientLoFTR (row, column), "
            "the latter from 1 and on all channels before heads are split. The port of Kimi in "
            "transformers has layout half.",
            "zh": "Kimi 各模型先列后行；Lumina-Next 与 EfficientLoFTR 先行后列，后者从 1 数起，并"
            "在分头之前作用于全部通道。transformers 里的 Kimi 用 half 布局。",
        },
    },
    {
        "name": "rope-2d-apart",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="half", halves="axis", base=100.0),
        "title": {
            "en": "pairs across the halves of each coordinate's own channels",
            "zh": "二维旋转编码：每个坐标在自己的通道里前后半配对",
        },
        "year": 2026,
        "reference": "transformers, gemma4: apply_multidimensional_rope",
        "shipped_by": (
            "Gemma 4 vision",
            "ChatGLM-6B",
        ),
        "formula": _AXIAL + " of x[a d_a + k], x[a d_a + d_a/2 + k]",
        "note": {
            "en": "Gemma 4 reads (column, row). ChatGLM-6B has base 10000 and reads (place in the "
            "context, place in the blank).",
            "zh": "Gemma 4 先列后行。ChatGLM-6B 底数为 10000，"
            "坐标为（上文中的位置，填空中的位置）。",
        },
    },
    {
        "name": "rope-dinov3",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="half", ladder="turns", base=100.0),
        "title": {
            "en": "rotary by the centres of patches, from -1 to 1",
            "zh": "DINOv3 旋转编码：图块中心归一化到 -1..1",
        },
        "year": 2025,
        "paper": "simeoni2025dinov3",
        "reference": "Siméoni et al. 2025, arXiv:2508.10104; transformers, dinov3_vit",
        "shipped_by": ("DINOv3",),
        "formula": "angle[a, k] = 2 pi p[a] base^(-4k/d)",
        "note": {
            "en": "Positions are (row, column) of centres, from -1 to 1: centres(h=, w=, "
            'order="hw"). Class and register tokens do not turn.',
            "zh": '位置为图块中心的（行，列），取 -1 到 1：centres(h=, w=, order="hw")。类别标记与'
            "寄存器词元不旋转。",
        },
    },
    {
        "name": "rope-3d",
        "spec_class": "Rope",
        "fields": axial(1, 1, 1, layout="half"),
        "title": {
            "en": "a ladder for frames, rows and columns each; the rest of the head is still",
            "zh": "三维旋转编码：帧、行、列均分，余下通道不转",
        },
        "year": 2026,
        "reference": "transformers, minimax_m3_vl",
        "shipped_by": ("MiniMax-M3 vision",),
        "formula": _AXIAL + ", d_a = 2 ((d // 3) // 2)",
        "note": FRAMES_FIRST,
    },
    {
        "name": "rope-atoms",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "axes": scaling("Axial", dims=_atoms, bases=(20.0, 20.0, 20.0, 10_000.0)),
        },
        "title": {
            "en": "rotary of a place in space and the number of a residue",
            "zh": "原子的旋转编码：三维坐标加残基编号",
        },
        "year": 2026,
        "reference": "transformers, esmfold2: EsmFold2RotaryEmbedding",
        "shipped_by": ("ESMFold2",),
        "formula": "angle[a, k] = p[a] base_a^(-2k/d_a), "
        "base_a = 20, 20, 20, 10000, d_a = d/8, d/8, d/8, 5d/8",
        "note": {
            "en": "Positions are (x, y, z, number of the residue).",
            "zh": "位置为（x，y，z，残基编号）。",
        },
    },
    {
        "name": "rope-mixed",
        "spec_class": "LearnedRope",
        "fields": {"layout": "interleaved", "coordinates": 2, "base": 10.0},
        "title": {
            "en": "rotary in learned directions, each head its own",
            "zh": "混合轴旋转编码：每个头学习自己的方向",
        },
        "year": 2024,
        "paper": "heo2024rotary",
        "reference": "Heo et al. 2024, arXiv:2403.13298, section 3.2",
        "shipped_by": ("RoPE-ViT",),
        "formula": "angle[h, i] = sum_a p[a] freqs[h, i, a]",
        "note": COLUMNS_FIRST,
    },
    {
        "name": "rope-mixed-shared",
        "spec_class": "LearnedRope",
        "fields": {"layout": "interleaved", "heads": 1, "coordinates": 2},
        "title": {
            "en": "rotary in learned directions that all heads share",
            "zh": "混合轴旋转编码：各头共用学到的方向",
        },
        "year": 2023,
        "paper": "lindenberger2023lightglue",
        "reference": "Lindenberger et al. 2023, arXiv:2306.13643, section 3.1",
        "shipped_by": ("LightGlue",),
        "formula": "angle[i] = sum_a p[a] freqs[i, a]",
        "note": {
            "en": "Positions are (x, y) of a keypoint, from the middle of the image, over half of "
            "its longer side.",
            "zh": "位置为关键点的 (x, y)：以图像中心为原点，除以长边的一半。",
        },
    },
]
