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
    "jin2024llm": (
        "Jin, Hongye",
        "LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning",
        2024,
        "2401.01325",
    ),
    "an2024training": (
        "An, Chenxin",
        "Training-Free Long-Context Scaling of Large Language Models",
        2024,
        "2402.17463",
    ),
    "golovneva2024contextual": (
        "Golovneva, Olga",
        "Contextual Position Encoding: Learning to Count What's Important",
        2024,
        "2405.18719",
    ),
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
