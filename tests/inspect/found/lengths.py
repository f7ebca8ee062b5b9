"""Factors, lengths, and what a rule does to short and long text."""

from __future__ import annotations

from .finding import LENGTH, LISTS, LLAMA3, ORIGINAL, YARN, found, of, scaled, short_text, switch

NOT_RAISED = (
    f"PE107 note {LENGTH}",
    f"{LENGTH} is still 2048, while the rule reaches 4096.",
    f"Engines that stop at {LENGTH} need it raised.",
)
FOUND = [
    # factors and lengths
    found(
        scaled(**{**YARN, "factor": 4.0}),
        (
            "PE107 warning rope_scaling.factor",
            f"The factor is 4, but {LENGTH} / {ORIGINAL} is 2.",
            "The factor counts: it reaches 8192. transformers before 4.56 took the ratio.",
        ),
        short_text(grown="1.296"),
    ),
    found(of("llama", max_position_embeddings=2048, rope_scaling=YARN), NOT_RAISED, short_text()),
    found(
        of(
            "llama",
            max_position_embeddings=512,
            rope_scaling={"rope_type": "longrope", **LISTS, ORIGINAL: 1024},
        ),
        (
            f"PE107 warning {LENGTH}",
            f"{LENGTH}, 512, is shorter than {ORIGINAL}, 1024.",
            "The attention factor is then 1.",
        ),
        switch(),
    ),
    found(
        scaled(rope_type="longrope", **LISTS, **{ORIGINAL: 1024}, factor=8),
        (
            "PE107 warning rope_scaling.factor",
            f"The factor is 8, but {LENGTH} / {ORIGINAL} is 4.",
            "The factor counts: it sets the attention factor alone. "
            "transformers before 4.56 took the ratio.",
        ),
        switch(),
    ),
    found(scaled(**YARN, attention_factor=1.0), short_text(grown="")),
    found(
        scaled(**{**LLAMA3, ORIGINAL: 4096}),
        (
            f"PE107 warning rope_scaling.{ORIGINAL}",
            f"{ORIGINAL} is 4096, and {LENGTH}, 4096, is no longer.",
            "The rule has nothing to extend: one of the two is wrong.",
        ),
    ),
    found(
        of("llama", max_position_embeddings=2048, rope_scaling={"type": "yarn", "factor": 2}),
        (
            f"PE115 warning rope_scaling.{ORIGINAL}",
            f"{ORIGINAL} is not given, so {LENGTH}, 2048, stands for it.",
            "The rule starts from the length before extension: state it.",
        ),
        NOT_RAISED,
        short_text(),
    ),
    # what a rule does besides
    found(scaled(type="dynamic", factor=2), switch(4096, rule="dynamic")),
]
