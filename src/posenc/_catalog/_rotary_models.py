"""Rotary encodings as models ship them, where that is more than another base."""

from __future__ import annotations

import math
from typing import Any

from posenc._catalog._made import even_factors, head, of_head, scaling, stack

_PART = "base^(-2i/d) on the first d of head_dim channels"
_MLA = {"dim": of_head(1 / 3), "head_dim": head, "at": "back", "layout": "interleaved"}


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
        "formula": _PART,
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
        "formula": _PART,
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
        "shipped_by": ("Moonshine", "Moonshine Streaming, four fifths"),
        "formula": _PART,
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
            "Step-3.7, a share for each layer",
            "Stable Audio",
        ),
        "formula": _PART,
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
        "formula": _PART,
    },
    {
        "name": "rope-mla",
        "spec_class": "Rope",
        "fields": _MLA,
        "title": {
            "en": "rotary encoding of channels of their own, behind those of content",
            "zh": "解耦旋转（位置通道接在内容通道之后）",
        },
        "year": 2024,
        "paper": "deepseek2024v2",
        "reference": "DeepSeek-AI 2024, arXiv:2405.04434, section 2.1.3; 64 of 192 channels",
        "shipped_by": (
            "GLM-4-MoE-Lite",
            "GLM-MoE-DSA",
            "LongCat-Flash",
            "Youtu",
            "A.X-K1",
            "A.X-K2",
            "Bailing-hybrid",
            "dots3",
            "DeepSeek-V4, layers that do not compress",
        ),
        "formula": "base^(-2i/d) on the last d of head_dim channels, keys' d shared by all heads",
    },
    {
        "name": "deepseek-v3",
        "spec_class": "Stack",
        "fields": {
            "parts": stack(
                (
                    "Rope",
                    {
                        **_MLA,
                        "scaling": scaling(
                            "Yarn",
                            factor=40.0,
                            trained_length=4096,
                            mscale=1.0,
                            mscale_all_dim=1.0,
                        ),
                    },
                ),
                ("LogitScale", {"factor": 1.8738542070926265}),
            )
        },
        "title": {
            "en": "decoupled rotary with YaRN, whose factor is on the whole head",
            "zh": "解耦旋转 + YaRN，注意力因子乘在整个头上",
        },
        "year": 2024,
        "paper": "deepseek2024v2",
        "reference": "DeepSeek-V3, inference/model.py: softmax_scale times mscale^2",
        "shipped_by": ("DeepSeek-V3", "DeepSeek-R1", "DeepSeek-V2 with 0.707 for mscale"),
        "formula": "YaRN on the last d channels; logits times (0.1 ln 40 + 1)^2",
    },
    {
        "name": "rope-deepseek-v4",
        "spec_class": "Rope",
        "fields": {
            "dim": of_head(1 / 8),
            "head_dim": head,
            "at": "back",
            "layout": "interleaved",
            "base": 160_000.0,
            "scaling": scaling("Yarn", factor=16.0, trained_length=65536, attention_factor=1.0),
        },
        "title": {
            "en": "rotary of the last eighth of the head, YaRN without a factor on logits",
            "zh": "旋转头的最后八分之一 + YaRN（不放大注意力）",
        },
        "year": 2026,
        "reference": "DeepSeek-V4, inference/model.py; layers that compress, 64 of 512 channels",
        "shipped_by": ("DeepSeek-V4",),
        "formula": "YaRN on the last d of head_dim channels, base 160000",
    },
    {
        "name": "rope-mistral-4",
        "spec_class": "Stack",
        "fields": {
            "parts": stack(
                (
                    "Rope",
                    {
                        **_MLA,
                        "dim": of_head(1 / 2),
                        "scaling": scaling(
                            "Yarn",
                            factor=128.0,
                            trained_length=8192,
                            mscale=1.0,
                            mscale_all_dim=1.0,
                        ),
                    },
                ),
                ("LogitScale", {"factor": (0.1 * math.log(128) + 1) ** 2}),
                ("Temperature", {"rule": "ministral", "trained_length": 8192}),
            )
        },
        "title": {
            "en": "decoupled rotary with YaRN, and logits that grow in steps of the trained length",
            "zh": "解耦旋转 + YaRN，注意力每过一个训练长度升一级",
        },
        "year": 2026,
        "reference": "model mistral4 of transformers; 64 of 128 channels",
        "shipped_by": ("Mistral 4",),
        "formula": "YaRN on the last d; q.k (0.1 ln 128 + 1)^2 (1 + 0.1 ln(1 + floor(p / 8192)))",
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
        "formula": "-2 pi t window/1200 w_i and -2 pi t 2 pi frame/1200 w_i, w_i = 1200^(-2i/d)",
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
        "fields": {
            "layout": "half",
            "base": 150_000.0,
            "scaling": scaling("Yarn", factor=32.0, trained_length=4096, truncate=False),
        },
        "title": {
            "en": "rotary with YaRN whose ramp is not rounded to whole pairs",
            "zh": "旋转编码 + YaRN（过渡带不取整）",
        },
        "year": 2025,
        "reference": "gpt-oss, torch/model.py",
        "shipped_by": ("gpt-oss", "OpenAI privacy filter"),
        "formula": "YaRN between the real indices of 32 turns and 1 turn, base 150000",
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
        "formula": "angle p f_i, f trained from base^(-2i/d) on",
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
