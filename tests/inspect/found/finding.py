"""Configs to change, and findings as they are told: code, severity and place; message; hint."""

from __future__ import annotations

from typing import Any

Told = tuple[str, str, str]

LENGTH, ORIGINAL = "max_position_embeddings", "original_max_position_embeddings"
LLAMA = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "num_hidden_layers": 2,
    LENGTH: 4096,
    "rope_theta": 5e5,
}
NEOX = {
    "model_type": "gpt_neox",
    "hidden_size": 512,
    "num_attention_heads": 8,
    LENGTH: 4096,
    "rotary_emb_base": 10000,
    "rotary_pct": 0.25,
}
YARN = {"rope_type": "yarn", "factor": 2.0, ORIGINAL: 2048}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    ORIGINAL: 1024,
}
LISTS = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}


def of(model_type: str, **change: Any) -> dict[str, Any]:
    return {**LLAMA, "model_type": model_type, **change}


def without(key: str, **change: Any) -> dict[str, Any]:
    return {k: v for k, v in {**LLAMA, **change}.items() if k != key}


def scaled(**block: Any) -> dict[str, Any]:
    return {**LLAMA, "rope_scaling": block}


def found(config: dict[str, Any], *findings: Told) -> tuple[dict[str, Any], tuple[Told, ...]]:
    return config, findings


NO_BASE = (
    "PE103 warning rope_theta",
    "rope_theta is not given, so the base is 10000.",
    "Llama 1 and 2 mean that; most later models do not.",
)


def conflict(where: str, value: str, taken: str, instead: str) -> Told:
    return (
        f"PE104 error {where}",
        f"{where} is {value} but {taken} is {instead}.",
        f"transformers takes {taken}; others may not. Keep one of them.",
    )


def short_text(grown: str = "1.143") -> Told:
    grows = f", and rotated logits grow {grown} times" if grown else ""
    return (
        "PE117 note rope_scaling",
        f"Rule 'yarn' acts on short text too: slow pairs are slowed{grows}.",
        "Leave the block out for text within 2048 tokens.",
    )


def switch(length: int = 1024, rule: str = "longrope") -> Told:
    return (
        "PE116 note rope_scaling",
        f"Rule '{rule}' changes its frequencies past {length} tokens.",
        "Keys cached before that were turned by the old ones: turn them again from raw.",
    )
