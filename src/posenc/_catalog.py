"""Our own entries as plain data; a new encoding adds a row here and its spec, nothing else."""

from __future__ import annotations

from typing import Any

_ROPE = "w_i = base^(-2i/d); (a, b) -> (a cos p w - b sin p w, a sin p w + b cos p w)"
_SU = "Su et al. 2021, arXiv:2104.09864"
_VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5"


def _scaling(kind: str, **fields: Any) -> Any:
    """A scaling rule, built when a spec is made: listing needs no spec class."""

    def build(room: Any) -> Any:
        from posenc import specs

        values = {n: v(room) if callable(v) else v for n, v in fields.items()}
        return getattr(specs, kind)(**values)

    return build


def _even_factors(top: float) -> Any:
    """Searched factors stand in a model's config; a smooth ramp stands in for them here."""

    def build(room: Any) -> list[float]:
        pairs = room.dim // 2
        return [1 + (top - 1) * i / max(pairs - 1, 1) for i in range(pairs)]

    return build


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
    {
        "name": "sinusoidal",
        "spec_class": "Sinusoidal",
        "title": {"en": "sinusoidal code of the Transformer paper", "zh": "正弦位置编码（原论文）"},
        "year": 2017,
        "paper": "vaswani2017attention",
        "reference": _VASWANI,
        "shipped_by": ("XLM", "DistilBERT", "SpeechT5"),
        "formula": "PE(p)[2i] = sin(p w_i), PE(p)[2i+1] = cos(p w_i), w_i = base^(-2i/d)",
    },
    {
        "name": "sinusoidal-half",
        "spec_class": "Sinusoidal",
        "fields": {"layout": "half"},
        "title": {
            "en": "sinusoid, all sines and then all cosines",
            "zh": "正弦位置编码（前半 sin 后半 cos）",
        },
        "year": 2018,
        "paper": "vaswani2017attention",
        "reference": _VASWANI,
        "shipped_by": ("Marian", "Pegasus", "CTRL", "Transformer-XL"),
        "formula": "PE(p) = [sin(p w), cos(p w)], w_i = base^(-2i/d)",
    },
    {
        "name": "sinusoidal-tensor2tensor",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "odd": "zero"},
        "title": {
            "en": "sinusoid on tensor2tensor's ladder",
            "zh": "正弦位置编码（tensor2tensor 频率阶梯）",
        },
        "year": 2017,
        "reference": "tensor2tensor, get_timing_signal_1d; fairseq, SinusoidalPositionalEmbedding",
        "shipped_by": ("M2M-100", "NLLB", "Whisper", "XGLM"),
        "formula": "w_i = base^(-i/(d/2 - 1))",
    },
    {
        "name": "sinusoidal-cos-first",
        "spec_class": "Sinusoidal",
        "fields": {"ladder": "tensor2tensor", "layout": "half", "first": "cos", "odd": "zero"},
        "title": {"en": "sinusoid, cosines first", "zh": "正弦位置编码（余弦在前）"},
        "year": 2023,
        "paper": "copet2023simple",
        "reference": "Copet et al. 2023, arXiv:2306.05284, and its code",
        "shipped_by": ("MusicGen",),
        "formula": "PE(p) = [cos(p w), sin(p w)], w_i = base^(-i/(d/2 - 1))",
    },
    {
        "name": "learned",
        "spec_class": "Learned",
        "title": {"en": "a learned vector per position", "zh": "可学习的位置表"},
        "year": 2017,
        "paper": "gehring2017convolutional",
        "reference": "Gehring et al. 2017, arXiv:1705.03122; Devlin et al. 2018, arXiv:1810.04805",
        "shipped_by": ("BERT", "GPT-2", "CLIP", "ViT"),
        "formula": "PE(p) = T[p]",
    },
    {
        "name": "learned-offset",
        "spec_class": "Learned",
        "fields": {"rows": lambda room: room.length + 2, "offset": 2},
        "title": {
            "en": "a learned table whose first rows are padding",
            "zh": "带偏移的可学习位置表",
        },
        "year": 2019,
        "reference": "fairseq, LearnedPositionalEmbedding: padding_idx + 1",
        "shipped_by": ("OPT", "BART", "RoBERTa"),
        "formula": "PE(p) = T[p + 2]",
    },
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
        "shipped_by": ("GPT-NeoX", "Pythia", "StableLM"),
        "formula": _ROPE + " on the first d of head_dim channels",
    },
    {
        "name": "rope-linear",
        "spec_class": "Rope",
        "fields": {"layout": "half", "scaling": _scaling("Linear", factor=4.0)},
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
        "fields": {"layout": "half", "scaling": _scaling("Ntk", factor=4.0)},
        "title": {"en": "rotary with an NTK-aware base", "zh": "旋转编码 + NTK 感知底数"},
        "year": 2023,
        "paper": "peng2023yarn",
        "reference": "bloc97 2023; Peng et al. 2023, arXiv:2309.00071, section 3.1",
        "shipped_by": ("Hunyuan", "ExLlama"),
        "formula": "base' = base * factor^(d/(d-2))",
    },
    {
        "name": "rope-dynamic-ntk",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": _scaling("DynamicNtk", factor=2.0, trained_length=2048),
        },
        "title": {"en": "rotary with a base that follows the length", "zh": "旋转编码 + 动态 NTK"},
        "year": 2023,
        "reference": "emozilla 2023; transformers, _compute_dynamic_ntk_parameters",
        "shipped_by": ("InternLM2.5",),
        "formula": "base' = base * (factor L / L0 - (factor - 1))^(d/(d-2))",
    },
    {
        "name": "rope-yarn",
        "spec_class": "Rope",
        "fields": {
            "layout": "half",
            "scaling": _scaling("Yarn", factor=4.0, trained_length=32768),
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
            "scaling": _scaling(
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
            "scaling": _scaling(
                "LongRope",
                short=_even_factors(1.0),
                long=_even_factors(32.0),
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
            "scaling": _scaling("Proportional", share=0.25),
        },
        "title": {
            "en": "rotary of the fastest quarter of the pairs",
            "zh": "按比例旋转（只转最快的四分之一）",
        },
        "year": 2026,
        "reference": "transformers, proportional in modeling_rope_utils",
        "shipped_by": ("Gemma 4",),
        "formula": "w_i for the first share of the pairs, 0 for the rest",
    },
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
        "shipped_by": ("T5", "mT5", "UMT5"),
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
        "shipped_by": ("T5", "mT5", "UMT5"),
        "formula": "logits + T[bucket(min(key - query, 0)), h]",
    },
]
