"""What everyone thinks of first, and no encoding at all."""

from __future__ import annotations

from typing import Any

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "nope",
        "spec_class": "NoPE",
        "title": {"en": "no positional encoding", "zh": "不加位置编码"},
        "year": 2022,
        "paper": "haviv2022transformer",
        "reference": "Haviv et al. 2022, arXiv:2203.16634",
        "shipped_by": ("Jamba", "SmolLM3", "Llama 4"),
        "formula": "logits = q.k / sqrt(d)",
    },
    {
        "name": "integer",
        "spec_class": "Integer",
        "title": {"en": "the position itself in every channel", "zh": "每个分量都是位置整数本身"},
        "year": 2017,
        "reference": "the first idea of every course",
        "formula": "PE(p)[c] = p",
    },
    {
        "name": "normalized-integer",
        "spec_class": "NormalizedInteger",
        "title": {"en": "the position over the last one", "zh": "归一化整数 p/(L-1)"},
        "year": 2017,
        "reference": "the second idea of every course",
        "formula": "PE(p)[c] = p / (L - 1)",
    },
    {
        "name": "binary",
        "spec_class": "Binary",
        "title": {"en": "binary digits of the position", "zh": "二进制位置编码"},
        "year": 2017,
        "reference": "didactic: the discrete ancestor of the sinusoid",
        "formula": "bit_j(p) = floor(p / 2^j) mod 2",
    },
    {
        "name": "gray",
        "spec_class": "Gray",
        "title": {"en": "Gray code of the position", "zh": "格雷码位置编码"},
        "year": 1953,
        "reference": "Gray 1953, US patent 2632058",
        "formula": "bit_j(p xor (p >> 1))",
    },
    {
        "name": "one-hot",
        "spec_class": "OneHot",
        "fields": {"rows": lambda room: min(room.length, 1024)},
        "title": {"en": "a channel per position", "zh": "独热位置编码"},
        "year": 2017,
        "reference": "didactic: a linear layer on it is a learned table",
        "formula": "PE(p) = e_p",
    },
    {
        "name": "random-directions",
        "spec_class": "RandomDirections",
        "title": {"en": "a random unit vector per position", "zh": "均匀散布的随机方向"},
        "year": 2017,
        "reference": "didactic: unique, and neighbours no nearer than strangers",
        "formula": "PE(p) = u_p, |u_p| = 1",
    },
]
