"""Every sentence with which a config is refused, whole."""

from typing import Any

import pytest

from posenc.errors import EncodingTypeError, ReadError
from posenc.inspect import CODES, ConfigError, read

LLAMA = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "num_hidden_layers": 2,
    "max_position_embeddings": 4096,
    "rope_theta": 5e5,
}
YARN = {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 2048}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 1024,
}
LONGROPE = {
    "rope_type": "longrope",
    "short_factor": [1.0] * 32,
    "long_factor": [2.0] * 32,
    "original_max_position_embeddings": 1024,
}
RULES = "default, dynamic, linear, llama3, longrope, proportional, yarn"
FAMILIES = (
    "bloom, gemma, gemma2, gpt_neox, llama, mistral, mpt, mt5, olmo2, olmoe, phi, phi3, qwen2, "
    "qwen3, qwen3_moe, stablelm, starcoder2, t5, umt5"
)


def scaled(**block: Any) -> dict[str, Any]:
    return {"rope_scaling": block}


REFUSED = [
    # rule and block
    ("PE111", {"rope_scaling": 1}, "rope_scaling must be an object or null; got 1."),
    ("PE111", {"rope_parameters": [1]}, "rope_parameters must be an object or null; got [1]."),
    (
        "PE111",
        {"rope_parameters": {"full_attention": {"rope_theta": 1e6}}},
        "rope_parameters.full_attention must be a single value or a list; "
        "got {'rope_theta': 1000000.0}. llama has one rule for all layers.",
    ),
    (
        "PE111",
        {"rope_scaling": {f"k{i}": 1 for i in range(101)}},
        "rope_scaling must be an object of at most 100 keys; got 101.",
    ),
    ("PE111", scaled(rope_type=7), "rope_scaling.rope_type must be the name of a rule; got 7."),
    (
        "PE106",
        scaled(rope_type="yarm", factor=2),
        f"rope_scaling.rope_type must be one of {RULES}; got 'yarm'. The nearest is 'yarn'.",
    ),
    (
        "PE106",
        scaled(type="mrope"),
        f"rope_scaling.type must be one of {RULES}; got 'mrope'. "
        "Positions of several axes are not read yet.",
    ),
    (
        "PE106",
        scaled(type="su"),
        f"rope_scaling.type must be one of {RULES}; got 'su'. "
        "It is Phi-3's old name of 'longrope'.",
    ),
    ("PE106", scaled(type="xyzzy"), f"rope_scaling.type must be one of {RULES}; got 'xyzzy'."),
    # numbers
    ("PE111", {"rope_theta": "10000"}, "rope_theta must be a number; got '10000'."),
    ("PE111", {"rope_theta": True}, "rope_theta must be a number; got True."),
    ("PE111", {"rope_theta": float("nan")}, "rope_theta must be finite; got nan."),
    ("PE111", {"rope_theta": 1}, "rope_theta must be above 1; got 1."),
    (
        "PE111",
        {"rope_theta": [1, 2]},
        "rope_theta must be a single value of a sensible size; got [1, 2].",
    ),
    (
        "PE111",
        {"rope_theta": 10**400},
        "rope_theta must be a single value of a sensible size; got an integer of 1329 bits.",
    ),
    ("PE111", {"hidden_size": 512.5}, "hidden_size must be an integer; got 512.5."),
    ("PE111", {"hidden_size": 0}, "hidden_size must be at least 1; got 0."),
    (
        "PE111",
        {"num_hidden_layers": 1_000_000},
        "num_hidden_layers must be at most 10000; got 1000000.",
    ),
    (
        "PE111",
        scaled(**YARN, beta_fast=1e308),
        "Yarn.beta_fast must be at most 1000000000; got 1e+308.",
    ),
    (
        "PE111",
        scaled(rope_type="dynamic", factor=1e308),
        "DynamicNtk.factor must be at most 1000000000; got 1e+308.",
    ),
    ("PE111", scaled(**YARN, truncate=1), "rope_scaling.truncate must be True or False; got 1."),
    (
        "PE111",
        scaled(**YARN, beta_fast=1, beta_slow=4),
        "rope_scaling.beta_fast must be at least beta_slow 4; got 1.0. "
        "Pairs that turn more often than beta_fast are kept.",
    ),
    (
        "PE111",
        scaled(**{**LLAMA3, "high_freq_factor": 1}),
        "rope_scaling.high_freq_factor must be above low_freq_factor 1; got 1.0.",
    ),
    (
        "PE111",
        scaled(**{**LONGROPE, "original_max_position_embeddings": 1}),
        "rope_scaling.original_max_position_embeddings must be at least 2; got 1.",
    ),
    # missing, null, below 1
    (
        "PE110",
        scaled(type="linear"),
        "rope_scaling.factor must be given, as 'linear' needs it; got None.",
    ),
    (
        "PE110",
        scaled(type="linear", factr=2),
        "rope_scaling.factor must be given, as 'linear' needs it; got None. The block has 'factr'.",
    ),
    (
        "PE110",
        scaled(**YARN, truncate=None),
        "rope_scaling.truncate must be true or false; got None. Null means false to transformers.",
    ),
    (
        "PE108",
        scaled(type="linear", factor=0.25),
        "rope_scaling.factor must be at least 1; got 0.25.",
    ),
    (
        "PE108",
        scaled(type="yarn", factor=None, original_max_position_embeddings=8192),
        "rope_scaling.factor must be at least 1; got 0.5. "
        "It is max_position_embeddings / original_max_position_embeddings.",
    ),
    # lists
    (
        "PE109",
        scaled(**{**LONGROPE, "short_factor": [1.0] * 64}),
        "rope_scaling.short_factor must be of 32 numbers, one for each pair of the 64 channels "
        "that turn; got 64.",
    ),
    (
        "PE111",
        scaled(**{**LONGROPE, "long_factor": "1.0"}),
        "rope_scaling.long_factor must be a list of numbers; got '1.0'.",
    ),
    (
        "PE111",
        scaled(**{**LONGROPE, "long_factor": [1.0] * 31 + ["x"]}),
        "rope_scaling.long_factor[31] must be a number; got 'x'.",
    ),
    # heads
    (
        "PE112",
        {"model_type": "gpt_neox", "head_dim": 32},
        "head_dim must be hidden_size / num_attention_heads, 64, for gpt_neox; got 32. "
        "Attention there reads no other.",
    ),
    ("PE112", {"head_dim": 65}, "head_dim must be even; got 65. Channels turn in pairs."),
    (
        "PE112",
        {"hidden_size": 4},
        "hidden_size must be such that hidden_size / num_attention_heads, 8, is from 1 to 65536; "
        "got 4.",
    ),
    (
        "PE112",
        {"model_type": "phi", "partial_rotary_factor": 0.24},
        "partial_rotary_factor must be a share with an even number of channels; got 0.24. "
        "Of head_dim 64 it turns 15, and channels turn in pairs.",
    ),
    (
        "PE111",
        {"model_type": "t5", "relative_attention_num_buckets": 31},
        "T5Bias.buckets must be even and at least 4; got 31. Each direction has half of them.",
    ),
]


@pytest.mark.parametrize(("code", "change", "sentence"), REFUSED)
def test_sentence(code: str, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read({**LLAMA, **change})
    assert str(caught.value) == sentence
    assert caught.value.code == code
    assert code in CODES


@pytest.mark.parametrize("given", [None, "deepseek_v3", 7])
def test_an_unknown_family_is_told_those_that_are_read(given: object) -> None:
    with pytest.raises(ReadError) as caught:
        read({"model_type": given})
    wanted = f"model_type must be a family that is read so far ({FAMILIES}); got {given!r}."
    assert str(caught.value) == wanted


def test_a_source_of_the_wrong_kind() -> None:
    sentence = (
        "read(): source must be the path of a config.json, or its content as a mapping; got 3."
    )
    with pytest.raises(EncodingTypeError) as caught:
        read(3)  # type: ignore[arg-type]
    assert str(caught.value) == sentence


def test_a_long_value_is_quoted_short() -> None:
    with pytest.raises(ConfigError) as caught:
        read({**LLAMA, "rope_theta": {"k" * 5000: ["v" * 5000] * 50}})
    assert len(str(caught.value)) < 150
