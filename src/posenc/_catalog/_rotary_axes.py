"""Queries and keys that turn by several coordinates: text with images and video."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import scaling, sectioned

_WANG = "Wang et al. 2024, arXiv:2409.12191, section 2.1"
_MROPE = "angle_i = p[axis_i] base^(-2i/d), axis = "

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
        "formula": _MROPE + "t..t h..h w..w",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. "
            "mrope_qwen2_vl and mrope_qwen2_5_vl make them. PaddleOCR-VL has base 500000.",
            "zh": "位置为（时间，行，列）。文本三轴同值。由 mrope_qwen2_vl 与 mrope_qwen2_5_vl 生"
            "成。PaddleOCR-VL 底数为 500000。",
        },
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
        "shipped_by": (
            "GLM-4.1V",
            "GLM-OCR",
        ),
        "formula": _MROPE + "t..t h..h w..w, d = head_dim/2",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. "
            "mrope_glm4v makes them.",
            "zh": "位置为（时间，行，列）。文本三轴同值。由 mrope_glm4v 生成。",
        },
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
        "shipped_by": (
            "GLM-4.5V",
            "GLM-Image",
        ),
        "formula": _MROPE + "t..t h..h w..w, d = head_dim/2",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. "
            "mrope_glm4v makes them for GLM-4.5V.",
            "zh": "位置为（时间，行，列）。文本三轴同值。GLM-4.5V 的位置由 mrope_glm4v 生成。",
        },
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
        ),
        "formula": _MROPE + "t h w t h w .. t t",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. "
            "mrope_qwen3_vl makes them.",
            "zh": "位置为（时间，行，列）。文本三轴同值。由 mrope_qwen3_vl 生成。",
        },
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
        "formula": _MROPE + "t h w t h w .., d = head_dim/4",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three.",
            "zh": "位置为（时间，行，列）。文本三轴同值。",
        },
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
        "formula": _MROPE + "h w h w .. t..t",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. The "
            "model's config names its sizes in the order h, w, t.",
            "zh": "位置为（时间，行，列）。文本三轴同值。模型配置按 h、w、t 的次序列出各段。",
        },
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
        "formula": _MROPE + "h w h w .. t..t",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three. "
            "mrope_videorope makes them.",
            "zh": "位置为（时间，行，列）。文本三轴同值。由 mrope_videorope 生成。",
        },
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
        "formula": _MROPE + "p..p w..w h..h t..t",
        "note": {
            "en": "Positions are (place in the text, column, row, image), as mrope_hunyuan_vl "
            "makes them; text has one number on all four.",
            "zh": "位置为（文本序，列，行，图序），由 mrope_hunyuan_vl 生成；文本四轴同值。",
        },
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
        "formula": _MROPE + "h w h w ..",
        "note": {
            "en": "Positions are (row, column). NeoMME turns all of the head in its sliding "
            "layers, and a quarter on base 1000000 in its full ones.",
            "zh": "位置为（行，列）。NeoMME 的滑窗层旋转整个头，全注意力层以底数 1000000 旋转四分"
            "之一。",
        },
    },
]
