"""Where each encoding was published, for citations: first author, title, year, arXiv number."""

from __future__ import annotations

from posenc.errors import check

_PAPERS: dict[str, tuple[str, str, int, str]] = {
    "vaswani2017attention": ("Vaswani, Ashish", "Attention Is All You Need", 2017, "1706.03762"),
    "gehring2017convolutional": (
        "Gehring, Jonas",
        "Convolutional Sequence to Sequence Learning",
        2017,
        "1705.03122",
    ),
    "raffel2019exploring": (
        "Raffel, Colin",
        "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
        2019,
        "1910.10683",
    ),
    "su2021roformer": (
        "Su, Jianlin",
        "RoFormer: Enhanced Transformer with Rotary Position Embedding",
        2021,
        "2104.09864",
    ),
    "press2021train": (
        "Press, Ofir",
        "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
        2021,
        "2108.12409",
    ),
    "haviv2022transformer": (
        "Haviv, Adi",
        "Transformer Language Models without Positional Encodings Still Learn Positional "
        "Information",
        2022,
        "2203.16634",
    ),
    "black2022gpt": (
        "Black, Sid",
        "GPT-NeoX-20B: An Open-Source Autoregressive Language Model",
        2022,
        "2204.06745",
    ),
    "copet2023simple": (
        "Copet, Jade",
        "Simple and Controllable Music Generation",
        2023,
        "2306.05284",
    ),
    "chen2023extending": (
        "Chen, Shouyuan",
        "Extending Context Window of Large Language Models via Positional Interpolation",
        2023,
        "2306.15595",
    ),
    "peng2023yarn": (
        "Peng, Bowen",
        "YaRN: Efficient Context Window Extension of Large Language Models",
        2023,
        "2309.00071",
    ),
    "gunther2023jina": (
        'G{\\"u}nther, Michael',
        "Jina Embeddings 2: 8192-Token General-Purpose Text Embeddings for Long Documents",
        2023,
        "2310.19923",
    ),
    "ding2024longrope": (
        "Ding, Yiran",
        "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
        2024,
        "2402.13753",
    ),
    "grattafiori2024llama": (
        "Grattafiori, Aaron",
        "The Llama 3 Herd of Models",
        2024,
        "2407.21783",
    ),
    "lindenberger2023lightglue": (
        "Lindenberger, Philipp",
        "LightGlue: Local Feature Matching at Light Speed",
        2023,
        "2306.13643",
    ),
    "fang2023eva": (
        "Fang, Yuxin",
        "EVA-02: A Visual Representation for Neon Genesis",
        2023,
        "2303.11331",
    ),
    "heo2024rotary": (
        "Heo, Byeongho",
        "Rotary Position Embedding for Vision Transformer",
        2024,
        "2403.13298",
    ),
    "yang2024cogvideox": (
        "Yang, Zhuoyi",
        "CogVideoX: Text-to-Video Diffusion Models with An Expert Transformer",
        2024,
        "2408.06072",
    ),
    "wang2024qwen2": (
        "Wang, Peng",
        "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution",
        2024,
        "2409.12191",
    ),
    "agrawal2024pixtral": ("Agrawal, Pravesh", "Pixtral 12B", 2024, "2410.07073"),
    "zhou2024allegro": (
        "Zhou, Yuan",
        "Allegro: Open the Black Box of Commercial-Level Video Generation Model",
        2024,
        "2410.15458",
    ),
    "kong2024hunyuanvideo": (
        "Kong, Weijie",
        "HunyuanVideo: A Systematic Framework For Large Video Generative Models",
        2024,
        "2412.03603",
    ),
    "hacohen2024ltx": (
        "HaCohen, Yoav",
        "LTX-Video: Realtime Video Latent Diffusion",
        2024,
        "2501.00103",
    ),
    "agarwal2025cosmos": (
        "Agarwal, Niket",
        "Cosmos World Foundation Model Platform for Physical AI",
        2025,
        "2501.03575",
    ),
    "wei2025videorope": (
        "Wei, Xilin",
        "VideoRoPE: What Makes for Good Video Rotary Position Embedding?",
        2025,
        "2502.05173",
    ),
    "wang2025wan": (
        "Wang, Ang",
        "Wan: Open and Advanced Large-Scale Video Generative Models",
        2025,
        "2503.20314",
    ),
    "qin2025lumina": (
        "Qin, Qi",
        "Lumina-Image 2.0: A Unified and Efficient Image Generative Framework",
        2025,
        "2503.21758",
    ),
    "du2025kimi": ("Du, Angang", "Kimi-VL Technical Report", 2025, "2504.07491"),
    "assran2025v": (
        "Assran, Mido",
        "V-JEPA 2: Self-Supervised Video Models Enable Understanding, Prediction and Planning",
        2025,
        "2506.09985",
    ),
    "hong2025glm": (
        "Hong, Wenyi",
        "GLM-4.5V and GLM-4.1V-Thinking: Towards Versatile Multimodal Reasoning with Scalable "
        "Reinforcement Learning",
        2025,
        "2507.01006",
    ),
    "simeoni2025dinov3": ("Sim{\\'e}oni, Oriane", "DINOv3", 2025, "2508.10104"),
    "bai2025qwen3": ("Bai, Shuai", "Qwen3-VL Technical Report", 2025, "2511.21631"),
}


def bibtex_of(name: str, paper: str, *, reference: str) -> str:
    """The publication of an encoding as a BibTeX entry.

    Args:
        name: The encoding.
        paper: Its key here; empty if it has none.
        reference: What is said instead.

    Raises:
        EncodingError: If it has no publication that is known here.
    """
    hint = f"Its reference is: {reference}."
    check(paper in _PAPERS, f"{name}: a citation", "of a publication", paper or None, hint)
    author, title, year, arxiv = _PAPERS[paper]
    lines = (
        f"  author = {{{author} and others}}",
        f"  title = {{{{{title}}}}}",
        f"  year = {{{year}}}",
        f"  eprint = {{{arxiv}}}",
        "  archivePrefix = {arXiv}",
    )
    return f"@misc{{{paper},\n" + ",\n".join(lines) + "\n}"
