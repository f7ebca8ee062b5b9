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
        "shipped_by": ("DDPM",),
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
        "formula": "[cos(t w), sin(t w)], w_i = base^(-2i/d); flows pass t = 1000 sigma",
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
        "formula": "[sin(2 pi t / T), cos(2 pi t / T)], T from 0.004 to 4 in equal ratios",
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
        "formula": "[cos(2 pi t f), sin(2 pi t f)], f from 0.5 to 10000 in equal ratios",
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
        "formula": "sin(2^k pi x), cos(2^k pi x), coordinate after coordinate",
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
        "formula": "[x, sin(2^0 x), cos(2^0 x), sin(2^1 x), ...], all coordinates in each",
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
        "formula": "[x, sin(pi f x), cos(pi f x)], f from 1 to resolution/2 in equal steps",
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
        "formula": "[sin(2 pi (2x - 1) W), cos(2 pi (2x - 1) W)], x in 0..1",
    },
    {
        "name": "random-fourier-learned",
        "spec_class": "RandomFourier",
        "fields": {"waves": "cos-sin", "trained": True},
        "title": {"en": "flow time in waves that are learned", "zh": "可学习的傅里叶时间特征"},
        "year": 2024,
        "reference": "stable-audio-tools, FourierFeatures",
        "shipped_by": ("Stable Audio", "MiniMax Music"),
        "formula": "[cos(2 pi t W), sin(2 pi t W)], W learned",
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
        "formula": "cos(2 pi (t w + b)), w and b drawn once",
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
