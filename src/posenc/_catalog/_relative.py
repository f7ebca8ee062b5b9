"""Vectors by distance that meet queries and keys, and terms of their kin."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import ROWS_FIRST


def _head(room: Any) -> int:
    """A head is as wide as the layer that an encoding is made for says."""
    return int(room.dim)


def _before(room: Any) -> int:
    """A row for every key before the last of a text."""
    return int(room.length) - 1


_SHAW = "Shaw et al. 2018, arXiv:1803.02155, section 3.2"
_XL = "Dai et al. 2019, arXiv:1901.02860, section 3.3"
_BERT = "Huang et al. 2020, arXiv:2009.13658, method {}; transformers 4, position_embedding_type"
_SHARED: dict[str, Any] = {"head_dim": _head, "heads": None}
_WHOLE: dict[str, Any] = {"head_dim": _head, "left": _before, "right": _before}

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "shaw",
        "spec_class": "Shaw",
        "fields": {**_SHARED, "left": 16, "right": 16},
        "title": {
            "en": "a learned key for each clipped distance",
            "zh": "Shaw 相对位置（截断距离）",
        },
        "year": 2018,
        "paper": "shaw2018self",
        "reference": _SHAW,
        "formula": "q_m . (k_n + a[clip(n - m, -16, 16)])",
    },
    {
        "name": "shaw-speecht5",
        "spec_class": "Shaw",
        "fields": {**_SHARED, "left": 159, "right": 160, "order": "query-key"},
        "title": {
            "en": "Shaw's keys, numbered by query - key",
            "zh": "Shaw 相对位置（按查询减键编号）",
        },
        "year": 2021,
        "paper": "ao2021speecht5",
        "reference": "Ao et al. 2021, arXiv:2110.07205; transformers, modeling_speecht5",
        "shipped_by": ("SpeechT5",),
        "formula": "q_m . (k_n + a[clip(m - n, -160, 159)])",
    },
    {
        "name": "shaw-wav2vec2-bert",
        "spec_class": "Shaw",
        "fields": {**_SHARED, "left": 64, "right": 8},
        "title": {
            "en": "Shaw's keys, 64 back and 8 ahead",
            "zh": "Shaw 相对位置（后看 64、前看 8）",
        },
        "year": 2023,
        "paper": "barrault2023seamless",
        "reference": "Seamless Communication 2023, arXiv:2312.05187; transformers, wav2vec2_bert",
        "shipped_by": ("wav2vec2-BERT", "SeamlessM4T v2"),
        "formula": "q_m . (k_n + a[clip(n - m, -64, 8)])",
    },
    {
        "name": "bert-relative-key",
        "spec_class": "Shaw",
        "fields": {**_WHOLE, "heads": None, "clip": False, "order": "query-key"},
        "title": {"en": "BERT's relative_key", "zh": "BERT relative_key"},
        "year": 2020,
        "paper": "huang2020improve",
        "reference": _BERT.format(1),
        "shipped_by": ("BERT",),
        "formula": "q_m . (k_n + a[m - n])",
        "note": {
            "en": "transformers has it up to version 4.",
            "zh": "transformers 到第 4 版为止提供。",
        },
    },
    {
        "name": "bert-relative-key-query",
        "spec_class": "Shaw",
        "fields": {**_WHOLE, "heads": None, "clip": False, "order": "query-key", "keys": True},
        "title": {"en": "BERT's relative_key_query", "zh": "BERT relative_key_query"},
        "year": 2020,
        "paper": "huang2020improve",
        "reference": _BERT.format(4),
        "shipped_by": ("BERT",),
        "formula": "q_m . k_n + (q_m + k_n) . a[m - n]",
        "note": {
            "en": "transformers has it up to version 4.",
            "zh": "transformers 到第 4 版为止提供。",
        },
    },
    {
        "name": "music-transformer",
        "spec_class": "Shaw",
        "fields": {"head_dim": _head, "left": _before, "right": 0, "clip": False},
        "title": {
            "en": "a learned key for every distance back, per head",
            "zh": "Music Transformer 相对注意力",
        },
        "year": 2018,
        "paper": "huang2018music",
        "reference": "Huang et al. 2018, arXiv:1809.04281, section 3.4",
        "formula": "q_m . (k_n + a_h[L - 1 - (m - n)]), n <= m",
    },
    {
        "name": "gemma3n-audio",
        "spec_class": "Shaw",
        "fields": {"head_dim": _head, "left": 12, "right": 0},
        "title": {
            "en": "a projected sinusoid for each distance back, per head",
            "zh": "Gemma 3n 音频相对注意力",
        },
        "year": 2025,
        "reference": "transformers, modeling_gemma3n: Gemma3nAudioRelativePositionEmbedding",
        "shipped_by": ("Gemma 3n", "Gemma 4"),
        "formula": "q_m . (k_n + W_R R[m - n]), 0 <= m - n <= 12",
    },
    {
        "name": "transformer-xl",
        "spec_class": "TransformerXL",
        "fields": {"head_dim": _head, "left": _before, "right": 0},
        "title": {"en": "Transformer-XL's relative attention", "zh": "Transformer-XL 相对注意力"},
        "year": 2019,
        "paper": "dai2019transformer",
        "reference": _XL,
        "shipped_by": ("Transformer-XL",),
        "formula": "(q_m + u) . k_n + (q_m + v) . W_R R[m - n], n <= m",
    },
    {
        "name": "xlnet",
        "spec_class": "TransformerXL",
        "fields": {"head_dim": _head, "left": lambda room: room.length, "right": _before},
        "title": {"en": "XLNet's, in both directions", "zh": "XLNet 相对注意力（双向）"},
        "year": 2019,
        "paper": "yang2019xlnet",
        "reference": "Yang et al. 2019, arXiv:1906.08237; transformers, modeling_xlnet",
        "shipped_by": ("XLNet",),
        "formula": "(q_m + u) . k_n + (q_m + v) . W_R R[m - n]",
    },
    {
        "name": "funnel",
        "spec_class": "TransformerXL",
        "fields": {
            "head_dim": _head,
            "left": lambda room: room.length,
            "right": lambda room: room.length,
            "clip": True,
        },
        "title": {
            "en": "Funnel's: pooled queries stay where they were",
            "zh": "Funnel 相对注意力（池化后位置不变）",
        },
        "year": 2020,
        "paper": "dai2020funnel",
        "reference": "Dai et al. 2020, arXiv:2006.03236, appendix A.2; transformers, funnel",
        "shipped_by": ("Funnel",),
        "formula": "(q_m + u) . k_n + (q_m + v) . W_R R[m - n]",
        "note": {
            "en": "Pooled queries stay where they were: after one pooling at 0, 2, 4 and so on.",
            "zh": "池化后的查询仍在原位：池化一次后位置为 0、2、4……",
        },
    },
    {
        "name": "conformer",
        "spec_class": "TransformerXL",
        "fields": _WHOLE,
        "title": {
            "en": "Conformer's, 2 L - 1 distances",
            "zh": "Conformer 相对注意力（2L-1 个距离）",
        },
        "year": 2020,
        "paper": "gulati2020conformer",
        "reference": "Gulati et al. 2020, arXiv:2005.08100; transformers, modeling_parakeet",
        "shipped_by": ("wav2vec2-conformer", "Parakeet", "FastSpeech2-conformer", "SeamlessM4T"),
        "formula": "(q_m + u) . k_n + (q_m + v) . W_R R[m - n], m - n from L - 1 to 1 - L",
    },
    {
        "name": "deberta",
        "spec_class": "Deberta",
        "fields": {"head_dim": _head, "span": 512},
        "title": {"en": "DeBERTa's disentangled attention", "zh": "DeBERTa 解耦注意力"},
        "year": 2020,
        "paper": "he2020deberta",
        "reference": "He et al. 2020, arXiv:2006.03654, section 3.1",
        "shipped_by": ("DeBERTa",),
        "formula": "(q_m . k_n + q_m . K[delta] + k_n . Q[delta]) / sqrt(3 d), delta = m - n + 512",
    },
    {
        "name": "deberta-v2",
        "spec_class": "Deberta",
        "fields": {"head_dim": _head, "span": 256, "max_distance": 512},
        "title": {
            "en": "DeBERTa's, in logarithmic buckets",
            "zh": "DeBERTa 解耦注意力（对数分桶）",
        },
        "year": 2021,
        "paper": "he2021debertav3",
        "reference": "He et al. 2021, arXiv:2111.09543; transformers, modeling_deberta_v2",
        "shipped_by": ("DeBERTa v2", "DeBERTa v3"),
        "formula": "(q_m . k_n + q_m . K[delta] + k_n . Q[delta]) / sqrt(3 d), delta = bucket(m - "
        "n) + 256",
    },
    {
        "name": "tupe",
        "spec_class": "Tupe",
        "fields": {"head_dim": _head},
        "title": {"en": "positions attend to positions, untied", "zh": "TUPE 解绑位置编码"},
        "year": 2020,
        "paper": "ke2020rethinking",
        "reference": "Ke et al. 2020, arXiv:2006.15595, section 3",
        "formula": "(q_m . k_n + a_m . b_n) / sqrt(2 d)",
    },
    {
        "name": "mvitv2",
        "spec_class": "Decomposed",
        "fields": {"head_dim": _head, "sizes": lambda room: (room.length, room.length)},
        "title": {
            "en": "a vector per distance along each axis of a grid",
            "zh": "分解式二维相对位置（MViTv2、SAM）",
        },
        "year": 2021,
        "paper": "li2021mvitv2",
        "reference": "Li et al. 2021, arXiv:2112.01526, section 4.1",
        "shipped_by": ("MViTv2", "ViTDet", "SAM"),
        "formula": "q_m . k_n / sqrt(d) + q_m . R_h[dy] + q_m . R_w[dx]",
        "note": ROWS_FIRST,
    },
    {
        "name": "umt5",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": True},
        "title": {"en": "T5's bias, a table in every layer", "zh": "UMT5 分桶偏置（每层一张表）"},
        "year": 2023,
        "paper": "chung2023unimax",
        "reference": "Chung et al. 2023, arXiv:2304.09151; transformers, modeling_umt5",
        "shipped_by": ("UMT5",),
        "formula": "logits + T_layer[bucket(key - query), h]",
    },
]
