"""Queries and keys of which some channels turn and others hold content: latent attention."""

from __future__ import annotations

import math
from typing import Any

from posenc._catalog._made import head, of_head, scaling, sectioned, stack

_BACK = {"dim": of_head(1 / 3), "head_dim": head, "at": "back"}
_MLA = {**_BACK, "layout": "interleaved"}
_LAST = "y[-d:] = R(p w) x[-d:], y[:-d] = x[:-d], w_i = base^(-2i/d)"

ENTRIES: list[dict[str, Any]] = [
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
            "DeepSeek-V4",
        ),
        "formula": _LAST,
        "note": {
            "en": "The d channels of the keys are one vector for all heads. 64 of 192 channels "
            "turn; of GLM-4-MoE-Lite and GLM-MoE-DSA 64 of 256, of DeepSeek-V4's layers that do "
            "not compress 64 of 512.",
            "zh": "键的 d 个分量由各头共用。192 个通道中转 64 个；GLM-4-MoE-Lite 与 GLM-MoE-DSA 为 "
            "256 中的 64 个，DeepSeek-V4 的不压缩层为 512 中的 64 个。",
        },
    },
    {
        "name": "rope-mla-half",
        "spec_class": "Rope",
        "fields": {**_BACK, "layout": "half"},
        "title": {
            "en": "rotary encoding of channels of their own, pairs across their halves",
            "zh": "解耦旋转（位置通道接在内容通道之后，前后半配对）",
        },
        "year": 2024,
        "reference": "models minicpm3 and hy_v4 of transformers; 32 of 96 channels",
        "shipped_by": ("MiniCPM3", "HY v4"),
        "formula": _LAST,
        "note": {
            "en": "MiniCPM3 divides its frequencies by LongRoPE's factors: give scaling=LongRope. "
            "HY v4 turns 64 of 256 channels.",
            "zh": "MiniCPM3 的频率再除以 LongRoPE 的因子：另给 scaling=LongRope。"
            "HY v4 旋转 256 个通道中的 64 个。",
        },
    },
    {
        "name": "mrope-mla",
        "spec_class": "Rope",
        "fields": sectioned(
            12, 10, 10, layout="interleaved", part=0.25, order="interleaved", at="back"
        ),
        "title": {
            "en": "multimodal rotary in turn, of channels of their own, adjacent pairs",
            "zh": "交错多模态旋转编码（位置通道接在内容通道之后，相邻配对）",
        },
        "year": 2026,
        "reference": "model hy_v4_vl of transformers; 64 of 256 channels",
        "shipped_by": ("HY-V4-VL",),
        "formula": "y[-d:] = R(a) x[-d:], a_i = p[axis_i] base^(-2i/d), axis = t h w t h w .. t t",
        "note": {
            "en": "Positions are (time, row, column). Text has one number on all three.",
            "zh": "位置为（时间，行，列）。文本三轴同值。",
        },
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
        "shipped_by": (
            "DeepSeek-V3",
            "DeepSeek-R1",
            "DeepSeek-V2",
        ),
        "formula": "y[-d:] = R(p yarn(w)) x[-d:]; q.k (0.1 ln(40) + 1)^2",
        "note": {
            "en": "DeepSeek-V2 has 0.707 for both magnitudes: (0.0707 ln 40 + 1)^2.",
            "zh": "DeepSeek-V2 的两个 mscale 均为 0.707：(0.0707 ln 40 + 1)^2。",
        },
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
        "formula": "y[-d:] = R(p yarn(w)) x[-d:], base = 160000",
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
        "formula": "y[-d:] = R(p yarn(w)) x[-d:]; "
        "q.k (0.1 ln(128) + 1)^2 (1 + 0.1 ln(1 + floor(p / 8192)))",
    },
]
