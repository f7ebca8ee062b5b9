"""Faults that readers of such configs have shipped, by public report; each read right here."""

from typing import Any

import numpy as np
import pytest

import posenc
from posenc.inspect import Reading, read

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 4096,
    "rope_theta": 1e4,
}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def rope(config: dict[str, Any]) -> posenc.Rope:
    spec = read(config).parts[0].groups[0].spec
    assert isinstance(spec, posenc.Rope)
    return spec


def codes(reading: Reading) -> set[str]:
    return {finding.code for finding in reading.findings}


def yarn(factor: float, **block: Any) -> dict[str, Any]:
    rule = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": 4096}
    return {
        **LLAMA,
        "max_position_embeddings": int(4096 * factor),
        "rope_scaling": {**rule, **block},
    }


def test_the_old_key_of_the_rule_alone() -> None:
    """huggingface/transformers#32166, #32167, #32916; vllm-project/vllm#6897."""
    reading = read({**LLAMA, "rope_scaling": {"type": "linear", "factor": 2.0}})
    assert reading.parts[0].groups[0].spec == posenc.Rope(
        dim=128, layout="half", scaling=posenc.Linear(factor=2)
    )
    assert reading.findings == ()


def test_the_new_key_of_the_rule_alone() -> None:
    """microsoft/KBLaM#37, tenstorrent/tt-metal#26136."""
    config = {**LLAMA, "max_position_embeddings": 131_072, "rope_scaling": LLAMA3}
    assert isinstance(rope(config).scaling, posenc.Llama3)
    assert read(config).findings == ()


def test_two_rule_names_that_differ_are_no_secret() -> None:
    """The same reports: transformers 5.24 takes ``rope_type`` without a word."""
    both = {"type": "yarn", "rope_type": "linear", "factor": 2.0}
    config = {**LLAMA, "rope_scaling": both}
    assert rope(config).scaling == posenc.Linear(factor=2)
    assert codes(read(config)) == {"PE105"}


@pytest.mark.parametrize("kind", [int, float, np.int32, np.int64, np.float32, np.float64])
def test_integers_and_floats_are_equal(kind: type) -> None:
    """meta-llama/llama3#319, #299; huggingface/transformers#37134."""
    config = yarn(kind(40), beta_fast=kind(32), beta_slow=kind(1))
    assert read(config) == read(yarn(40.0, beta_fast=32.0, beta_slow=1.0))
    assert read(config).parts[0].groups[0].attention_factor() == pytest.approx(1.3688879454)


@pytest.mark.parametrize("empty", [None, {}])
def test_null_and_empty_mean_unscaled(empty: object) -> None:
    """huggingface/transformers#32167."""
    assert rope({**LLAMA, "rope_scaling": empty}) == rope(LLAMA)


def test_a_container_of_the_wrong_kind_is_named() -> None:
    """huggingface/transformers#32167."""
    with pytest.raises(posenc.EncodingError, match=r"^rope_scaling must be an object"):
        read({**LLAMA, "rope_scaling": 1})


def test_companion_keys_are_not_alarming() -> None:
    """QwenLM/Qwen3-VL#209, QwenLM/Qwen2.5-Omni#373, sgl-project/sglang#2943."""
    block = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [16, 24, 24]}
    reading = read({**LLAMA, "rope_parameters": block})
    assert [(f.code, f.severity) for f in reading.findings] == [("PE102", "note")]


def test_a_block_that_is_not_empty_need_not_scale() -> None:
    """ROCm/aiter#4742."""
    block = {"rope_type": "default", "rope_theta": 1e6}
    assert rope({**LLAMA, "rope_theta": None, "rope_scaling": block}) == posenc.Rope(
        dim=128, layout="half", base=1e6
    )


@pytest.mark.parametrize(
    ("base", "second", "last"),
    [
        (1e4, 0.8659643234, 1.154782e-4),
        (5e5, 0.8146172339, 2.455141e-6),
        (1e6, 0.8058421878, 1.240938e-6),
    ],
)
def test_the_base_inside_the_block(base: float, second: float, last: float) -> None:
    """deepspeedai/DeepSpeed#8345, sgl-project/sglang#14745, vllm-project/vllm#28542."""
    config = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
    config["rope_parameters"] = {"rope_theta": base, "rope_type": "default"}
    freqs = rope(config).frequencies()
    assert freqs[1] == pytest.approx(second, rel=1e-9)
    assert freqs[63] == pytest.approx(last, rel=1e-6)


def test_the_usual_base_and_no_base_are_told_apart() -> None:
    """ggml-org/llama.cpp#3401."""
    assert codes(read(LLAMA)) == set()
    absent = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
    assert codes(read(absent)) == {"PE103"}
    assert rope(absent) == rope(LLAMA)
    group = read(absent).parts[0].groups[0]
    assert [e.how for e in group.evidence if e.field == "base"] == ["defaulted"]


def test_the_ramp_starts_from_the_original_length_alone() -> None:
    """NVIDIA/Megatron-LM#1418."""
    config = yarn(40)
    assert config["max_position_embeddings"] == 163_840
    assert rope(config).scaling == posenc.Yarn(factor=40, trained_length=4096)
    low, high = rope(config).scaling.band(128, 1e4)  # type: ignore[attr-defined]
    assert (low, high) == (20, 46)


@pytest.mark.parametrize("alias", ["rotary_base", "rotary_emb_base", "rope_base", "theta", "base"])
def test_two_names_of_the_base_that_differ(alias: str) -> None:
    """PaddlePaddle/PaddleFleet#2026."""
    (finding,) = read({**LLAMA, alias: 5e5}).findings
    assert (finding.code, finding.severity) == ("PE104", "error")
    assert finding.message == f"{alias} is 500000 but rope_theta is 10000.0."
    assert read({**LLAMA, alias: 1e4}).findings == ()


def test_lengths_of_more_than_sixteen_bits() -> None:
    """panbanda/higgs#31."""
    block = {"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 163_840}
    config = {**LLAMA, "max_position_embeddings": 327_680, "rope_scaling": block}
    group = read(config).parts[0].groups[0]
    assert (group.trained_length, group.usable_length) == (163_840, 327_680)


@pytest.mark.parametrize(
    ("factor", "magnitude"),
    [
        (4, 1.1386294361),
        (8, 1.2079441542),
        (16, 1.2772588722),
        (32, 1.3465735903),
        (40, 1.3688879454),
        (64, 1.4158883083),
        (128, 1.4852030264),
    ],
)
def test_the_magnitude_is_formed_once(factor: float, magnitude: float) -> None:
    """NVIDIA/TensorRT-LLM#16379, sgl-project/sglang#33558: not of itself, and not squared."""
    group = read(yarn(factor)).parts[0].groups[0]
    assert group.attention_factor() == pytest.approx(magnitude, rel=1e-10)
    stated = read(yarn(factor, attention_factor=magnitude)).parts[0].groups[0]
    assert stated.attention_factor() == magnitude


def test_two_mscales_make_a_ratio_and_one_makes_nothing() -> None:
    """turboderp-org/exllamav3#259, sgl-project/sglang#22711, ggml-org/llama.cpp#17945."""
    both = read(yarn(16, mscale=1, mscale_all_dim=1))
    assert both.parts[0].groups[0].attention_factor() == 1.0
    one = read(yarn(40, mscale=0.707))
    assert one.parts[0].groups[0].attention_factor() == pytest.approx(1.3688879454, rel=1e-10)
    assert "PE102" in codes(one)


@pytest.mark.parametrize(("truncate", "entry_16"), [(False, 1.0), (True, 1.27)])
def test_the_ramp_is_rounded_only_if_told(truncate: bool, entry_16: float) -> None:
    """vllm-project/vllm#28244."""
    config = yarn(32, truncate=truncate)
    config |= {"head_dim": 64, "rope_theta": 150_000}
    scaling = rope(config).scaling
    assert isinstance(scaling, posenc.Yarn)
    bounds = (8, 18) if truncate else (8.092779115512, 17.398024501589)
    assert scaling.band(64, 150_000) == pytest.approx(bounds, rel=1e-12)
    exact = rope({**config, "rope_scaling": {**config["rope_scaling"], "truncate": False}})
    ratio = rope(config).frequencies()[16] / exact.frequencies()[16]
    assert ratio == pytest.approx(entry_16, abs=0.005)


def test_fast_pairs_keep_the_frequencies_of_the_given_base() -> None:
    """paiml/aprender#2161."""
    scaled, plain = rope(yarn(40)).frequencies(), rope(LLAMA).frequencies()
    np.testing.assert_array_equal(scaled[:21], plain[:21])
    np.testing.assert_allclose(scaled[46:], plain[46:] / 40, rtol=1e-12)


@pytest.mark.parametrize(
    ("length", "base"),
    [(512, 1000), (2048, 1000), (2049, 1001.008), (4096, 3108.2236667), (8192, 7453.4830318)],
)
def test_a_dynamic_rule_depends_on_the_length(length: int, base: float) -> None:
    """vllm-project/vllm#41236, #52665: neither a constant, nor a negative base below."""
    config = {
        **LLAMA,
        "head_dim": 64,
        "rope_theta": 1000,
        "max_position_embeddings": 2048,
        "rope_scaling": {"type": "dynamic", "factor": 2.0},
    }
    freqs = rope(config).frequencies(length)
    np.testing.assert_allclose(freqs, base ** -(np.arange(32) / 32), rtol=2e-6)


def test_no_scaling_is_no_scaling() -> None:
    """ml-explore/mlx-lm#1553: positions were doubled by default."""
    assert rope(LLAMA).scaling == posenc.Unscaled()
    assert rope(LLAMA).frequencies()[0] == 1.0


@pytest.mark.parametrize(
    ("model_type", "share"), [("phi", 0.5), ("stablelm", 0.25), ("gpt_neox", 0.25), ("phi3", 1.0)]
)
def test_the_share_that_turns_is_a_default_of_the_family(model_type: str, share: float) -> None:
    """ml-explore/mlx-lm#1698."""
    config = {"model_type": model_type, "hidden_size": 4096, "num_attention_heads": 32}
    assert rope(config).dim == 128 * share
    group = read(config).parts[0].groups[0]
    assert [(e.value, e.how) for e in group.evidence if e.field == "share"] == [
        (share, "defaulted")
    ]


def test_factor_lists_are_as_long_as_the_channels_that_turn() -> None:
    """apache/tvm#18102, mlc-ai/mlc-llm#3268."""
    block = {"type": "longrope", "short_factor": [1.0] * 64, "long_factor": [1.0] * 64}
    config = {**LLAMA, "model_type": "phi3", "partial_rotary_factor": 0.75, "rope_scaling": block}
    with pytest.raises(posenc.EncodingError, match=r"must be of 48 numbers.*; got 64\.$"):
        read(config)


def test_the_ratio_of_the_lengths_does_not_override_the_factor() -> None:
    """huggingface/transformers#38224."""
    config = {**yarn(4), "max_position_embeddings": 5120}
    assert rope(config).scaling == posenc.Yarn(factor=4, trained_length=4096)
    assert "PE107" in codes(read(config))


def test_a_null_head_size_is_no_head_size() -> None:
    """huggingface/transformers 5.24: ``getattr`` does not see that it is null."""
    config = {**yarn(4), "model_type": "qwen2"}
    assert rope({**config, "head_dim": None}) == rope(config)
    assert "PE114" in codes(read({**config, "head_dim": None}))
