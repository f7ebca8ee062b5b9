"""Logits made anew, by what a pair of tokens is or how far apart it stands."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import rope

_RE = "ReRoPE: Su 2023, kexue.fm/archives/9708"
_DCA = "An et al. 2024, arXiv:2402.17463"

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "selfextend",
        "spec_class": "SelfExtend",
        "fields": {"rope": rope(layout="half")},
        "title": {
            "en": "SelfExtend: far positions in groups",
            "zh": "SelfExtend：远处位置分组取整",
        },
        "year": 2024,
        "paper": "jin2024llm",
        "reference": "Jin et al. 2024, arXiv:2401.01325, section 3.2",
        "shipped_by": ("LongLM",),
        "formula": "r < W: r;  else q // G - k // G + W - W // G",
    },
    {
        "name": "rerope",
        "spec_class": "ReRope",
        "fields": {"rope": rope(layout="half")},
        "title": {
            "en": "ReRoPE: one distance for all far keys",
            "zh": "ReRoPE：远处距离截断为窗口",
        },
        "year": 2023,
        "reference": _RE,
        "shipped_by": ("bojone/rerope",),
        "formula": "min(r, W)",
    },
    {
        "name": "rerope-leaky",
        "spec_class": "ReRope",
        "fields": {"rope": rope(layout="half"), "factor": 16},
        "title": {
            "en": "leaky ReRoPE: far distances grow slowly",
            "zh": "Leaky ReRoPE：远处距离缓慢增长",
        },
        "year": 2023,
        "reference": _RE,
        "shipped_by": ("bojone/rerope",),
        "formula": "r < W: r;  else W + (r - W) / k",
    },
    {
        "name": "dual-chunk",
        "spec_class": "DualChunk",
        "fields": {"rope": rope(layout="half", base=1e7), "chunk": 262_144, "local": 8192},
        "title": {"en": "dual chunk attention", "zh": "双块注意力（DCA）"},
        "year": 2024,
        "paper": "an2024training",
        "reference": _DCA,
        "shipped_by": ("Qwen2.5-1M", "vLLM", "ChunkLlama"),
        "formula": "k mod c; q mod c | min(q mod c + c, chunk) | min(2c - 1, chunk)",
    },
    {
        "name": "cope",
        "spec_class": "Cope",
        "fields": {"rows": 64, "heads": None},
        "title": {"en": "contextual position encoding", "zh": "CoPE 上下文位置编码"},
        "year": 2024,
        "paper": "golovneva2024contextual",
        "reference": "Golovneva et al. 2024, arXiv:2405.18719",
        "shipped_by": ("x-transformers",),
        "formula": "q . (k_n + e[p]), p = sum_{l=n..m} sigmoid(q . k_l)",
    },
]
