"""Codes of several coordinates, made of sinusoids: images, video, volumes, boxes."""

from __future__ import annotations

import math
from typing import Any

from posenc._catalog._made import (
    COLUMNS_FIRST,
    ROWS_FIRST,
    evenly,
    rounded_down,
    rounded_up,
    time_and_space,
)

_SINES = "PE_a(c) = [sin(c w), cos(c w)], w_i = base^(-2i/d_a)"
_PAIRS = "PE_a(c)[2i] = sin(c w_i), PE_a(c)[2i+1] = cos(c w_i), w_i = base^(-2i/d_a)"
_DETR = {"dims": evenly(2), "scales": (2 * math.pi,) * 2, "layout": "interleaved"}

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "grid-columns-first",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(2)},
        "title": {
            "en": "2-D sinusoid, the column before the row",
            "zh": "二维正弦位置编码（先列后行）",
        },
        "year": 2021,
        "paper": "he2021masked",
        "reference": "He et al. 2021, arXiv:2111.06377, and its util/pos_embed.py",
        "shipped_by": ("ViT-MAE", "DiT", "SiT", "AIMv2", "Granite-Docling"),
        "formula": f"[PE_0(x), PE_1(y)], {_SINES}",
        "note": COLUMNS_FIRST,
    },
    {
        "name": "grid-rows-first",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(2)},
        "title": {
            "en": "2-D sinusoid, the row before the column",
            "zh": "二维正弦位置编码（先行后列）",
        },
        "year": 2023,
        "paper": "zhao2023detrs",
        "reference": "transformers, build_2d_sinusoidal_position_embedding",
        "shipped_by": ("RT-DETR", "D-FINE", "DEIMv2", "PP-DocLayout"),
        "formula": f"[PE_0(y), PE_1(x)], {_SINES}",
        "note": ROWS_FIRST,
    },
    {
        "name": "grid-timm",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(2), "halves": "all"},
        "title": {
            "en": "2-D sinusoid, all sines and then all cosines",
            "zh": "二维正弦位置编码（先全部 sin 后全部 cos）",
        },
        "year": 2022,
        "reference": "timm, build_sincos2d_pos_embed",
        "shipped_by": ("timm",),
        "formula": "[sin(y w), sin(x w), cos(y w), cos(x w)], w_i = base^(-2i/d_a)",
        "note": ROWS_FIRST,
    },
    {
        "name": "grid-pixart",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(2), "scales": (1 / 2, 1 / 2)},
        "title": {
            "en": "2-D sinusoid, drawn out for images of twice the size",
            "zh": "二维正弦位置编码（坐标缩小一半，用于两倍大的图像）",
        },
        "year": 2023,
        "paper": "chen2023pixart",
        "reference": "Chen et al. 2023, arXiv:2310.00426; diffusers, interpolation_scale",
        "shipped_by": ("PixArt-alpha 1024", "PixArt-Sigma 1024"),
        "formula": f"[PE_0(x / 2), PE_1(y / 2)], {_SINES}",
        "note": COLUMNS_FIRST,
    },
    {
        "name": "grid-sd3",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(2), "scales": (1 / 3, 1 / 3)},
        "title": {
            "en": "2-D sinusoid of the middle of a larger grid",
            "zh": "二维正弦位置编码（取大网格的中央部分）",
        },
        "year": 2024,
        "paper": "esser2024scaling",
        "reference": "Esser et al. 2024, arXiv:2403.03206; diffusers, cropped_pos_embed",
        "shipped_by": ("Stable Diffusion 3", "OmniGen"),
        "formula": f"[PE_0(x / 3), PE_1(y / 3)], {_SINES}",
        "note": {
            "en": 'Positions are middle(of=192, h=, w=, order="wh"): the column first.',
            "zh": '位置为 middle(of=192, h=, w=, order="wh")：先列后行。',
        },
    },
    {
        "name": "grid-cogvideox",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": time_and_space, "scales": (1.0, 1 / 1.875, 1 / 1.875)},
        "title": {
            "en": "3-D sinusoid, a quarter for time and the rest for space",
            "zh": "三维正弦位置编码（四分之一给时间，其余给空间）",
        },
        "year": 2024,
        "paper": "yang2024cogvideox",
        "reference": "diffusers, get_3d_sincos_pos_embed",
        "shipped_by": ("CogVideoX",),
        "formula": f"[PE_0(t), PE_1(x / 1.875), PE_2(y / 1.875)], {_SINES}",
        "note": {
            "en": 'Positions are (frame, column, row), as grid(t=, h=, w=, order="twh") gives '
            "them.",
            "zh": '位置为（帧，列，行），即 grid(t=, h=, w=, order="twh") 所给。',
        },
    },
    {
        "name": "grid-tensor2tensor",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": rounded_down(2), "rest": "zero", "ladder": "tensor2tensor"},
        "title": {
            "en": "2-D sinusoid on tensor2tensor's ladder",
            "zh": "二维正弦位置编码（tensor2tensor 频率阶梯）",
        },
        "year": 2018,
        "reference": "tensor2tensor, add_timing_signal_nd",
        "shipped_by": ("tensor2tensor",),
        "formula": "[PE_0(y), PE_1(x), 0...], PE_a(c) = [sin(c w), cos(c w)], "
        "w_i = base^(-i/(d_a/2 - 1))",
        "note": ROWS_FIRST,
    },
    {
        "name": "multidim-2d",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": rounded_up(2), "rest": "cut", "layout": "interleaved"},
        "title": {
            "en": "2-D sinusoid, sine and cosine side by side",
            "zh": "二维正弦位置编码（正弦余弦相邻）",
        },
        "year": 2020,
        "reference": "positional_encodings, PositionalEncoding2D",
        "shipped_by": ("positional_encodings",),
        "formula": f"[PE_0(x), PE_1(y)][:d], {_PAIRS}, d_a = 2 ceil(d/4)",
        "note": {
            "en": "x is the first axis of the array, which is the row of an image.",
            "zh": "x 是数组的第一轴，即图像的行。",
        },
    },
    {
        "name": "multidim-3d",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": rounded_up(3), "rest": "cut", "layout": "interleaved"},
        "title": {
            "en": "3-D sinusoid, sine and cosine side by side",
            "zh": "三维正弦位置编码（正弦余弦相邻）",
        },
        "year": 2020,
        "reference": "positional_encodings, PositionalEncoding3D",
        "shipped_by": ("positional_encodings",),
        "formula": f"[PE_0(x), PE_1(y), PE_2(z)][:d], {_PAIRS}, d_a = 2 ceil(d/6)",
        "note": {
            "en": "x is the first axis of the array.",
            "zh": "x 是数组的第一轴。",
        },
    },
    {
        "name": "detr",
        "spec_class": "GridSinusoidal",
        "fields": _DETR,
        "title": {
            "en": "DETR's sine code of a pixel's share of the image",
            "zh": "DETR 正弦编码（像素在图中所占的比例）",
        },
        "year": 2020,
        "paper": "carion2020end",
        "reference": "Carion et al. 2020, arXiv:2005.12872, appendix, and its position_encoding.py",
        "shipped_by": (
            *("DETR", "Conditional DETR", "Deformable DETR", "Table Transformer"),
            *("MaskFormer", "Mask2Former", "OneFormer", "SAM 2"),
        ),
        "formula": f"[PE_0(y), PE_1(x)], {_PAIRS}, c = 2 pi (n + offset)/(N + 1e-6)",
        "note": {
            "en": "n counts the cells so far and N all cells, without padding. Positions are "
            "detr(mask): the row first.",
            "zh": "n 为至此的格数，N 为总格数，均不计填充。位置为 detr(mask)：先行后列。",
        },
    },
    {
        "name": "detr-steep",
        "spec_class": "GridSinusoidal",
        "fields": {**_DETR, "base": 20.0},
        "title": {"en": "DETR's sine code at base 20", "zh": "DETR 正弦编码（底数 20）"},
        "year": 2022,
        "paper": "liu2022dab",
        "reference": "Liu et al. 2022, arXiv:2201.12329, on its temperature",
        "shipped_by": ("DAB-DETR", "Grounding DINO"),
        "formula": f"[PE_0(y), PE_1(x)], {_PAIRS}, base = 20, c = 2 pi (n + offset)/(N + 1e-6)",
        "note": {
            "en": "n counts the cells so far and N all cells, without padding. Positions are "
            "detr(mask): the row first.",
            "zh": "n 为至此的格数，N 为总格数，均不计填充。位置为 detr(mask)：先行后列。",
        },
    },
    {
        "name": "detr-boxes",
        "spec_class": "GridSinusoidal",
        "fields": {"dims": evenly(4), "scales": (2 * math.pi,) * 4, "layout": "interleaved"},
        "title": {
            "en": "sine code of a box: its centre, width and height",
            "zh": "框的正弦编码（中心、宽和高）",
        },
        "year": 2022,
        "paper": "liu2022dab",
        "reference": "Liu et al. 2022, arXiv:2201.12329, on anchor boxes",
        "shipped_by": ("DAB-DETR", "DINO", "Grounding DINO", "LW-DETR"),
        "formula": f"[PE_0(2 pi y), PE_1(2 pi x), PE_2(2 pi w), PE_3(2 pi h)], {_PAIRS}",
        "note": {
            "en": "Positions are (y, x, width, height) of a box, y and x of its middle, as shares "
            "of the image.",
            "zh": "位置为框的（y，x，宽，高），y 与 x 取框中心，均以占图像的比例计。",
        },
    },
]
