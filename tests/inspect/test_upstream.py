"""What is said of transformers, asked of the installed transformers."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from posenc.inspect import ConfigError, read
from posenc.inspect._families import FAMILIES, Biased, Rotary

pytestmark = pytest.mark.upstream

CONFIGS = Path(__file__).parents[1] / "data" / "configs"
ROTARY = {name: family for name, family in FAMILIES.items() if isinstance(family, Rotary)}
BIASED = {name: family for name, family in FAMILIES.items() if isinstance(family, Biased)}
SMALL = {
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 1,
    "intermediate_size": 16,
    "vocab_size": 16,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
    "max_position_embeddings": 256,
}
LISTS = {"short_factor": [1.0 + i for i in range(8)], "long_factor": [2.0 + i for i in range(8)]}
ORIGINAL = "original_max_position_embeddings"


def module(model_type: str) -> Any:
    return importlib.import_module(f"transformers.models.{model_type}.modeling_{model_type}")


def loaded(config: dict[str, Any], folder: Path) -> Any:
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return transformers.AutoConfig.from_pretrained(folder)


def rotary_class(model_type: str) -> Any:
    names = [name for name in vars(module(model_type)) if name.endswith("RotaryEmbedding")]
    return getattr(module(model_type), names[0])


def upstream(config: dict[str, Any], folder: Path, length: int | None) -> tuple[Any, float]:
    """Frequencies and factor of the model's own rotary class, in a run of ``length`` tokens."""
    rotary = rotary_class(config["model_type"])(loaded(config, folder))
    if length is not None:
        rotary(torch.zeros(1), torch.tensor([[length - 1]]))
    return rotary.inv_freq.numpy(), rotary.attention_scaling


def runs(config: dict[str, Any], folder: Path, tokens: int = 9) -> None:
    model = transformers.AutoModel.from_config(loaded(config, folder))
    model(torch.zeros(1, tokens, dtype=torch.int64))


@pytest.mark.parametrize("model_type", ROTARY)
def test_rotary_defaults(model_type: str) -> None:
    family, config = ROTARY[model_type], transformers.AutoConfig.for_model(model_type)
    assert family.hidden == config.hidden_size
    assert family.heads == config.num_attention_heads
    assert family.layers == config.num_hidden_layers
    assert family.length == config.max_position_embeddings
    assert family.trained == getattr(config, ORIGINAL, None)
    assert family.share == config.rope_parameters.get("partial_rotary_factor")
    assert config.rope_parameters["rope_theta"] == 10_000
    shared = family.hidden // family.heads
    assert (family.head_dim or shared) == (getattr(config, "head_dim", None) or shared)


@pytest.mark.parametrize("model_type", BIASED)
def test_bias_defaults(model_type: str) -> None:
    family, config = BIASED[model_type], transformers.AutoConfig.for_model(model_type)
    assert family.heads == config.num_attention_heads
    assert family.layers == config.num_hidden_layers
    for key, value in [(family.heads_keys[0], 3), (family.layers_keys[0], 5)]:
        own = transformers.AutoConfig.for_model(model_type, **{key: value})
        assert value in (own.num_attention_heads, own.num_hidden_layers)
    if family.length is not None:
        assert family.length == getattr(config, family.length_key)
    if family.bias == "t5":
        assert config.relative_attention_num_buckets == 32
        assert config.relative_attention_max_distance == 128


@pytest.mark.parametrize("model_type", ROTARY)
def test_layout(model_type: str) -> None:
    turned = module(model_type).rotate_half(torch.arange(1.0, 7.0))
    assert turned.tolist() == [-4, -5, -6, 1, 2, 3]
    assert ROTARY[model_type].layout == "half"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.stem)
def test_goldens_are_those_of_the_installed_version(path: Path, tmp_path: Path) -> None:
    config = json.loads(path.read_text("utf-8"))
    golden = json.loads((path.parent / "golden" / path.name).read_text("utf-8"))
    if golden["status"] == "refused":
        with pytest.raises(KeyError, match=ORIGINAL):
            loaded(config, tmp_path)
        return
    for case in golden["cases"]:
        if "inv_freq" in case:
            freqs, factor = upstream(config, tmp_path, case["seq_len"])
            np.testing.assert_allclose(freqs, case["inv_freq"], rtol=1e-7)
            assert factor == pytest.approx(case["attention_scaling"], rel=1e-12)


BLOCKS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "linear": {"type": "linear", "factor": 3},
    "dynamic": {"rope_type": "dynamic", "factor": 2.5},
    "yarn": {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 64},
    "yarn-null": {"rope_type": "yarn", "factor": None, ORIGINAL: 64, "beta_fast": None},
    "yarn-no-original": {"rope_type": "yarn", "factor": 2},
    "yarn-all": {
        "rope_type": "yarn",
        "factor": 8,
        ORIGINAL: 64,
        "truncate": False,
        "mscale": 0.7,
        "mscale_all_dim": 0.5,
        "beta_fast": 8,
        "beta_slow": 2,
    },
    "yarn-factor": {"rope_type": "yarn", "factor": 8, ORIGINAL: 64, "attention_factor": 1.25},
    "llama3": {
        "rope_type": "llama3",
        "factor": 8,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
        ORIGINAL: 64,
    },
    "longrope": {"type": "longrope", ORIGINAL: 64, **LISTS},
    "longrope-factor": {"type": "longrope", ORIGINAL: 64, **LISTS, "factor": 3.0},
    "longrope-no-original": {"type": "longrope", **LISTS, "attention_factor": 1.1},
    "both-names": {"type": "yarn", "rope_type": "linear", "factor": 2},
    "own-base": {"rope_type": "linear", "factor": 2, "rope_theta": 5000.0},
}
PLACES: dict[str, dict[str, Any]] = {
    "plain": {},
    "base": {"rope_theta": 123_456.0, "rotary_emb_base": 7777},
    "head": {"head_dim": 16},
    "original-outside": {ORIGINAL: 32},
    "share": {"partial_rotary_factor": 0.5, "rotary_pct": 0.75},
}


def cases(model_type: str, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every block in a small config, but those on which the model class fails (see below)."""
    family, config = ROTARY[model_type], {"model_type": model_type, **SMALL, **PLACES[place]}
    if family.head_dim is not None:
        config["head_dim"] = 16
    share = family.share
    if place == "share":
        share = config.get(family.share_key) if share is not None else None
    for name, block in BLOCKS.items():
        rule = (block or {}).get("rope_type") or (block or {}).get("type") or "default"
        if family.rules is not None and rule not in family.rules:
            continue
        if place == "share" and share is None and rule != "default":
            continue
        if block is None:
            yield name, config
            continue
        pairs = int(16 * (share or 1)) // 2
        cut = {key: value[:pairs] if key in LISTS else value for key, value in block.items()}
        key = "rope_parameters" if "rope_type" in block else "rope_scaling"
        yield name, {**config, key: cut}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model_type", ROTARY)
def test_any_config_reads_as_the_model_class_does(
    model_type: str, place: str, tmp_path: Path
) -> None:
    read_so_far = 0
    for name, config in cases(model_type, place):
        group = read(config).parts[0].groups[0]
        for length in (None, 32, 256, 257, 1024):
            freqs, factor = upstream(config, tmp_path, length)
            # Upstream forms these in single precision, and its rounding adds up.
            np.testing.assert_allclose(group.freqs(length), freqs, rtol=2e-6, err_msg=name)
            assert group.attention_factor(length) == pytest.approx(factor, rel=1e-7), name
        read_so_far += 1
    assert read_so_far >= 1


YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 64}
FAILS = {
    "su": {
        "model_type": "phi3",
        ORIGINAL: 64,
        "rope_scaling": {"type": "su", **LISTS},
    },
    "phi3-linear": {"model_type": "phi3", "rope_scaling": {"type": "linear", "factor": 2}},
    "no-factor": {"model_type": "llama", "rope_scaling": {"type": "yarn", ORIGINAL: 64}},
    "qwen3-null": {"model_type": "qwen3", "head_dim": None},
    "gemma-null": {"model_type": "gemma", "head_dim": None},
    **{
        f"{name}-null-yarn": {"model_type": name, "head_dim": None, "rope_scaling": YARN}
        for name, family in ROTARY.items()
        if not family.fills_head_dim and family.head_dim is None and name != "phi3"
    },
    **{
        f"{name}-divides": {"model_type": name, "hidden_size": 66}
        for name, family in ROTARY.items()
        if family.divides
    },
    **{
        f"{name}-proportional": {
            "model_type": name,
            "rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 0.5},
        }
        for name in ("phi", "stablelm", "phi3")
    },
}


@pytest.mark.parametrize("case", FAILS)
def test_what_is_said_to_fail_fails_and_is_found(case: str, tmp_path: Path) -> None:
    config = {**SMALL, "head_dim": 16, **FAILS[case]}
    if case.endswith("-divides"):
        config["head_dim"] = 16
    assert "PE114" in {finding.code for finding in read(config).findings}
    with pytest.raises(Exception):  # noqa: B017, PT011 - of whatever kind
        runs(config, tmp_path)


@pytest.mark.parametrize("model_type", [n for n, f in ROTARY.items() if f.share is None])
def test_a_share_that_the_class_does_not_read(model_type: str, tmp_path: Path) -> None:
    config = {"model_type": model_type, **SMALL, "head_dim": 16, "partial_rotary_factor": 0.5}
    runs(config, tmp_path)
    with pytest.raises(RuntimeError):
        runs({**config, "rope_scaling": {"type": "linear", "factor": 2}}, tmp_path)
    (finding,) = (f for f in read(config).findings if f.code == "PE113")
    assert finding.where == "partial_rotary_factor"


def test_a_head_size_that_attention_does_not_read(tmp_path: Path) -> None:
    config = {**SMALL, "head_dim": 32}  # against heads of 16
    with pytest.raises(RuntimeError):
        runs({"model_type": "stablelm", **config}, tmp_path)
    runs({"model_type": "gpt_neox", **config}, tmp_path)  # and turns 8 channels, not 4
    for model_type in ("stablelm", "gpt_neox"):
        with pytest.raises(ConfigError, match=r"^head_dim must be"):
            read({"model_type": model_type, **config})


@pytest.mark.parametrize("model_type", ["llama", "gpt_neox"])
@pytest.mark.parametrize("share", [{}, {"partial_rotary_factor": 0.5}], ids=["usual", "half"])
@pytest.mark.parametrize("place", ["rope_parameters", "rope_scaling"])
def test_a_proportional_rule_runs(model_type: str, share, place: str, tmp_path: Path) -> None:
    block = {"rope_type": "proportional", "factor": 2.0, **share}
    config = {"model_type": model_type, **SMALL, "rope_theta": 1e4, place: block}
    runs(config, tmp_path)
    freqs, _ = upstream(config, tmp_path, None)
    np.testing.assert_allclose(read(config).parts[0].groups[0].freqs(), freqs, rtol=1e-6)


@pytest.mark.parametrize("model_type", ["gemma", "gemma2", "llama"])
def test_token_scale(model_type: str, tmp_path: Path) -> None:
    config = {"model_type": model_type, **SMALL, "head_dim": 16}
    embed = transformers.AutoModel.from_config(loaded(config, tmp_path)).embed_tokens
    scale = float(getattr(embed, "embed_scale", 1.0))
    assert read(config).parts[0].token_scale == pytest.approx(scale)


def test_mpt_is_always_alibi_and_ends(tmp_path: Path) -> None:
    config = {
        "model_type": "mpt",
        "d_model": 64,
        "n_heads": 4,
        "n_layers": 1,
        "vocab_size": 16,
        "max_seq_len": 16,
        "attn_config": {"alibi": False, "alibi_bias_max": 16},
    }
    assert read(config).parts[0].groups[0].usable_length == 16
    made = []
    original = module("mpt").build_mpt_alibi_tensor
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            module("mpt"), "build_mpt_alibi_tensor", lambda *a: made.append(a[:3]) or original(*a)
        )
        runs(config, tmp_path, 16)
    assert made == [(4, 16, 8)]
    with pytest.raises(RuntimeError):
        runs(config, tmp_path, 17)
