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
        "shipped_by": ("SpeechT5", "VideoMAE"),
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
        "shipped_by": ("M2M-100", "NLLB", "Whisper", "XGLM"),
        "formula": "w_i = base^(-i/(d/2 - 1))",
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
    },
]
