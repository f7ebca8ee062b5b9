"""Codes that are added to tokens."""

from __future__ import annotations

from typing import Any

_VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5"

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "sinusoidal",
        "spec_class": "Sinusoidal",
        "title": {"en": "sinusoidal code of the Transformer paper", "zh": "正弦位置编码（原论文）"},
        "year": 2017,
        "paper": "vaswani2017attention",
        "reference": _VASWANI,
        "shipped_by": ("VideoMAE",),
        "formula": "PE(p)[2i] = sin(p w_i), PE(p)[2i+1] = cos(p w_i), w_i = base^(-2i/d)",
    },
    {
        "name": "sinusoidal-half",
        "spec_class": "Sinusoidal",
        "fields": {"layout": "half"},
        "title": {
            "en": "sinusoid, all sines and then all cosines",
            "zh": "正弦位置编码（前半 sin 后半 cos）",
        },
        "year": 2018,
        "paper": "vaswani2017attention",
        "reference": _VASWANI,
        "shipped_by": ("Marian", "Pegasus", "CTRL", "Transformer-XL"),
        "formula": "PE(p) = [sin(p w), cos(p w)], w_i = base^(-2i/d)",
    },
    {
        "name": "sinusoidal-tensor2tensor",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "odd": "zero"},
        "title": {
            "en": "sinusoid on tensor2tensor's ladder",
            "zh": "正弦位置编码（tensor2tensor 频率阶梯）",
        },
        "year": 2017,
        "reference": "tensor2tensor, get_timing_signal_1d; fairseq, SinusoidalPositionalEmbedding",
        "shipped_by": ("M2M-100", "NLLB", "Whisper", "XGLM", "TimesFM", "FunASR"),
        "formula": "w_i = base^(-i/(d/2 - 1))",
        "note": {
            "en": "Whisper counts from 0; M2M-100, NLLB and XGLM from padding_idx + 1, which is 2; "
            "FunASR from 1.",
            "zh": "Whisper 从 0 数起；M2M-100、NLLB、XGLM 从 padding_idx + 1（即 2）数起；FunASR "
            "从 1 数起。",
        },
    },
    {
        "name": "sinusoidal-cos-first",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "first": "cos", "odd": "zero"},
        "title": {"en": "sinusoid, cosines first", "zh": "正弦位置编码（余弦在前）"},
        "year": 2023,
        "paper": "copet2023simple",
        "reference": "Copet et al. 2023, arXiv:2306.05284, and its code",
        "shipped_by": ("MusicGen",),
        "formula": "PE(p) = [cos(p w), sin(p w)], w_i = base^(-i/(d/2 - 1))",
    },
    {
        "name": "sinusoidal-scaled",
        "spec_class": "Sinusoidal",
        "fields": {"trained": True},
        "title": {"en": "sinusoid times a learned number", "zh": "带可学习系数的正弦位置编码"},
        "year": 2018,
        "paper": "li2018neural",
        "reference": "Li et al. 2018, arXiv:1809.08895, section 3.2",
        "shipped_by": ("SpeechT5",),
        "formula": "alpha PE(p)",
        "note": {
            "en": "alpha is learned and starts at 1.",
            "zh": "alpha 可学习，初值为 1。",
        },
    },
    {
        "name": "sinusoidal-scaled-half",
        "spec_class": "Sinusoidal",
        "fields": {"layout": "half", "trained": True, "scale": lambda room: room.dim**-0.5},
        "title": {
            "en": "sinusoid in halves, times a learned number",
            "zh": "带可学习系数的正弦位置编码（前半 sin 后半 cos）",
        },
        "year": 2022,
        "reference": "x_transformers, ScaledSinusoidalEmbedding",
        "shipped_by": ("x_transformers",),
        "formula": "alpha [sin(p w), cos(p w)]",
        "note": {
            "en": "alpha is learned and starts at d^(-1/2).",
            "zh": "alpha 可学习，初值为 d^(-1/2)。",
        },
    },
    {
        "name": "sinusoidal-canary",
        "spec_class": "Sinusoidal",
        "fields": {"layout": "half", "scale": lambda room: room.dim**-0.5},
        "title": {
            "en": "sinusoid in halves, divided by the root of its width",
            "zh": "除以宽度平方根的正弦位置编码",
        },
        "year": 2024,
        "reference": "NeMo, FixedPositionalEncoding; transformers, CanaryPositionalEmbedding",
        "shipped_by": ("Canary",),
        "formula": "[sin(p w), cos(p w)] / sqrt(d), w_i = base^(-2i/d)",
    },
    {
        "name": "learned",
        "spec_class": "Learned",
        "title": {"en": "a learned vector per position", "zh": "可学习的位置表"},
        "year": 2017,
        "paper": "gehring2017convolutional",
        "reference": "Gehring et al. 2017, arXiv:1705.03122; Devlin et al. 2018, arXiv:1810.04805",
        "shipped_by": ("BERT", "GPT-2", "CLIP", "ViT"),
        "formula": "PE(p) = T[p]",
    },
    {
        "name": "learned-offset",
        "spec_class": "Learned",
        "fields": {"rows": lambda room: room.length + 2, "offset": 2},
        "title": {
            "en": "a learned table whose first rows are padding",
            "zh": "带偏移的可学习位置表",
        },
        "year": 2019,
        "reference": "fairseq, LearnedPositionalEmbedding: padding_idx + 1",
        "shipped_by": ("OPT", "BART", "RoBERTa"),
        "formula": "PE(p) = T[p + 2]",
        "note": {
            "en": "Positions start at 0. Those of from_mask(first=2) have the 2 in them already: "
            "with them a table is learned, without an offset, never both.",
            "zh": "位置从 0 起。from_mask(first=2) 给出的位置已经含 2，应配无偏移的 learned；两处"
            "只取其一。",
        },
    },
    {
        "name": "abacus",
        "spec_class": "Learned",
        "title": {
            "en": "a learned vector for the place of a digit in its number",
            "zh": "Abacus：按数字内的位次查可学习表",
        },
        "year": 2024,
        "paper": "mcleish2024transformers",
        "reference": "McLeish et al. 2024, arXiv:2405.17399, and its abacus.py",
        "shipped_by": ("mcleish7/arithmetic",),
        "formula": "PE = T[j + k] if j > 0 else T[0]",
        "note": {
            "en": "j is the place of a digit in its number, from 1, and 0 for other tokens. "
            "Positions are digits(tokens, ids=, offset=k), k drawn in training.",
            "zh": "j 是数字在其数中的位次（从 1 起），其他词元为 0。位置用 digits(tokens, ids=, "
            "offset=k) 得到，k 在训练时随机抽取。",
        },
    },
]
