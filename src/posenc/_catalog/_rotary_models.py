"""Rotary encodings as models ship them, where that is more than another base."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import even_factors, head, of_head, scaling

_PART = "y[:d] = R(p w) x[:d], y[d:] = x[d:], w_i = base^(-2i/d)"
_GPT_OSS = {
    "base": 150_000.0,
    "scaling": scaling("Yarn", factor=32.0, trained_length=4096, truncate=False),
}
_RAMP = "w_i (1 - r_i) + w_i/32 r_i, r_i = clip((i - i_32)/(i_1 - i_32), 0, 1)"
_UNROUNDED = {
    "en": "i_32 and i_1 are the indices, not rounded, at which a pair turns 32 times and once in "
    "4096 tokens.",
    "zh": "i_32 与 i_1 是在 4096 个词元内恰转 32 圈与 1 圈的序号，不取整。",
}


def _fifths(room: Any) -> int:
    """A fifth of the channels for each of two coordinates, even."""
    return 2 * max(2, int(room.dim * 0.2) // 2 * 2)


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "rope-gptj",
        "spec_class": "Rope",
        "fields": {"layout": "interleaved", "dim": of_head(1 / 4), "head_dim": head},
        "title": {
            "en": "rotary encoding of a quarter of the head, adjacent pairs",
            "zh": "部分维度旋转（前四分之一，相邻配对）",
        },
        "year": 2021,
        "reference": "GPT-J: mesh-transformer-jax; 64 of 256 channels",
        "shipped_by": ("GPT-J", "CodeGen"),
        "formula": _PART + ", d = head_dim/4",
    },
    {
        "name": "rope-glm",
        "spec_class": "Rope",
        "fields": {"layout": "interleaved", "dim": of_head(1 / 2), "head_dim": head},
        "title": {
            "en": "rotary encoding of half of the head, adjacent pairs",
            "zh": "部分维度旋转（前一半，相邻配对）",
        },
        "year": 2023,
        "reference": "ChatGLM2; models glm and glm4 of transformers",
        "shipped_by": ("ChatGLM2", "ChatGLM3", "GLM-4"),
        "formula": _PART + ", d = head_dim/2",
    },
    {
        "name": "rope-moonshine",
        "spec_class": "Rope",
        "fields": {"layout": "interleaved", "dim": of_head(0.9), "head_dim": head},
        "title": {
            "en": "rotary encoding of nine tenths of the head, adjacent pairs",
            "zh": "部分维度旋转（前九成，相邻配对）",
        },
        "year": 2024,
        "reference": "model moonshine of transformers, partial_rotary_factor 0.9",
        "shipped_by": (
            "Moonshine",
            "Moonshine Streaming",
        ),
        "formula": _PART + ", d = 0.9 head_dim",
        "note": {
            "en": "Moonshine Streaming turns four fifths.",
            "zh": "Moonshine Streaming 旋转五分之四。",
        },
    },
    {
        "name": "rope-half-head",
        "spec_class": "Rope",
        "fields": {"layout": "half", "dim": of_head(1 / 2), "head_dim": head},
        "title": {
            "en": "rotary encoding of half of the head",
            "zh": "部分维度旋转（前一半，前后半配对）",
        },
        "year": 2023,
        "reference": "models persimmon, nemotron and phi of transformers",
        "shipped_by": (
            "Phi-1.5",
            "Persimmon",
            "Fuyu",
            "Nemotron-4",
            "GLM-4.5",
            "GLM-ASR",
            "RecurrentGemma",
            "Bamba",
            "Zaya",
            "MiniMax-M2",
            "Laguna",
            "Step-3.7",
            "Stable Audio",
        ),
        "formula": _PART + ", d = head_dim/2",
        "note": {
            "en": "Laguna turns half of the head in its full layers and all of it in its sliding "
            "ones; Step-3.7 has a share for each layer.",
            "zh": "Laguna 的全注意力层旋转半个头，滑窗层旋转整个头；Step-3.7 各层比例不同。",
        },
    },
    {
        "name": "rope-phi2",
        "spec_class": "Rope",
        "fields": {"layout": "half", "dim": of_head(0.4), "head_dim": head},
        "title": {
            "en": "rotary encoding of two fifths of the head",
            "zh": "部分维度旋转（前四成）",
        },
        "year": 2023,
        "reference": "Phi-2: partial_rotary_factor 0.4, 32 of 80 channels",
        "shipped_by": ("Phi-2",),
        "formula": _PART + ", d = 0.4 head_dim",
    },
    {
        "name": "rope-music-flamingo",
        "spec_class": "Rope",
        "fields": {
            "layout": "interleaved",
            "dim": _fifths,
            "head_dim": head,
            "base": 1200.0,
            "axes": scaling("Axial", dims=lambda room: (_fifths(room) // 2,) * 2),
        },
        "title": {
            "en": "rotary of audio by seconds times its window and seconds times its frame",
            "zh": "Music Flamingo 音频旋转编码：秒数乘窗口序号、秒数乘帧序号",
        },
        "year": 2025,
        "reference": "model musicflamingo of transformers; it turns audio tokens, not q and k",
        "shipped_by": ("Music Flamingo",),
        "formula": "angles c_0 w_i, c_1 w_i; c = -2 pi t (u, 2 pi f) / 1200, w_i = 1200^(-2i/d)",
        "note": {
            "en": "Positions are c: t is the second of a token, u its window and f its frame in "
            "it.",
            "zh": "位置即 c：t 为词元所在的秒，u 为窗口序号，f 为窗口内的帧序号。",
        },
    },
    {
        "name": "rope-gemma3-global",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "base": 1_000_000.0,
            "scaling": scaling("Linear", factor=8.0),
        },
        "title": {
            "en": "rotary of Gemma 3's global layers; its local ones are plain, base 10000",
            "zh": "Gemma 3 全局层的旋转编码（局部层为普通旋转，底数 10000）",
        },
        "year": 2025,
        "paper": "gemma2025gemma3",
        "reference": "Gemma Team 2025, arXiv:2503.19786, section 2",
        "shipped_by": ("Gemma 3", "T5Gemma 2"),
        "formula": "10^(-12i/d) / 8",
    },
    {
        "name": "rope-modernbert-global",
        "spec_class": "Rope",
        "fields": {"layout": "half", "base": 160_000.0},
        "title": {
            "en": "rotary of ModernBERT's global layers; its local ones have base 10000",
            "zh": "ModernBERT 全局层的旋转编码（局部层底数 10000）",
        },
        "year": 2024,
        "paper": "warner2024smarter",
        "reference": "Warner et al. 2024, arXiv:2412.13663, appendix A",
        "shipped_by": ("ModernBERT", "ModernBERT decoder", "GTE"),
        "formula": "160000^(-2i/d)",
    },
    {
        "name": "rope-gpt-oss",
        "spec_class": "Rope",
        "fields": {**_GPT_OSS, "layout": "half"},
        "title": {
            "en": "rotary with YaRN whose ramp is not rounded to whole pairs",
            "zh": "旋转编码 + YaRN（过渡带不取整）",
        },
        "year": 2025,
        "reference": "gpt-oss, torch/model.py",
        "shipped_by": ("gpt-oss",),
        "formula": _RAMP,
        "note": _UNROUNDED,
    },
    {
        "name": "rope-gpt-oss-interleaved",
        "spec_class": "Rope",
        "fields": {**_GPT_OSS, "layout": "interleaved"},
        "title": {
            "en": "rotary of adjacent pairs with YaRN whose ramp is not rounded to whole pairs",
            "zh": "旋转编码（相邻配对）+ YaRN（过渡带不取整）",
        },
        "year": 2026,
        "reference": "model openai_privacy_filter of transformers",
        "shipped_by": ("OpenAI privacy filter",),
        "formula": _RAMP,
        "note": _UNROUNDED,
    },
    {
        "name": "rope-hunyuan",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("Ntk", factor=1000.0)},
        "title": {
            "en": "rotary with NTK alpha: the base once and for all 1000^(d/(d-2)) times",
            "zh": "旋转编码 + NTK alpha（底数固定乘 1000^(d/(d-2))）",
        },
        "year": 2024,
        "reference": "Hunyuan: rope_scaling with alpha 1000, hunyuan_v1_dense of transformers",
        "shipped_by": ("Hunyuan", "HY v3"),
        "formula": "base' = base * 1000^(d/(d-2)), 11158840 for d 128",
    },
    {
        "name": "rope-longrope2",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "dim": of_head(3 / 4),
            "head_dim": head,
            "scaling": scaling(
                "LongRope",
                short=even_factors(1.0, share=3 / 4),
                long=even_factors(32.0, share=3 / 4),
                trained_length=4096,
                factor=32.0,
            ),
        },
        "title": {
            "en": "LongRoPE with factors searched otherwise, of three quarters of the head",
            "zh": "LongRoPE2：用法与 LongRoPE 相同，只是因子的搜索方法不同（旋转四分之三个头）",
        },
        "year": 2025,
        "paper": "shang2025longrope2",
        "reference": "Shang et al. 2025, arXiv:2502.20082; here a ramp stands for the factors",
        "shipped_by": ("Phi-4-mini", "Phi-4-multimodal"),
        "formula": "w_i / (long_i if L > L0 else short_i)",
    },
    {
        "name": "rope-hope",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("HighPass", trained_length=2048)},
        "title": {
            "en": "HoPE: only pairs that turn at least once in the trained length do turn",
            "zh": "HoPE：只保留训练长度内至少转满一圈的频率",
        },
        "year": 2024,
        "paper": "chen2024hope",
        "reference": "Chen et al. 2024, arXiv:2410.21216",
        "formula": "w_i if w_i L0 >= 2 pi else 0",
    },
    {
        "name": "rope-learned",
        "spec_class": "LearnedRope",
        "fields": {"layout": "interleaved", "heads": 1},
        "title": {
            "en": "rotary encoding by trained frequencies, the same in all heads",
            "zh": "频率可训练的旋转编码（各头共用）",
        },
        "year": 2021,
        "reference": "rotary-embedding-torch, learned_freq",
        "shipped_by": ("rotary-embedding-torch",),
        "formula": "angle p f_i",
        "note": {
            "en": "f is trained and starts at base^(-2i/d).",
            "zh": "f 可训练，初值为 base^(-2i/d)。",
        },
    },
    {
        "name": "lerope",
        "spec_class": "LearnedRope",
        "fields": {
            "dim": of_head(1 / 2),
            "head_dim": head,
            "at": "back",
            "layout": "interleaved",
            "form": "exponents",
            "heads": 1,
            "scaling": scaling("Yarn", factor=2048.0, trained_length=512, attention_factor=1.0),
        },
        "title": {
            "en": "LeRoPE: YaRN's frequencies, each times a trained exponential",
            "zh": "LeRoPE：YaRN 的每个频率乘以可训练的指数",
        },
        "year": 2026,
        "reference": "model mistral_large4 of transformers",
        "shipped_by": ("Mistral Large 4",),
        "formula": "angle p w_i exp(alpha_i)",
    },
    {
        "name": "xpos",
        "spec_class": "XPos",
        "fields": {"layout": "interleaved", "centre": lambda room: room.length // 2},
        "title": {
            "en": "xPos: rotation, and scores that shrink with distance",
            "zh": "xPos：旋转之外，分数随距离衰减",
        },
        "year": 2022,
        "paper": "sun2022length",
        "reference": "Sun et al. 2022, arXiv:2212.10554, section 3.2",
        "shipped_by": ("TorchScale",),
        "formula": "q z_i^((p - c)/512), k z_i^((c - p)/512), z_i = (2i/d + 0.4)/1.4",
    },
    {
        "name": "pope",
        "spec_class": "Polar",
        "fields": {},
        "title": {
            "en": "PoPE: a channel's length is its content, its angle its position",
            "zh": "PoPE：通道的长度表示内容，角度表示位置",
        },
        "year": 2025,
        "paper": "gopalakrishnan2025decoupling",
        "reference": "Gopalakrishnan et al. 2025, arXiv:2509.10534",
        "shipped_by": ("x-transformers",),
        "formula": "sum softplus(q_c) softplus(k_c) cos((m - n) base^(-c/d) - delta_c)",
    },
]
