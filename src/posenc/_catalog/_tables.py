"""Trained vectors for positions of several coordinates."""

from __future__ import annotations

import math
from typing import Any

from posenc._catalog._made import COLUMNS_FIRST


def _square(room: Any) -> tuple[int, int]:
    """The smallest square grid that holds so many tokens."""
    side = math.isqrt(max(room.length - 1, 0)) + 1
    return side, side


def _sixths(room: Any) -> tuple[int, ...]:
    """Channels of x0, y0, x1, y1, height and width, which pairwise read one table."""
    side = max(room.dim // 6, 1)
    height = (room.dim - 4 * side) // 2
    return side, side, side, side, height, room.dim - 4 * side - height


_BOX = (1024,) * 6
_BOX_TABLES = (0, 1, 0, 1, 2, 3)

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "learned-grid",
        "spec_class": "LearnedGrid",
        "fields": {"sizes": _square},
        "title": {"en": "a learned vector per image patch", "zh": "每个图像块一个可学习向量"},
        "year": 2023,
        "reference": "transformers, models siglip, sam, qwen3_vl and kimi_k25",
        "shipped_by": ("SigLIP", "SAM", "Qwen3-VL", "Kimi-K2.5", "AuraFlow"),
        "formula": "PE(r, c) = T[r W + c]",
        "note": {
            "en": "Positions are (row, column). Patches of Qwen3-VL come block by block: "
            'grid(h=, w=, order="hw", merge=2).',
            "zh": "位置为（行，列）。Qwen3-VL 的图块按合并块排列："
            'grid(h=, w=, order="hw", merge=2)。',
        },
    },
    {
        "name": "learned-grid-prefix",
        "spec_class": "LearnedGrid",
        "fields": {"sizes": _square, "prefix": 1},
        "title": {
            "en": "a learned vector per image patch, and one for the class token",
            "zh": "每个图像块一个可学习向量，类别标记另有一行",
        },
        "year": 2020,
        "paper": "dosovitskiy2020image",
        "reference": "Dosovitskiy et al. 2020, arXiv:2010.11929, section 3.1",
        "shipped_by": ("ViT", "DeiT", "CLIP", "DINOv2"),
        "formula": "PE(r, c) = T[1 + r W + c], PE(class) = T[0]",
        "note": {
            "en": 'Positions are (row, column), as grid(h=, w=, order="hw", prefix=1) gives them '
            "with the class token in front.",
            "zh": '位置为（行，列），即 grid(h=, w=, order="hw", prefix=1) 所给，类别标记在最前。',
        },
    },
    {
        "name": "learned-axes-added",
        "spec_class": "LearnedAxes",
        "fields": {"sizes": _square, "join": "added"},
        "title": {
            "en": "a learned vector per row and one per column, added",
            "zh": "行、列各一张可学习表，相加",
        },
        "year": 2021,
        "paper": "bertasius2021space",
        "reference": "Bertasius et al. 2021, arXiv:2102.05095, section 3; transformers, gemma4",
        "shipped_by": ("TimeSformer", "Gemma 4"),
        "formula": "PE(x, y) = T_0[x] + T_1[y]",
        "note": {
            "en": "Gemma 4 reads (column, row). TimeSformer reads (patch, frame).",
            "zh": "Gemma 4 先列后行。TimeSformer 的坐标为（图块，帧）。",
        },
    },
    {
        "name": "learned-axes-concatenated",
        "spec_class": "LearnedAxes",
        "fields": {"sizes": _square, "join": "concatenated"},
        "title": {
            "en": "half of the channels from the column, half from the row",
            "zh": "列、行各一张可学习表，拼接",
        },
        "year": 2020,
        "paper": "carion2020end",
        "reference": "Carion et al. 2020, arXiv:2005.12872, and its PositionEmbeddingLearned",
        "shipped_by": ("DETR",),
        "formula": "PE(x, y) = [T_0[x], T_1[y]]",
        "note": COLUMNS_FIRST,
    },
    {
        "name": "learned-axial",
        "spec_class": "LearnedAxes",
        "fields": {
            "sizes": _square,
            "join": "concatenated",
            "dims": lambda room: (room.dim // 4, room.dim - room.dim // 4),
        },
        "title": {
            "en": "a long table as two short ones, of blocks and of places in a block",
            "zh": "轴向位置表：长表拆成块与块内两张短表",
        },
        "year": 2020,
        "paper": "kitaev2020reformer",
        "reference": "Kitaev et al. 2020, arXiv:2001.04451, and trax's AxialPositionalEncoding",
        "shipped_by": ("Reformer",),
        "formula": "PE(p) = [T_0[p div n], T_1[p mod n]]",
        "note": {
            "en": "Positions are (block, place in the block).",
            "zh": "位置为（块，块内位置）。",
        },
    },
    {
        "name": "layoutlm",
        "spec_class": "LearnedAxes",
        "fields": {"sizes": _BOX, "join": "added", "tables": _BOX_TABLES},
        "title": {
            "en": "the corners and sides of a word's box on the page, added",
            "zh": "页面文字框的角坐标与高宽，各查表相加",
        },
        "year": 2019,
        "paper": "xu2019layoutlm",
        "reference": "Xu et al. 2019, arXiv:1912.13318, section 2.3, and its code",
        "shipped_by": ("LayoutLM",),
        "formula": "PE(box) = X[x0] + Y[y0] + X[x1] + Y[y1] + H[y1 - y0] + W[x1 - x0]",
        "note": {
            "en": "Positions are boxes(corners): x0, y0, x1, y1, height, width, from 0 to 1000.",
            "zh": "位置为 boxes(corners)：x0、y0、x1、y1、高、宽，取 0 到 1000。",
        },
    },
    {
        "name": "layoutlmv2",
        "spec_class": "LearnedAxes",
        "fields": {
            "sizes": _BOX,
            "join": "concatenated",
            "dims": _sixths,
            "tables": _BOX_TABLES,
        },
        "title": {
            "en": "the corners and sides of a word's box on the page, side by side",
            "zh": "页面文字框的角坐标与高宽，各查表拼接",
        },
        "year": 2020,
        "paper": "xu2020layoutlmv2",
        "reference": "Xu et al. 2020, arXiv:2012.14740, section 2.1",
        "shipped_by": ("LayoutLMv2", "LayoutLMv3"),
        "formula": "PE(box) = [X[x0], Y[y0], X[x1], Y[y1], H[y1 - y0], W[x1 - x0]]",
        "note": {
            "en": "Positions are boxes(corners): x0, y0, x1, y1, height, width, from 0 to 1000.",
            "zh": "位置为 boxes(corners)：x0、y0、x1、y1、高、宽，取 0 到 1000。",
        },
    },
    {
        "name": "calendar",
        "spec_class": "LearnedAxes",
        "fields": {"sizes": (13, 32, 7, 24, 4), "join": "added"},
        "title": {
            "en": "month, day, weekday, hour and quarter of an hour, added",
            "zh": "月、日、星期、时、刻各查表相加",
        },
        "year": 2020,
        "paper": "zhou2020informer",
        "reference": "Zhou et al. 2020, arXiv:2012.07436, appendix B, and its TemporalEmbedding",
        "shipped_by": ("Informer", "Autoformer"),
        "formula": "PE = M[month] + D[day] + W[weekday] + H[hour] + Q[quarter]",
        "note": {
            "en": "Positions are (month, day, weekday, hour, quarter of an hour).",
            "zh": "位置为（月，日，星期，时，刻）。",
        },
    },
    {
        "name": "gated-tiles",
        "spec_class": "GatedTiles",
        "fields": {"rows": lambda room: (room.length + 3) // 4},
        "title": {
            "en": "a table of patches that gives way to one per tile as a gate opens",
            "zh": "门控分块位置表（Llama 3.2 视觉）",
        },
        "year": 2024,
        "reference": "transformers, MllamaPrecomputedPositionEmbedding",
        "shipped_by": ("Llama 3.2 Vision",),
        "formula": "PE(a, t, p) = (1 - tanh g) T[p] + tanh g T'[a, t, p]",
        "note": {
            "en": "Positions are (aspect ratio, tile, patch).",
            "zh": "位置为（宽高比编号，分块，图块）。",
        },
    },
]
