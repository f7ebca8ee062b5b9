"""Logits that grow with the position of the query, alone and with a rotation."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import scaling, stack

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "nope-llama4",
        "spec_class": "Temperature",
        "fields": {"rule": "llama4", "trained_length": 8192},
        "title": {
            "en": "no rotation, logits that grow in steps of 8192 tokens",
            "zh": "不旋转，注意力每 8192 个词元升一级",
        },
        "year": 2025,
        "reference": "Llama 4, attn_temperature_tuning; every fourth layer",
        "shipped_by": ("Llama 4",),
        "formula": "q.k (1 + 0.1 ln(1 + floor((p + 1) / 8192)))",
        "note": {
            "en": "transformers 5.24 counts tokens from its cache and does not read position_ids.",
            "zh": "transformers 5.24 按缓存计数，不读 position_ids。",
        },
    },
    {
        "name": "nope-beam",
        "spec_class": "Temperature",
        "fields": {"rule": "power", "trained_length": 2048},
        "title": {
            "en": "no rotation, logits that grow as a power of the position",
            "zh": "不旋转，注意力随位置按幂次增长",
        },
        "year": 2026,
        "reference": "model beam of transformers, full_attention layers",
        "shipped_by": ("Beam",),
        "formula": "q.k (1 + (p + 1) / 2048)^0.1",
    },
    {
        "name": "temperature-inkling",
        "spec_class": "Temperature",
        "fields": {"rule": "inkling", "trained_length": 128_000},
        "title": {
            "en": "logits that grow with the logarithm of the position, past a floor",
            "zh": "超过下限后，注意力随位置的对数增长",
        },
        "year": 2026,
        "reference": "models inkling2 and inkling2_loop of transformers",
        "shipped_by": ("Inkling 2",),
        "formula": "q.k (1 + 0.1 ln(max(1, (p + 1) / 128000)))",
    },
    {
        "name": "rope-ministral3",
        "spec_class": "Stack",
        "fields": {
            "parts": stack(
                (
                    "Rope",
                    {
                        "dim": lambda room: room.dim,
                        "layout": "half",
                        "base": 1_000_000.0,
                        "scaling": scaling(
                            "Yarn",
                            factor=16.0,
                            trained_length=16384,
                            mscale=1.0,
                            mscale_all_dim=1.0,
                        ),
                    },
                ),
                ("Temperature", {"rule": "ministral", "trained_length": 16384}),
            )
        },
        "title": {
            "en": "rotary with YaRN, and logits that grow in steps of the trained length",
            "zh": "旋转编码 + YaRN，注意力每过一个训练长度升一级",
        },
        "year": 2025,
        "reference": "model ministral3 of transformers, llama_4_scaling_beta",
        "shipped_by": ("Ministral 3", "Devstral 2"),
        "formula": "YaRN; q.k (1 + 0.1 ln(1 + floor(p / 16384)))",
    },
    {
        "name": "rope-log-n",
        "spec_class": "Stack",
        "fields": {
            "parts": stack(
                ("Rope", {"dim": lambda room: room.dim, "layout": "half"}),
                ("Temperature", {"rule": "log", "trained_length": 2048}),
            )
        },
        "title": {
            "en": "rotary, and logits times log n past the trained length",
            "zh": "旋转编码 + log-n 缩放（超出训练长度后）",
        },
        "year": 2021,
        "reference": "Su 2021, kexue.fm 8823; use_logn_attn of Qwen-1",
        "shipped_by": ("Qwen-1",),
        "formula": "q.k max(1, ln(p + 1) / ln(2048))",
    },
    {
        "name": "ssmax",
        "spec_class": "ScalableSoftmax",
        "fields": {},
        "title": {
            "en": "scalable softmax: logits times a learned multiple of log n",
            "zh": "可扩展 softmax：每个头学一个 log n 的系数",
        },
        "year": 2025,
        "paper": "nakanishi2025scalable",
        "reference": "Nakanishi 2025, arXiv:2501.19399",
        "formula": "q.k s_h ln(p + 1)",
    },
    {
        "name": "nope-mistral-large4",
        "spec_class": "ScalableSoftmax",
        "fields": {"bias": True},
        "title": {
            "en": "no rotation, logits times a learned line in log n",
            "zh": "不旋转，每个头学 log n 的一条直线",
        },
        "year": 2026,
        "reference": "mistral_large4 of transformers: every fourth layer; the others turn too",
        "shipped_by": ("Mistral Large 4",),
        "formula": "q.k (s_h ln(p + 1) + b_h)",
    },
]
