"""Numbers that are added to logits, by distance."""

from __future__ import annotations

from typing import Any

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "alibi",
        "spec_class": "Alibi",
        "title": {"en": "attention with linear biases", "zh": "ALiBi 线性偏置"},
        "year": 2021,
        "paper": "press2021train",
        "reference": "Press et al. 2021, arXiv:2108.12409",
        "shipped_by": ("BLOOM", "MPT", "Baichuan-13B"),
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
        "name": "t5",
        "spec_class": "T5Bias",
        "fields": {"bidirectional": True},
        "title": {"en": "T5's bucketed bias, encoder", "zh": "T5 分桶偏置（编码器）"},
        "year": 2019,
        "paper": "raffel2019exploring",
        "reference": "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
        "shipped_by": ("T5", "mT5"),
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
        "shipped_by": ("T5", "mT5"),
        "formula": "logits + T[bucket(min(key - query, 0)), h]",
    },
]
