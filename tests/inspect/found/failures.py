"""What is clear, and yet fails in transformers."""

from __future__ import annotations

from .finding import LENGTH, LISTS, ORIGINAL, YARN, found, of, scaled, short_text, switch

FOUND = [
    found(
        of("llama", hidden_size=514),
        (
            "PE114 warning hidden_size",
            "hidden_size 514 is no multiple of 8 heads, which transformers refuses.",
            "Correct one of the two.",
        ),
    ),
    found(
        of("qwen3", head_dim=None),
        (
            "PE114 warning head_dim",
            "head_dim is null, which transformers 5.24 refuses for qwen3.",
            "Leave the key out.",
        ),
    ),
    found(
        of("qwen2", head_dim=None, rope_scaling=YARN),
        (
            "PE114 warning head_dim",
            "head_dim is null, on which transformers 5.24 fails with rule 'yarn'.",
            "Leave the key out.",
        ),
        short_text(),
    ),
    found(
        of("phi3", rope_scaling={"type": "linear", "factor": 2}),
        (
            "PE114 warning rope_scaling",
            "phi3 in transformers 5.24 does not run with rule 'linear'.",
            "It runs with default, longrope.",
        ),
    ),
    found(
        of("phi3", rope_scaling={"type": "su", **LISTS}, original_max_position_embeddings=1024),
        (
            "PE114 warning rope_scaling",
            "transformers 5.24 refuses rule 'su' unless rope_scaling has the original length.",
            "Write 'longrope', which means the same.",
        ),
        switch(),
    ),
    found(
        scaled(type="yarn", original_max_position_embeddings=2048),
        (
            "PE114 warning rope_scaling.factor",
            "rope_scaling.factor is missing, which transformers 5.24 refuses.",
            f"Here it is read as null is: 2, the ratio of {LENGTH} to {ORIGINAL}.",
        ),
        short_text(),
    ),
]
