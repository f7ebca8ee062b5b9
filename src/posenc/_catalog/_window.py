"""Numbers that are added to logits, by the offset between two cells of an image."""

from __future__ import annotations

import math
from typing import Any

from posenc._catalog._made import ROWS_FIRST


def _square(room: Any) -> tuple[int, int]:
    """The window of about as many cells as there are tokens."""
    side = max(2, math.isqrt(room.length))
    return side, side


def _half(room: Any) -> tuple[int, int]:
    """A window half as large each way, in which a network was trained."""
    side = max(2, math.isqrt(room.length) // 2)
    return side, side


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "swin",
        "spec_class": "SwinBias",
        "fields": {"window": _square},
        "title": {"en": "a table of the offsets within a window", "zh": "窗口内相对偏移的偏置表"},
        "year": 2021,
        "paper": "liu2021swin",
        "reference": "Liu et al. 2021, arXiv:2103.14030, section 3.2",
        "shipped_by": ("Swin", "CoAtNet", "MaxViT"),
        "formula": "logits + T[(dy + H - 1)(2W - 1) + dx + W - 1, h], d = query - key",
        "note": ROWS_FIRST,
    },
    {
        "name": "beit",
        "spec_class": "SwinBias",
        "fields": {"window": _square, "class_token": True},
        "title": {
            "en": "a table of offsets, with rows for a class token",
            "zh": "带分类符的相对偏移表",
        },
        "year": 2021,
        "paper": "bao2021beit",
        "reference": "Bao et al. 2021, arXiv:2106.08254, and its code",
        "shipped_by": ("BEiT", "Data2Vec-vision"),
        "formula": "logits + T[k, h], k = (dy + H - 1)(2W - 1) + dx + W - 1, d = query - key",
        "note": {
            "en": "Positions are (row, column), a class token's (-1, -1). Three more rows of T are "
            "for it as the query, as the key, and as both.",
            "zh": "位置为（行，列），类别标记为 (-1, -1)。"
            "T 另有三行：它作查询、作键，以及两者都是。",
        },
    },
    {
        "name": "levit",
        "spec_class": "SwinBias",
        "fields": {"window": _square, "offsets": "absolute"},
        "title": {
            "en": "a table of offsets, the same in either direction",
            "zh": "绝对值偏移的偏置表",
        },
        "year": 2021,
        "paper": "graham2021levit",
        "reference": "Graham et al. 2021, arXiv:2104.01136, section 4.2",
        "shipped_by": ("LeViT", "EfficientFormer", "TinyViT"),
        "formula": "logits + T[|dy| W + |dx|, h]",
        "note": ROWS_FIRST,
    },
    {
        "name": "swin-v2",
        "spec_class": "SwinV2Bias",
        "fields": {"window": _square},
        "title": {
            "en": "a network of the logarithm of the offset",
            "zh": "对数间隔的连续位置偏置（Swin v2）",
        },
        "year": 2021,
        "paper": "liu2021swinv2",
        "reference": "Liu et al. 2021, arXiv:2111.09883, section 3.3",
        "shipped_by": ("Swin v2",),
        "formula": "logits + 16 sigmoid(MLP_h(sign(d) log2(1 + 8 |d|/(W-1)) / log2(8)))",
        "note": ROWS_FIRST,
    },
    {
        "name": "swin-v2-larger",
        "spec_class": "SwinV2Bias",
        "fields": {"window": _square, "pretrained_window": _half},
        "title": {
            "en": "Swin v2's network in a larger window than it was trained in",
            "zh": "放大窗口后的 Swin v2 偏置",
        },
        "year": 2021,
        "paper": "liu2021swinv2",
        "reference": "Liu et al. 2021, arXiv:2111.09883: pretrained_window_size",
        "shipped_by": ("Swin v2",),
        "formula": "logits + 16 sigmoid(MLP_h(sign(d) log2(1 + 8 |d|/(V-1)) / log2(8)))",
        "note": {
            "en": "V is the window of training. Positions are (row, column), as grid(h=, w=, "
            'order="hw") gives them.',
            "zh": 'V 是训练时的窗口。位置为（行，列），即 grid(h=, w=, order="hw") 所给。',
        },
    },
    {
        "name": "swin-v2-cr",
        "spec_class": "SwinV2Bias",
        "fields": {"window": _square, "form": "cr", "hidden": 384},
        "title": {
            "en": "timm's network of the natural logarithm of the offset",
            "zh": "timm 的自然对数连续偏置（cr）",
        },
        "year": 2022,
        "reference": "timm, RelPosMlp with mode='cr'",
        "shipped_by": ("timm's Swin v2 CR", "timm's MaxViT"),
        "formula": "logits + MLP_h(sign(d) ln(1 + |d|))",
        "note": ROWS_FIRST,
    },
]
