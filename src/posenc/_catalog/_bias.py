"""Numbers that are added to logits, by distance."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import stack


def _page(along: dict[str, Any], page: dict[str, Any]) -> Any:
    """T5's bias of the index of a word, and of where it stands across and down a page."""
    both = {"bidirectional": True, "coordinates": 3, "heads": lambda room: room.heads}
    each = ({"axis": 0, **along}, {"axis": 1, **page}, {"axis": 2, **page})
    return stack(*(("T5Bias", {**both, **fields}) for fields in each))


_SCALE = {"scale": lambda room: room.dim**-0.5}

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "alibi",
        "spec_class": "Alibi",
        "title": {"en": "attention with linear biases", "zh": "ALiBi 线性偏置"},
        "year": 2021,
        "paper": "press2021train",
        "reference": "Press et al. 2021, arXiv:2108.12409",
        "shipped_by": ("BLOOM", "MPT", "Baichuan-13B", "BTLM", "Replit"),
        "formula": "logits - m_h (query - key), m_h = 2^(-8h/H)",
    },
    {
        "name": "alibi-symmetric",
        "spec_class": "Alibi",
        "fields": {"symmetric": True},
        "title": {"en": "ALiBi in both directions", "zh": "双向 ALiBi"},
        "year": 2023,
        "paper": "gunther2023jina",
        "reference": "Günther et al. 2023, arXiv:2310.19923",
        "shipped_by": ("Jina embeddings v2", "MosaicBERT"),
        "formula": "logits - m_h |query - key|",
    },
    {
        "name": "alibi-falcon",
        "spec_class": "Alibi",
        "fields": {"head_dim": lambda room: room.dim},
        "title": {"en": "ALiBi added before logits are scaled", "zh": "缩放之前加入的 ALiBi"},
        "year": 2023,
        "paper": "press2021train",
        "reference": "transformers, FalconAttention: (scores + alibi) * inv_norm_factor",
        "shipped_by": ("Falcon-RW",),
        "formula": "logits - m_h (query - key) / sqrt(d)",
    },
    {
        "name": "t5",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": True},
        "title": {"en": "T5's bucketed bias, encoder", "zh": "T5 分桶偏置（编码器）"},
        "year": 2019,
        "paper": "raffel2019exploring",
        "reference": "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
        "shipped_by": ("T5", "mT5", "LongT5", "MPNet", "Chronos"),
        "formula": "logits + T[bucket(key - query), h]",
    },
    {
        "name": "t5-decoder",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": False},
        "title": {"en": "T5's bucketed bias, decoder", "zh": "T5 分桶偏置（解码器）"},
        "year": 2019,
        "paper": "raffel2019exploring",
        "reference": "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
        "shipped_by": ("T5", "mT5", "LongT5", "Pix2Struct", "Pop2Piano"),
        "formula": "logits + T[bucket(min(key - query, 0)), h]",
    },
    {
        "name": "t5-wavlm",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": True, "buckets": 320, "max_distance": 800},
        "title": {
            "en": "T5's bias with WavLM's buckets, before its gate",
            "zh": "WavLM 的分桶偏置（门控之前）",
        },
        "year": 2021,
        "paper": "chen2021wavlm",
        "reference": "Chen et al. 2021, arXiv:2110.13900, section III-A",
        "shipped_by": ("WavLM",),
        "formula": "T[bucket(key - query), h], bucket < 320",
        "note": {
            "en": "Buckets reach to a distance of 800. WavLM multiplies the bias by a gate made of "
            "each query.",
            "zh": "分桶到距离 800 为止。WavLM 再乘以由各查询算出的门。",
        },
    },
    {
        "name": "t5-x-transformers",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": True, "scale": lambda room: room.dim**0.5},
        "title": {
            "en": "T5's bias times the root of the head's width, beside scaled logits",
            "zh": "x_transformers 的分桶偏置（乘以头宽平方根）",
        },
        "year": 2020,
        "paper": "raffel2019exploring",
        "reference": "x_transformers, RelativePositionBias",
        "shipped_by": ("x_transformers",),
        "formula": "q . k / sqrt(d) + sqrt(d) T[bucket(key - query), h]",
    },
    {
        "name": "t5-page",
        "spec_class": "T5Bias",
        "fields": {
            "bidirectional": True,
            "buckets": 64,
            "max_distance": 256,
            "coordinates": 3,
            "axis": 1,
        },
        "title": {
            "en": "T5's bias across a page, one of LayoutLM's three",
            "zh": "页面横向的分桶偏置（LayoutLM 三项之一）",
        },
        "year": 2020,
        "paper": "xu2020layoutlmv2",
        "reference": "Xu et al. 2020, arXiv:2012.14740, section 2.1",
        "shipped_by": ("LayoutLMv2",),
        "formula": "logits + T[bucket(x_key - x_query), h]",
        "note": {
            "en": "Positions are (place in the text, x, y): x is the left edge of a box, bbox[0], "
            "and y its lower edge, bbox[3]. axis=2 gives the bias down the page.",
            "zh": "位置为（文本序，x，y）：x 是框的左边 bbox[0]，y 是框的下边 bbox[3]。纵向的一项"
            "用 axis=2。",
        },
    },
    {
        "name": "t5-page-layoutlmv3",
        "spec_class": "Stack",
        "fields": {"parts": _page(_SCALE, {"buckets": 64, "max_distance": 256, **_SCALE})},
        "title": {
            "en": "LayoutLMv3's three biases, scaled as logits are",
            "zh": "LayoutLMv3 的三项分桶偏置（与 logits 同缩放）",
        },
        "year": 2022,
        "paper": "huang2022layoutlmv3",
        "reference": "Huang et al. 2022, arXiv:2204.08387; transformers, modeling_layoutlmv3",
        "shipped_by": ("LayoutLMv3",),
        "formula": "(q . k + T[bucket(i)] + T_x[bucket(x)] + T_y[bucket(y)]) / sqrt(d)",
        "note": {
            "en": "Positions are (place in the text, x, y): x is the left edge of a box, bbox[0], "
            "and y its lower edge, bbox[3].",
            "zh": "位置为（文本序，x，y）：x 是框的左边 bbox[0]，y 是框的下边 bbox[3]。",
        },
    },
    {
        "name": "t5-page-udop",
        "spec_class": "Stack",
        "fields": {"parts": _page({}, {"max_distance": 100, "step": 20})},
        "title": {
            "en": "UDOP's three biases, of hundredths of a page",
            "zh": "UDOP 的三项分桶偏置（按页面百分之一计）",
        },
        "year": 2022,
        "paper": "tang2022unifying",
        "reference": "Tang et al. 2022, arXiv:2212.02623; transformers, modeling_udop",
        "shipped_by": ("UDOP",),
        "formula": "q . k + T[bucket(i)] + T_x[bucket(x / 20)] + T_y[bucket(y / 20)]",
        "note": {
            "en": "Positions are (place in the text, x0 + x1, y0 + y1) of boxes from 0 to 1000.",
            "zh": "位置为（文本序，x0 + x1，y0 + y1），框的坐标取 0 到 1000。",
        },
    },
    {
        "name": "kerple-log",
        "spec_class": "Kerple",
        "title": {"en": "KERPLE, logarithmic kernel", "zh": "KERPLE 对数核偏置"},
        "year": 2022,
        "paper": "chi2022kerple",
        "reference": "Chi et al. 2022, arXiv:2205.09921, section 4",
        "shipped_by": ("KERPLE's GPT-NeoX", "NeMo"),
        "formula": "logits - p_h ln(1 + a_h |query - key|)",
    },
    {
        "name": "kerple-power",
        "spec_class": "Kerple",
        "fields": {"form": "power"},
        "title": {"en": "KERPLE, power kernel", "zh": "KERPLE 幂核偏置"},
        "year": 2022,
        "paper": "chi2022kerple",
        "reference": "Chi et al. 2022, arXiv:2205.09921, section 4",
        "shipped_by": ("KERPLE's GPT-NeoX",),
        "formula": "logits - a_h |query - key|^p_h, p_h <= 2",
    },
    {
        "name": "sandwich",
        "spec_class": "Sandwich",
        "title": {
            "en": "inner products of sinusoidal codes as a bias",
            "zh": "Sandwich：以正弦编码内积作偏置",
        },
        "year": 2022,
        "paper": "chi2022dissecting",
        "reference": "Chi et al. 2022, arXiv:2212.10356, section 5",
        "shipped_by": ("NeMo",),
        "formula": "logits + (sum_{j=1..d/2} cos((query - key) base^(-2j/d)) - d/2) / (8h/H)",
    },
    {
        "name": "fire",
        "spec_class": "Fire",
        "title": {
            "en": "FIRE: a network of the share of the past",
            "zh": "FIRE：渐进插值的函数式相对偏置",
        },
        "year": 2023,
        "paper": "li2023functional",
        "reference": "Li et al. 2023, arXiv:2310.04418",
        "shipped_by": ("mcleish7/arithmetic",),
        "formula": "logits + MLP_h(ln(c r + 1) / ln(c max(query, L) + 1)), r = query - key",
    },
    {
        "name": "dynamic-bias",
        "spec_class": "DynamicBias",
        "title": {"en": "a network of the distance", "zh": "动态位置偏置（距离经小网络）"},
        "year": 2021,
        "paper": "wang2021crossformer",
        "reference": "x_transformers, DynamicPositionBias; Wang et al. 2021, arXiv:2108.00154",
        "shipped_by": ("x_transformers",),
        "formula": "logits + MLP_h(query - key)",
    },
    {
        "name": "dynamic-bias-log",
        "spec_class": "DynamicBias",
        "fields": {"log_distance": True},
        "title": {
            "en": "a network of the logarithm of the distance",
            "zh": "动态位置偏置（对数距离）",
        },
        "year": 2021,
        "reference": "x_transformers, DynamicPositionBias with log_distance",
        "shipped_by": ("x_transformers",),
        "formula": "logits + MLP_h(sign(r) ln(1 + |r|)), r = query - key",
    },
]
