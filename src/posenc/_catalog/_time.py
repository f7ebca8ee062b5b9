"""Codes of real numbers: times of diffusion, points in space, the clock."""

from __future__ import annotations

from typing import Any

_HO = "Ho et al. 2020, arXiv:2006.11239, and its code"
_NERF = "Mildenhall et al. 2020, arXiv:2003.08934, eq. 4"


def _bands(coordinates: int, most: int) -> Any:
    """As many bands as the width holds, up to the model's own."""
    return lambda room: max(1, min(most, room.dim // (2 * coordinates)))


ENTRIES: list[dict[str, Any]] = [
    {
        "name": "timestep-ddpm",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "odd": "zero"},
        "title": {
            "en": "diffusion timestep, sines first, shift 1",
            "zh": "扩散时间步编码（正弦在前，shift 为 1）",
        },
        "year": 2020,
        "paper": "ho2020denoising",
        "reference": _HO,
        "shipped_by": (
            "DDPM",
            "Kandinsky 3",
        ),
        "formula": "[sin(t w), cos(t w)], w_i = base^(-i/(d/2 - 1))",
    },
    {
        "name": "timestep",
        "spec_class": "Sinusoidal",
        "fields": {"layout": "half", "first": "cos", "odd": "zero"},
        "title": {
            "en": "diffusion timestep, cosines first, shift 0",
            "zh": "扩散时间步编码（余弦在前，shift 为 0）",
        },
        "year": 2021,
        "paper": "dhariwal2021diffusion",
        "reference": "Dhariwal and Nichol 2021, arXiv:2105.05233, and its code",
        "shipped_by": ("Stable Diffusion", "SDXL", "DiT", "SD3", "FLUX", "Wan"),
        "formula": "[cos(t w), sin(t w)], w_i = base^(-2i/d)",
        "note": {
            "en": "DiT's own code has this form, the DiT of diffusers timestep-dit. Flow models "
            "pass t = 1000 sigma.",
            "zh": "DiT 原作代码用此式，diffusers 里的 DiT 用 timestep-dit。流匹配模型传入 t = 1000 "
            "sigma。",
        },
    },
    {
        "name": "timestep-dit",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "first": "cos", "odd": "zero"},
        "title": {
            "en": "diffusion timestep, cosines first, shift 1",
            "zh": "扩散时间步编码（余弦在前，shift 为 1）",
        },
        "year": 2023,
        "reference": "diffusers, CombinedTimestepLabelEmbeddings",
        "shipped_by": ("DiT",),
        "formula": "[cos(t w), sin(t w)], w_i = base^(-i/(d/2 - 1))",
        "note": {
            "en": "The DiT of diffusers; its authors' code has timestep, of shift 0.",
            "zh": "diffusers 里的 DiT；原作代码用 timestep，shift 为 0。",
        },
    },
    {
        "name": "timestep-flow",
        "spec_class": "Fourier",
        "fields": {
            "bands": _bands(1, 2**16),
            "start": 1000.0,
            "stop": 0.1,
            "spacing": "open",
            "first": "cos",
        },
        "title": {
            "en": "flow time from 0 to 1, multiplied by 1000 inside",
            "zh": "流匹配时间编码（0 到 1，内部乘以 1000）",
        },
        "year": 2024,
        "reference": "diffusers, Timesteps(scale=1000)",
        "shipped_by": ("AuraFlow", "Qwen-Image", "Z-Image"),
        "formula": "[cos(1000 t w), sin(1000 t w)], w_i = 10000^(-2i/d)",
    },
    {
        "name": "timestep-pi0",
        "spec_class": "Fourier",
        "fields": {"bands": _bands(1, 2**16), "start": 250.0, "stop": 0.25, "unit": "turns"},
        "title": {
            "en": "flow time in waves of period 0.004 to 4",
            "zh": "流匹配时间编码（周期 0.004 到 4）",
        },
        "year": 2024,
        "paper": "black2024pi0",
        "reference": "Black et al. 2024, arXiv:2410.24164, and its code",
        "shipped_by": ("pi0",),
        "formula": "[sin(2 pi t / T), cos(2 pi t / T)], T_i = 0.004 * 1000^(i/(K - 1))",
    },
    {
        "name": "timestep-stable-audio-3",
        "spec_class": "Fourier",
        "fields": {
            "bands": _bands(1, 2**16),
            "start": 0.5,
            "stop": 10_000.0,
            "unit": "turns",
            "first": "cos",
        },
        "title": {
            "en": "flow time in 0.5 to 10000 turns",
            "zh": "流匹配时间编码（0.5 到 10000 圈）",
        },
        "year": 2026,
        "reference": "diffusers, StableAudio3ExpoFourierFeatures",
        "shipped_by": ("Stable Audio 3",),
        "formula": "[cos(2 pi t f), sin(2 pi t f)], f_i = 0.5 * 20000^(i/(K - 1))",
    },
    {
        "name": "fourier-nerf",
        "spec_class": "Fourier",
        "fields": {
            "coordinates": 3,
            "bands": _bands(3, 10),
            "unit": "half-turns",
            "order": "coordinate-band-wave",
        },
        "title": {"en": "NeRF's frequency code of the paper", "zh": "NeRF 频率编码（论文，带 pi）"},
        "year": 2020,
        "paper": "mildenhall2020nerf",
        "reference": _NERF,
        "formula": "[sin(2^k pi x), cos(2^k pi x)], k = 0..K-1",
        "note": {
            "en": "Coordinates are (x, y, z), scaled to -1..1. All waves of x come before those of "
            "y.",
            "zh": "坐标为 (x, y, z)，缩放到 -1..1。先是 x 的所有波，再是 y 的。",
        },
    },
    {
        "name": "fourier-nerf-code",
        "spec_class": "Fourier",
        "fields": {
            "coordinates": 3,
            "bands": _bands(3, 10),
            "order": "band-wave-coordinate",
            "identity": True,
        },
        "title": {
            "en": "NeRF's frequency code as it is shipped: no pi, coordinates first",
            "zh": "NeRF 频率编码（代码，不带 pi，坐标在前）",
        },
        "year": 2020,
        "paper": "mildenhall2020nerf",
        "reference": "NeRF's code, run_nerf_helpers.py: Embedder",
        "shipped_by": ("NeRF", "nerf-pytorch"),
        "formula": "[x, sin(2^0 x), cos(2^0 x), sin(2^1 x), ...]",
        "note": {
            "en": "x stands for (x, y, z): each wave is of all three, side by side.",
            "zh": "x 代表 (x, y, z)：每个波都对三个坐标并列取值。",
        },
    },
    {
        "name": "fourier-multinerf",
        "spec_class": "Fourier",
        "fields": {
            "coordinates": 3,
            "bands": _bands(3, 10),
            "order": "wave-band-coordinate",
            "identity": True,
        },
        "title": {
            "en": "NeRF's frequency code, all sines and then all cosines",
            "zh": "NeRF 频率编码（先全部正弦后全部余弦）",
        },
        "year": 2022,
        "reference": "multinerf, coord.pos_enc",
        "shipped_by": ("mip-NeRF 360", "Ref-NeRF"),
        "formula": "[x, sin(2^0 x), sin(2^1 x), ..., cos(2^0 x), ...]",
        "note": {
            "en": "x stands for (x, y, z): each wave is of all three, side by side.",
            "zh": "x 代表 (x, y, z)：每个波都对三个坐标并列取值。",
        },
    },
    {
        "name": "fourier-perceiver",
        "spec_class": "Fourier",
        "fields": {
            "coordinates": 2,
            "bands": _bands(2, 64),
            "stop": 112.0,
            "spacing": "linear",
            "unit": "half-turns",
            "identity": True,
        },
        "title": {
            "en": "waves up to half of the resolution, evenly spaced",
            "zh": "Perceiver 傅里叶特征（等距频率，到分辨率的一半）",
        },
        "year": 2021,
        "paper": "jaegle2021perceiver",
        "reference": "Jaegle et al. 2021, arXiv:2103.03206, section 3.2",
        "shipped_by": ("Perceiver", "Perceiver IO"),
        "formula": "[x, sin(pi f x), cos(pi f x)], f_k = 1 + k (R/2 - 1)/(K - 1)",
        "note": {
            "en": "Coordinates are (row, column), from -1 at the first cell to 1 at the last; R is "
            "the resolution of training.",
            "zh": "坐标为（行，列），从首格的 -1 到末格的 1；R 是训练时的分辨率。",
        },
    },
    {
        "name": "fourier-gligen",
        "spec_class": "Fourier",
        "fields": {
            "coordinates": 4,
            "bands": _bands(4, 8),
            "stop": 100.0,
            "spacing": "open",
            "order": "band-wave-coordinate",
        },
        "title": {"en": "waves of a bounding box", "zh": "检测框坐标的傅里叶特征"},
        "year": 2023,
        "paper": "li2023gligen",
        "reference": "Li et al. 2023, arXiv:2301.07093, and its code",
        "shipped_by": ("GLIGEN",),
        "formula": "sin(w_k x), cos(w_k x), w_k = 100^(k/K)",
        "note": {
            "en": "Coordinates are the corners (x0, y0, x1, y1) of a box, as shares of the image.",
            "zh": "坐标为框的两角 (x0, y0, x1, y1)，以占图像的比例计。",
        },
    },
    {
        "name": "random-fourier",
        "spec_class": "RandomFourier",
        "fields": {"coordinates": 2, "sigma": 10.0, "waves": "cos-sin"},
        "title": {"en": "random Fourier features", "zh": "随机傅里叶特征"},
        "year": 2020,
        "paper": "tancik2020fourier",
        "reference": "Tancik et al. 2020, arXiv:2006.10739",
        "formula": "[cos(2 pi x W), sin(2 pi x W)], W ~ N(0, sigma^2)",
        "note": {
            "en": "Coordinates are (x, y) of a point, from 0 to 1.",
            "zh": "坐标为点的 (x, y)，取 0 到 1。",
        },
    },
    {
        "name": "random-fourier-score",
        "spec_class": "RandomFourier",
        "fields": {"sigma": 16.0},
        "title": {
            "en": "Gaussian projection of the logarithm of a noise level",
            "zh": "噪声水平对数的高斯傅里叶投影",
        },
        "year": 2020,
        "paper": "song2020score",
        "reference": "Song et al. 2020, arXiv:2011.13456, and its code",
        "shipped_by": ("NCSN++",),
        "formula": "[sin(2 pi p W), cos(2 pi p W)], p = ln sigma",
    },
    {
        "name": "random-fourier-sam",
        "spec_class": "RandomFourier",
        "fields": {"coordinates": 2, "centered": True},
        "title": {
            "en": "random directions in the image plane",
            "zh": "SAM 随机傅里叶坐标编码",
        },
        "year": 2023,
        "paper": "kirillov2023segment",
        "reference": "Kirillov et al. 2023, arXiv:2304.02643, and its code",
        "shipped_by": ("SAM", "SAM 2", "SAM-HQ", "EdgeTAM"),
        "formula": "[sin(2 pi (2x - 1) W), cos(2 pi (2x - 1) W)]",
        "note": {
            "en": "Coordinates are (x, y) from 0 to 1; those of an image centres(h=, w=, "
            'order="wh", start=0).',
            "zh": '坐标为 (x, y)，取 0 到 1；整幅图像用 centres(h=, w=, order="wh", start=0)。',
        },
    },
    {
        "name": "random-fourier-learned",
        "spec_class": "RandomFourier",
        "fields": {"waves": "cos-sin", "trained": True},
        "title": {"en": "flow time in waves that are learned", "zh": "可学习的傅里叶时间特征"},
        "year": 2024,
        "reference": "stable-audio-tools, FourierFeatures",
        "shipped_by": ("Stable Audio", "MiniMax Music"),
        "formula": "[cos(2 pi t W), sin(2 pi t W)]",
    },
    {
        "name": "random-fourier-phases",
        "spec_class": "RandomFourier",
        "fields": {"waves": "cos"},
        "title": {
            "en": "cosines of random frequency and phase",
            "zh": "随机频率与相位的余弦特征",
        },
        "year": 2024,
        "reference": "Abramson et al. 2024, AlphaFold 3, supplement, algorithm 22",
        "shipped_by": ("AlphaFold 3", "ESMFold2"),
        "formula": "cos(2 pi (t w + b))",
        "note": {
            "en": "w and b are drawn once, before training, and kept.",
            "zh": "w 与 b 在训练前抽取一次，之后不变。",
        },
    },
    {
        "name": "time2vec",
        "spec_class": "Time2Vec",
        "title": {"en": "time in learned waves and one line", "zh": "Time2Vec 可学习时间编码"},
        "year": 2019,
        "paper": "kazemi2019time2vec",
        "reference": "Kazemi et al. 2019, arXiv:1907.05321, eq. 1",
        "formula": "[w_0 t + b_0, sin(w_i t + b_i)]",
    },
]
