"""Queries and keys that turn by several coordinates: text with images, and images alone."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import axial, scaling, sectioned

_WANG = "Wang et al. 2024, arXiv:2409.12191, section 2.1"
_MROPE = "w_i = base^(-2i/d); pair i turns by p[axis_i] w_i, text having one p on all axes"
_AXIAL = "pair k of axis a turns by p[a] base^(-2k/d_a)"


def _atoms(room: Any) -> tuple[int, ...]:
    """An eighth of the channels for each coordinate in space, the rest for the number."""
    each = max(2, room.dim // 16 * 2)
    return (each, each, each, room.dim - 3 * each)


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "mrope",
        "spec_class": "Rope",
        "fields": sectioned(16, 24, 24, layout="half", base=1_000_000.0),
        "title": {
            "en": "multimodal rotary, a run of pairs for time, rows and columns each",
            "zh": "多模态旋转编码 M-RoPE（时间、行、列各占连续一段）",
        },
        "year": 2024,
        "paper": "wang2024qwen2",
        "reference": _WANG,
        "shipped_by": ("Qwen2-VL", "Qwen2.5-VL", "Qwen2.5-Omni", "PaddleOCR-VL"),
        "formula": _MROPE + "; axes t..t h..h w..w",
    },
    {
        "name": "mrope-partial",
        "spec_class": "Rope",
        "fields": sectioned(8, 12, 12, layout="interleaved", part=0.5),
        "title": {
            "en": "multimodal rotary of half of the head, adjacent pairs",
            "zh": "多模态旋转编码，只转半个头（相邻配对）",
        },
        "year": 2025,
        "paper": "hong2025glm",
        "reference": "GLM-V Team 2025, arXiv:2507.01006; transformers, glm4v",
        "shipped_by": ("GLM-4.1V", "GLM-OCR", "GLM-Image"),
        "formula": _MROPE + "; axes t..t h..h w..w of half of the channels",
    },
    {
        "name": "mrope-partial-half",
        "spec_class": "Rope",
        "fields": sectioned(8, 12, 12, layout="half", part=0.5),
        "title": {
            "en": "multimodal rotary of half of the head, pairs across the halves",
            "zh": "多模态旋转编码，只转半个头（前后半配对）",
        },
        "year": 2025,
        "paper": "hong2025glm",
        "reference": "transformers, glm4v_moe",
        "shipped_by": ("GLM-4.5V",),
        "formula": _MROPE + "; axes t..t h..h w..w of half of the channels",
    },
    {
        "name": "mrope-interleaved",
        "spec_class": "Rope",
        "fields": sectioned(24, 20, 20, layout="half", order="interleaved", base=5_000_000.0),
        "title": {
            "en": "multimodal rotary, pairs to time, rows and columns in turn",
            "zh": "交错多模态旋转编码（时间、行、列轮流取频率）",
        },
        "year": 2025,
        "paper": "bai2025qwen3",
        "reference": "Qwen3-VL 2025, arXiv:2511.21631; transformers, recomposition_frequencies",
        "shipped_by": (
            "Qwen3-VL",
            "Qwen3-VL-MoE",
            "Qwen3-Omni",
            "Cosmos 3",
            "Cohere Compass",
            "Ideogram 4",
            "HY-V4-VL",
        ),
        "formula": _MROPE + "; axes t h w t h w .. t t",
    },
    {
        "name": "mrope-interleaved-partial",
        "spec_class": "Rope",
        "fields": sectioned(
            11, 11, 10, layout="half", part=0.25, order="interleaved", base=10_000_000.0
        ),
        "title": {
            "en": "multimodal rotary in turn, a quarter of the head",
            "zh": "交错多模态旋转编码，只转四分之一个头",
        },
        "year": 2026,
        "reference": "transformers, qwen3_5: mrope_section",
        "shipped_by": ("Qwen3.5", "Qwen4-exp"),
        "formula": _MROPE + "; axes t h w t h w .. of a quarter of the channels",
    },
    {
        "name": "mrope-time-last",
        "spec_class": "Rope",
        "fields": sectioned(20, 22, 22, layout="interleaved", order="first-last", base=500_000.0),
        "title": {
            "en": "multimodal rotary, time on the slowest pairs, adjacent pairs",
            "zh": "多模态旋转编码，时间取最慢的频率（相邻配对）",
        },
        "year": 2025,
        "reference": "transformers, ernie4_5_vl_moe: mrope_section stated as h, w, t",
        "shipped_by": ("ERNIE-4.5-VL",),
        "formula": _MROPE + "; axes h w h w .. t..t",
    },
    {
        "name": "videorope",
        "spec_class": "Rope",
        "fields": sectioned(16, 24, 24, layout="half", order="first-last", base=1_000_000.0),
        "title": {
            "en": "VideoRoPE: time on the slowest pairs, pairs across the halves",
            "zh": "VideoRoPE：时间取最慢的频率（前后半配对）",
        },
        "year": 2025,
        "paper": "wei2025videorope",
        "reference": "Wei et al. 2025, arXiv:2502.05173",
        "shipped_by": ("VideoRoPE",),
        "formula": _MROPE + "; axes h w h w .. t..t",
    },
    {
        "name": "xd-rope",
        "spec_class": "Rope",
        "fields": sectioned(16, 16, 16, 16, layout="half", scaling=scaling("Ntk", factor=1000.0)),
        "title": {
            "en": "rotary of four coordinates: text order, columns, rows, time",
            "zh": "四轴旋转编码 XD-RoPE（文本序、列、行、时间）",
        },
        "year": 2025,
        "reference": "HunyuanOCR: xdrope_section, on an NTK base of alpha 1000",
        "shipped_by": ("HunyuanOCR", "Hunyuan-VL"),
        "formula": _MROPE + "; axes p..p w..w h..h t..t",
    },
    {
        "name": "mrope-rows-columns",
        "spec_class": "Rope",
        "fields": sectioned(16, 16, layout="half", order="interleaved"),
        "title": {
            "en": "one ladder, rows and columns in turn",
            "zh": "行列轮流取频率的旋转编码",
        },
        "year": 2026,
        "reference": "transformers, neomme",
        "shipped_by": ("NeoMME",),
        "formula": _MROPE + "; axes row col row col ..",
    },
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
        "reference": "timm, RotaryEmbeddingCat; transformers, llama4: columns first, from 1",
        "shipped_by": (
            "EVA-02",
            "Llama 4 vision",
            "SAM 2",
            "SAM 3",
            "EdgeTAM",
            "Perception Encoder",
            "Inkling 2 vision",
            "HiDream",
        ),
        "formula": _AXIAL + ", d_a = d/2",
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
        "formula": "pair k of axis a turns by p[a] pi (1 + k (base/2 - 1)/(d/4 - 1))",
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
        "formula": "pair k of axis a turns by p[a] base^(-2(2k + a)/d)",
    },
    {
        "name": "rope-2d-alternate",
        "spec_class": "Rope",
        "fields": axial(1, 1, layout="interleaved", order="alternate"),
        "title": {
            "en": "columns and rows pair by pair in turn",
            "zh": "二维旋转编码：列与行逐对交替",
        },
        "year": 2025,
        "paper": "du2025kimi",
        "reference": "Kimi Team 2025, arXiv:2504.07491; in transformers with layout half",
        "shipped_by": ("Kimi-VL", "Kimi K2.5", "MoonViT", "Lumina-Next", "EfficientLoFTR"),
        "formula": _AXIAL + ", pairs in the order 0 0' 1 1' ..",
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
        "shipped_by": ("Gemma 4 vision", "ChatGLM-6B, on a base of 10000"),
        "formula": _AXIAL + ", channels x x' y y'",
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
        "formula": "pair k of axis a turns by 2 pi p[a] base^(-4k/d)",
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
        "formula": "pair k of x, y, z turns by p[a] 20^(-8k/d); the rest by the number",
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
        "formula": "pair i of head h turns by sum_a p[a] freqs[h, i, a]",
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
        "formula": "pair i turns by sum_a p[a] freqs[i, a]",
    },
]
