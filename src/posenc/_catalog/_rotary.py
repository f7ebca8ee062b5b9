"""Queries and keys that turn."""

from __future__ import annotations

from typing import Any

from posenc._catalog._made import even_factors, scaling

_ROPE = "w_i = base^(-2i/d); (a, b) -> (a cos p w - b sin p w, a sin p w + b cos p w)"
_SU = "Su et al. 2021, arXiv:2104.09864"
_SU_2023 = "Su 2023, kexue.fm/archives/9706"

ENTRIES: list[dict[str, Any]] = [
    {
        "name": "rope",
        "spec_class": "Rope",
        "fields": {"layout": "half"},
        "title": {
            "en": "rotary encoding, pairs across the halves",
            "zh": "旋转位置编码（前后半配对）",
        },
        "year": 2021,
        "paper": "su2021roformer",
        "reference": _SU,
        "shipped_by": ("Llama 2", "Mistral", "Qwen", "Gemma", "OLMo"),
        "formula": _ROPE,
    },
    {
        "name": "rope-interleaved",
        "spec_class": "Rope",
        "fields": {"layout": "interleaved"},
        "title": {"en": "rotary encoding, adjacent pairs", "zh": "旋转位置编码（相邻配对）"},
        "year": 2021,
        "paper": "su2021roformer",
        "reference": _SU,
        "shipped_by": ("Meta Llama", "Cohere", "RoFormer"),
        "formula": _ROPE,
    },
    {
        "name": "rope-partial",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "dim": lambda room: max(2, room.dim // 8 * 2),
            "head_dim": lambda room: room.dim,
        },
        "title": {
            "en": "rotary encoding of a quarter of the head",
            "zh": "部分维度旋转（四分之一）",
        },
        "year": 2022,
        "paper": "black2022gpt",
        "reference": "Black et al. 2022, arXiv:2204.06745, section 2.1.1",
        "shipped_by": ("GPT-NeoX", "Pythia", "StableLM", "Qwen3-Next"),
        "formula": _ROPE + " on the first d of head_dim channels",
    },
    {
        "name": "rope-linear",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("Linear", factor=4.0)},
        "title": {"en": "rotary with position interpolation", "zh": "旋转编码 + 线性插值"},
        "year": 2023,
        "paper": "chen2023extending",
        "reference": "Chen et al. 2023, arXiv:2306.15595",
        "shipped_by": ("Gemma 3", "LLaMA-2-7B-32K", "Vicuna-16k"),
        "formula": "w_i / factor",
    },
    {
        "name": "rope-ntk",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("Ntk", factor=4.0)},
        "title": {"en": "rotary with an NTK-aware base", "zh": "旋转编码 + NTK 感知底数"},
        "year": 2023,
        "paper": "peng2023yarn",
        "reference": "bloc97 2023; Peng et al. 2023, arXiv:2309.00071, section 3.1",
        "shipped_by": ("Hunyuan", "ExLlama"),
        "formula": "base' = base * factor^(d/(d-2))",
    },
    {
        "name": "rope-ntk-fixed",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("MixedNtk", factor=4.0)},
        "title": {
            "en": "rotary with a larger base that spares no pair, Su's fixed form",
            "zh": "旋转编码 + NTK-RoPE-fixed（底数放大，最快的频率也略减）",
        },
        "year": 2023,
        "reference": f"{_SU_2023}; vLLM, NTKScalingRotaryEmbedding",
        "shipped_by": ("vLLM",),
        "formula": "(base factor)^(-2i/d) / factor^(2/d)",
    },
    {
        "name": "rope-ntk-mixed",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": scaling("MixedNtk", factor=4.0, beta=0.625)},
        "title": {
            "en": "rotary whose pairs slow by more and more, Su's mixed form",
            "zh": "旋转编码 + NTK-RoPE-mixed（混合进制，频率越慢放缩越多）",
        },
        "year": 2023,
        "reference": f"{_SU_2023}; vLLM, mixed_b",
        "shipped_by": ("vLLM",),
        "formula": "w_i / exp(a m^beta), m = i + 1, a = ln factor / (d/2)^beta",
    },
    {
        "name": "rope-dynamic-ntk",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": scaling("DynamicNtk", factor=2.0, trained_length=2048),
        },
        "title": {"en": "rotary with a base that follows the length", "zh": "旋转编码 + 动态 NTK"},
        "year": 2023,
        "reference": "emozilla 2023; transformers, _compute_dynamic_ntk_parameters",
        "shipped_by": ("InternLM2.5",),
        "formula": "base' = base * (factor L / L0 - (factor - 1))^(d/(d-2))",
    },
    {
        "name": "rope-qwen-1",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": scaling("DynamicNtk", factor=2.0, trained_length=2048, doubling=True),
        },
        "title": {
            "en": "rotary with a base that grows at every doubling of the text",
            "zh": "旋转编码 + 阶梯式动态 NTK（长度每翻一倍换一次底数）",
        },
        "year": 2023,
        "paper": "bai2023qwen",
        "reference": "Qwen-1, modeling_qwen: get_ntk_alpha; with rope-log-n's temperature",
        "shipped_by": ("Qwen-1",),
        "formula": "base' = base (2^(ceil(log2(L / L0)) + 1) - 1)^(d/(d-2))",
    },
    {
        "name": "rope-yarn",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": scaling("Yarn", factor=4.0, trained_length=32768),
        },
        "title": {"en": "rotary with YaRN", "zh": "旋转编码 + YaRN"},
        "year": 2023,
        "paper": "peng2023yarn",
        "reference": "Peng et al. 2023, arXiv:2309.00071",
        "shipped_by": ("gpt-oss", "DeepSeek-V3", "Qwen3"),
        "formula": "w_i (1 - r_i) + w_i/factor r_i; logits grow by (0.1 ln factor + 1)^2",
    },
    {
        "name": "rope-llama3",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "base": 500_000.0,
            "scaling": scaling(
                "Llama3",
                factor=8.0,
                low_freq_factor=1.0,
                high_freq_factor=4.0,
                trained_length=8192,
            ),
        },
        "title": {"en": "rotary with Llama 3.1's band", "zh": "旋转编码 + Llama 3.1 分段缩放"},
        "year": 2024,
        "paper": "grattafiori2024llama",
        "reference": "Llama 3.1, models/llama3/reference_impl/model.py",
        "shipped_by": ("Llama 3.1", "Llama 3.2", "Llama 3.3"),
        "formula": "slow w/factor, fast w, a smooth band between",
    },
    {
        "name": "rope-longrope",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": scaling(
                "LongRope",
                short=even_factors(1.0),
                long=even_factors(32.0),
                trained_length=4096,
                factor=32.0,
            ),
        },
        "title": {
            "en": "rotary with LongRoPE's factors; here a ramp stands for the searched ones",
            "zh": "旋转编码 + LongRoPE（搜索得来的因子这里用一条斜线代替）",
        },
        "year": 2024,
        "paper": "ding2024longrope",
        "reference": "Ding et al. 2024, arXiv:2402.13753",
        "shipped_by": ("Phi-3", "Phi-4-mini", "MiniCPM3"),
        "formula": "w_i / (long_i if L > L0 else short_i)",
    },
    {
        "name": "rope-proportional",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "base": 1_000_000.0,
            "scaling": scaling("Proportional", share=0.25),
        },
        "title": {
            "en": "rotary of the fastest quarter of the pairs",
            "zh": "按比例旋转（只转最快的四分之一）",
        },
        "year": 2024,
        "paper": "barbero2024round",
        "reference": "p-RoPE: Barbero et al. 2024, arXiv:2410.06205; proportional in transformers",
        "shipped_by": ("Gemma 4",),
        "formula": "w_i for the first share of the pairs, 0 for the rest",
    },
]
