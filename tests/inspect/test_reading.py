"""The record: its JSON, its evidence, and how far each encoding can be read."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from posenc.inspect import Group, Reading, read

CONFIGS = Path(__file__).parents[1] / "data" / "configs"
QWEN = CONFIGS / "Qwen__Qwen3-32B.yarn.json"
PHI = CONFIGS / "microsoft__Phi-4-mini-instruct.json"
LLAMA = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 5e5}


def group_of(source: Any) -> Group:
    return read(source).parts[0].groups[0]


def evidence(group: Group, field: str) -> list[tuple[Any, str, str]]:
    return [(e.value, e.how, e.key) for e in group.evidence if e.field == field]


def test_json_has_the_documented_shape() -> None:
    data = json.loads(json.dumps(read(QWEN).to_dict(), allow_nan=False))
    assert list(data) == ["source", "dialect", "parts", "findings"]
    assert data["source"] == str(QWEN)
    (part,) = data["parts"]
    assert list(part) == ["name", "token_scale", "groups"]
    (group,) = part["groups"]
    assert list(group) == [
        *("layers", "spec", "freqs", "attention_factor", "layout"),
        *("trained_length", "usable_length", "evidence"),
    ]
    assert group["layers"] == list(range(64))
    assert len(group["freqs"]) == 64
    assert group["attention_factor"] == pytest.approx(1.1386294361, rel=1e-10)
    assert posenc.from_dict(group["spec"]) == group_of(QWEN).spec
    assert list(group["evidence"][0]) == ["field", "value", "how", "key", "note"]
    assert {item["how"] for item in group["evidence"]} == {"given", "defaulted", "derived"}


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.stem)
def test_every_config_becomes_json_and_back(path: Path) -> None:
    reading = read(path)
    data = json.loads(json.dumps(reading.to_dict(length=70_001), allow_nan=False))
    for part, plain in zip(reading.parts, data["parts"], strict=True):
        for group, entry in zip(part.groups, plain["groups"], strict=True):
            assert posenc.from_dict(entry["spec"]) == group.spec
            if entry["freqs"] is not None:
                np.testing.assert_array_equal(entry["freqs"], group.freqs(70_001))


def test_the_record_is_frozen_and_comparable() -> None:
    reading = read(QWEN)
    assert reading == read(QWEN)
    assert hash(reading) == hash(read(QWEN))
    with pytest.raises(dataclasses.FrozenInstanceError):
        reading.source = "other"  # type: ignore[misc]


def test_length_chooses_the_long_factors() -> None:
    group = group_of(PHI)
    short, long = group.freqs(4096), group.freqs(4097)
    assert short is not None
    assert long is not None
    assert (short > long).sum() == 47
    np.testing.assert_array_equal(group.freqs(), short)
    assert group.to_dict(length=4097)["freqs"] == long.tolist()


@pytest.mark.parametrize(
    ("call", "where"),
    [("freqs", "Group.freqs()"), ("attention_factor", "Group.attention_factor()")],
)
def test_a_length_is_an_integer(call: str, where: str) -> None:
    with pytest.raises(posenc.EncodingError) as caught:
        getattr(group_of(PHI), call)(4096.5)
    assert str(caught.value) == f"{where}: length must be an integer; got 4096.5."


def test_a_bias_has_no_frequencies() -> None:
    data = read({"model_type": "bloom"}).to_dict(length=7)["parts"][0]["groups"][0]
    assert (data["freqs"], data["attention_factor"], data["layout"]) == (None, None, None)


def test_where_values_come_from() -> None:
    group = group_of(PHI)
    assert evidence(group, "dim") == [(96, "derived", "")]
    assert evidence(group, "share") == [(0.75, "given", "partial_rotary_factor")]
    assert evidence(group, "layout") == [("half", "derived", "model_type")]
    assert evidence(group, "scaling.trained_length") == [
        (4096, "given", "original_max_position_embeddings")
    ]
    assert evidence(group, "scaling.factor") == [(32.0, "derived", "max_position_embeddings")]
    spec = group.spec
    assert isinstance(spec, posenc.Rope)
    assert isinstance(spec.scaling, posenc.LongRope)
    given = (spec.scaling.short, "given", "rope_scaling.short_factor")
    assert evidence(group, "scaling.short") == [given]


def test_defaults_are_said_to_be_defaults() -> None:
    group = group_of({"model_type": "phi"})
    assert evidence(group, "share") == [(0.5, "defaulted", "")]
    assert evidence(group, "base") == [(10_000.0, "defaulted", "")]
    assert evidence(group, "max_position_embeddings") == [(2048, "defaulted", "")]
    assert evidence(group_of({"model_type": "gemma"}), "head_dim") == [(256, "defaulted", "")]


def test_what_does_not_count_is_said_to_be_ignored() -> None:
    group = group_of(
        {**LLAMA, "rope_parameters": {"rope_theta": 1e6}, "partial_rotary_factor": 0.5}
    )
    assert evidence(group, "base") == [
        (1e6, "given", "rope_parameters.rope_theta"),
        (5e5, "ignored", "rope_theta"),
    ]
    assert evidence(group, "share") == [(0.5, "ignored", "partial_rotary_factor")]


YARN = {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8,
    "low_freq_factor": 1,
    "high_freq_factor": 4,
    "original_max_position_embeddings": 2048,
}
LISTS = {"short_factor": [1] * 32, "long_factor": [2] * 32}


@pytest.mark.parametrize(
    ("block", "trained", "usable", "why"),
    [
        (
            None,
            *(4096, 4096),
            "the trained length: past it slow pairs reach angles that training never showed",
        ),
        (
            {"type": "linear", "factor": 4},
            *(4096, 4096),
            "max_position_embeddings; if that is the length before scaling, the factor times "
            "as far",
        ),
        ({"type": "dynamic", "factor": 4}, 4096, 16_384, "the trained length times the factor"),
        (YARN, 2048, 8192, "the trained length times the factor"),
        (
            LLAMA3,
            *(2048, 4096),
            "max_position_embeddings: such models are trained further with their rule",
        ),
        (
            {"type": "longrope", "original_max_position_embeddings": 1024, **LISTS},
            *(1024, 4096),
            "max_position_embeddings: such models are trained further with their rule",
        ),
    ],
)
def test_how_far_it_reads(
    block: dict[str, Any] | None, trained: int, usable: int, why: str
) -> None:
    group = group_of({**LLAMA, "max_position_embeddings": 4096, "rope_scaling": block})
    assert (group.trained_length, group.usable_length) == (trained, usable)
    notes = [e.note for e in group.evidence if e.field == "usable_length"]
    assert notes == [why]


def test_chunked_attention_is_no_longer_context_by_itself() -> None:
    group = group_of(CONFIGS / "Qwen__Qwen2.5-7B-Instruct-1M.json")
    assert (group.trained_length, group.usable_length) == (262_144, 262_144)


def test_how_far_a_bias_reads() -> None:
    bloom = group_of(CONFIGS / "bigscience__bloom-560m.json")
    assert (bloom.trained_length, bloom.usable_length) == (2048, None)
    mpt = group_of({"model_type": "mpt"})
    assert (mpt.trained_length, mpt.usable_length) == (2048, 2048)
    t5 = group_of(CONFIGS / "google-t5__t5-small.json")
    assert (t5.trained_length, t5.usable_length) == (None, None)
    assert evidence(t5, "trained_length") == [(512, "ignored", "n_positions")]


def test_tokens_are_scaled_by_gemma_alone() -> None:
    assert read(CONFIGS / "google__gemma-2-2b-it.json").parts[0].token_scale == 48.0
    assert read(QWEN).parts[0].token_scale == 1.0


def test_t5_tables_and_scale() -> None:
    t5, umt5 = group_of({"model_type": "t5"}), group_of({"model_type": "umt5"})
    assert evidence(t5, "tables") == [(1, "derived", "model_type")]
    assert evidence(umt5, "tables") == [(8, "derived", "model_type")]
    assert evidence(t5, "scale") == [(1.0, "derived", "model_type")]


def test_t5_stacks() -> None:
    config = {"model_type": "t5", "num_layers": 3, "num_decoder_layers": 5, "num_heads": 6}
    encoder, decoder = read(config).parts
    assert (encoder.name, encoder.groups[0].layers) == ("encoder", (0, 1, 2))
    assert (decoder.name, decoder.groups[0].layers) == ("decoder", (0, 1, 2, 3, 4))
    assert encoder.groups[0].spec == posenc.T5Bias(heads=6, bidirectional=True)
    assert decoder.groups[0].spec == posenc.T5Bias(heads=6, bidirectional=False)
    alone = read({**config, "architectures": ["T5EncoderModel"]})
    assert [part.name for part in alone.parts] == ["encoder"]


@pytest.mark.parametrize(
    ("change", "dialect"),
    [
        ({}, "huggingface-legacy"),
        ({"rope_theta": None, "rope_scaling": {"type": "default"}}, "huggingface-legacy"),
        ({"rope_theta": None, "rope_parameters": {"rope_theta": 1e6}}, "huggingface-v5"),
        ({"rope_theta": None, "rope_scaling": None}, "huggingface"),
        ({"model_type": "bloom"}, "huggingface"),
    ],
)
def test_dialect(change: dict[str, Any], dialect: str) -> None:
    assert read({**LLAMA, **change}).dialect == dialect


def test_a_proportional_rule_keeps_the_whole_head() -> None:
    block = {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}
    group = group_of({**LLAMA, "head_dim": 512, "rope_parameters": block})
    freqs = group.freqs()
    assert freqs is not None
    assert (len(freqs), np.count_nonzero(freqs)) == (256, 64)
    assert freqs[1] == pytest.approx(0.9474635, rel=1e-6)


def test_reading_changes_nothing_of_its_source() -> None:
    config = {**LLAMA, "rope_scaling": dict(YARN)}
    before = json.dumps(config)
    assert isinstance(read(config), Reading)
    assert json.dumps(config) == before


def test_the_repr_is_a_summary() -> None:
    config = {"model_type": "mpt", "n_heads": 4, "n_layers": 2, "max_seq_len": 256}
    assert repr(read(config)) == (
        "Reading of mapping (huggingface)\n"
        "  text: 2 layers of Alibi(heads=4), "
        "trained to 256, usable to 256"
    )
