"""Keys that nothing reads, or that this class of models passes over."""

from __future__ import annotations

from .finding import LENGTH, NO_BASE, ORIGINAL, YARN, found, of, scaled, short_text, without

FOUND = [
    # keys that nothing reads
    found(
        scaled(**YARN, beta_fst=16),
        (
            "PE101 warning rope_scaling.beta_fst",
            "rope_scaling.beta_fst is not read; 'beta_fast' is the nearest key that is.",
            "Spell it 'beta_fast', or drop it.",
        ),
        short_text(),
    ),
    found(
        without("rope_theta", rope_thetta=5e5),
        (
            "PE101 warning rope_thetta",
            "rope_thetta is not read; 'rope_theta' is the nearest key that is.",
            "Spell it 'rope_theta', or drop it.",
        ),
        NO_BASE,
    ),
    found(
        scaled(type="linear", factor=2, wibble=1),
        (
            "PE102 warning rope_scaling.wibble",
            "rope_scaling.wibble is not read: rule 'linear' has no such key.",
            "It reads factor.",
        ),
    ),
    found(
        scaled(factor=8.0),  # no rule is named, so nothing is scaled
        (
            "PE102 warning rope_scaling.factor",
            "rope_scaling.factor is not read: rule 'default' has no such key.",
            "It reads the base alone.",
        ),
    ),
    found(
        scaled(type="linear", factor=2, original_max_position_embeddings=2048),
        (
            f"PE102 note rope_scaling.{ORIGINAL}",
            f"rope_scaling.{ORIGINAL} is not read: rule 'linear' has no such key.",
            "It reads factor.",
        ),
    ),
    found(
        scaled(**YARN, mscale=1.0),
        (
            "PE102 warning rope_scaling.mscale",
            "rope_scaling.mscale is not read without mscale_all_dim.",
            "Other engines take 1 for a missing mscale, and 0 for a missing mscale_all_dim.",
        ),
        short_text(),
    ),
    # keys that this class passes over
    found(
        of("llama", partial_rotary_factor=0.5),
        (
            "PE113 warning partial_rotary_factor",
            "partial_rotary_factor is 0.5, but llama turns the whole head.",
            "Drop the key.",
        ),
    ),
    found(
        scaled(type="linear", factor=2, partial_rotary_factor=0.5),
        (
            "PE113 warning rope_scaling.partial_rotary_factor",
            "rope_scaling.partial_rotary_factor is 0.5, but llama turns the whole head.",
            "Drop the key. With rule 'linear' transformers 5.24 fails on it.",
        ),
    ),
    found(
        without(LENGTH, n_positions=2048),
        (
            "PE113 warning n_positions",
            f"n_positions stands for {LENGTH}, the only one that llama reads.",
            f"Add {LENGTH}: without it transformers takes 2048.",
        ),
    ),
    found(
        of("qwen2", dual_chunk_attention_config={ORIGINAL: 1024}),
        (
            "PE113 warning dual_chunk_attention_config",
            "dual_chunk_attention_config is not read by transformers, which turns all "
            "distances alike.",
            "Without an engine that reads it, text is safe up to 1024 tokens.",
        ),
    ),
    found(
        {"model_type": "mpt", "attn_config": {"alibi": False, "alibi_bias_max": 16}},
        (
            "PE113 error attn_config.alibi",
            "attn_config.alibi is False, but transformers reads it as True.",
            "MosaicML's own code obeys it, so the two differ.",
        ),
        (
            "PE113 error attn_config.alibi_bias_max",
            "attn_config.alibi_bias_max is 16, but transformers reads it as 8.",
            "MosaicML's own code obeys it, so the two differ.",
        ),
    ),
]
