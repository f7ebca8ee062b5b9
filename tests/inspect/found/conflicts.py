"""A base that is missing, and one thing said twice."""

from __future__ import annotations

from .finding import (
    LENGTH,
    LISTS,
    NEOX,
    NO_BASE,
    ORIGINAL,
    YARN,
    conflict,
    found,
    of,
    scaled,
    short_text,
    switch,
    without,
)

FOUND = [
    # the base
    found(without("rope_theta"), NO_BASE),
    found(
        of("llama", rope_theta=None),
        NO_BASE,
        (
            "PE110 warning rope_theta",
            "rope_theta is null, which reads as absent.",
            "Leave the key out, or give it a value.",
        ),
    ),
    # one thing said twice
    found(
        of("llama", rope_parameters={"rope_theta": 1e4}),
        conflict("rope_theta", "500000.0", "rope_parameters.rope_theta", "10000.0"),
    ),
    found(of("llama", rotary_base=1e4), conflict("rotary_base", "10000", "rope_theta", "500000.0")),
    found(
        without("rope_theta", rotary_base=5e5),
        conflict("rotary_base", "500000", "the default of rope_theta", "10000.0"),
        NO_BASE,
    ),
    found(
        {**NEOX, "rope_theta": 5e5}, conflict("rope_theta", "500000", "rotary_emb_base", "10000.0")
    ),
    found(
        {**NEOX, "partial_rotary_factor": 0.5},
        conflict("partial_rotary_factor", "0.5", "rotary_pct", "0.25"),
    ),
    found(
        of("phi", rotary_dim=16),
        conflict("rotary_dim", "16", "the default of partial_rotary_factor times head_dim", "32"),
    ),
    found(of("llama", n_positions=2048), conflict("n_positions", "2048", LENGTH, "4096")),
    found(
        {**scaled(type="linear", factor=2), "rope_parameters": {"rope_type": "default"}},
        conflict(
            "rope_parameters",
            "{'rope_type': 'default'}",
            "rope_scaling",
            "{'factor': 2, 'type': 'linear'}",
        ),
    ),
    found(
        {**scaled(**{**YARN, ORIGINAL: 1024}), ORIGINAL: 2048},
        conflict(f"rope_scaling.{ORIGINAL}", "1024", ORIGINAL, "2048"),
        short_text(),
    ),
    found(
        {**scaled(type="longrope", **LISTS, **{ORIGINAL: 2048}), "model_type": "phi3"},
        conflict(f"rope_scaling.{ORIGINAL}", "2048", f"the default of {ORIGINAL}", "4096"),
        switch(4096),
    ),
    found(
        scaled(type="yarn", rope_type="linear", factor=2),
        (
            "PE105 error rope_scaling.type",
            "rope_scaling.type is 'yarn' but rope_scaling.rope_type is 'linear'.",
            "transformers takes rope_type; older readers know type alone. Keep one of them.",
        ),
    ),
    found(
        scaled(type="linear", rope_type=None, factor=2),
        (
            "PE110 warning rope_scaling.rope_type",
            "rope_scaling.rope_type is null, which reads as absent.",
            "Leave the key out, or name a rule.",
        ),
    ),
]
