"""Every finding: its code, severity, place and whole sentences."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import posenc.inspect
from posenc.inspect import CODES, Finding, read

LLAMA = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "num_hidden_layers": 2,
    "max_position_embeddings": 4096,
    "rope_theta": 5e5,
}
NEOX = {
    "model_type": "gpt_neox",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "max_position_embeddings": 4096,
    "rotary_emb_base": 10000,
    "rotary_pct": 0.25,
}
YARN = {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 2048}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 1024,
}
LISTS = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
LENGTH, ORIGINAL = "max_position_embeddings", "original_max_position_embeddings"


def of(model_type: str, **change: Any) -> dict[str, Any]:
    return {**LLAMA, "model_type": model_type, **change}


def without(key: str, **change: Any) -> dict[str, Any]:
    return {k: v for k, v in {**LLAMA, **change}.items() if k != key}


def scaled(**block: Any) -> dict[str, Any]:
    return {**LLAMA, "rope_scaling": block}


SHORT_TEXT = (
    "PE117",
    "note",
    "rope_scaling",
    "Rule 'yarn' acts on short text too: slow pairs are slowed, and rotated logits grow 1.143 "
    "times.",
    "Leave the block out for text within 2048 tokens.",
)
SWITCH = (
    "PE116",
    "note",
    "rope_scaling",
    "Rule 'longrope' changes its frequencies past 1024 tokens.",
    "Keys cached before that were turned by the old ones: turn them again from raw.",
)
NO_BASE = (
    "PE103",
    "warning",
    "rope_theta",
    "rope_theta is not given, so the base is 10000.",
    "Llama 1 and 2 mean that; most later models do not.",
)


def conflict(where: str, found: str, taken: str, value: str) -> tuple[str, ...]:
    message = f"{where} is {found} but {taken} is {value}."
    hint = f"transformers takes {taken}; others may not. Keep one of them."
    return "PE104", "error", where, message, hint


FOUND: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    (LLAMA, []),
    (NEOX, []),
    # keys that nothing reads
    (
        scaled(**YARN, beta_fst=16),
        [
            (
                "PE101",
                "warning",
                "rope_scaling.beta_fst",
                "rope_scaling.beta_fst is not read; 'beta_fast' is the nearest key that is.",
                "Spell it 'beta_fast', or drop it.",
            ),
            SHORT_TEXT,
        ],
    ),
    (
        without("rope_theta", rope_thetta=5e5),
        [
            (
                "PE101",
                "warning",
                "rope_thetta",
                "rope_thetta is not read; 'rope_theta' is the nearest key that is.",
                "Spell it 'rope_theta', or drop it.",
            ),
            NO_BASE,
        ],
    ),
    (
        scaled(type="linear", factor=2, wibble=1),
        [
            (
                "PE102",
                "warning",
                "rope_scaling.wibble",
                "rope_scaling.wibble is not read: rule 'linear' has no such key.",
                "It reads factor.",
            )
        ],
    ),
    (
        scaled(factor=8.0),  # no rule is named, so nothing is scaled
        [
            (
                "PE102",
                "warning",
                "rope_scaling.factor",
                "rope_scaling.factor is not read: rule 'default' has no such key.",
                "It reads the base alone.",
            )
        ],
    ),
    (
        scaled(type="linear", factor=2, original_max_position_embeddings=2048),
        [
            (
                "PE102",
                "note",
                f"rope_scaling.{ORIGINAL}",
                f"rope_scaling.{ORIGINAL} is not read: rule 'linear' has no such key.",
                "It reads factor.",
            )
        ],
    ),
    (
        scaled(**YARN, mscale=1.0),
        [
            (
                "PE102",
                "warning",
                "rope_scaling.mscale",
                "rope_scaling.mscale is not read without mscale_all_dim.",
                "Other engines take 1 for a missing mscale, and 0 for a missing mscale_all_dim.",
            ),
            SHORT_TEXT,
        ],
    ),
    # the base
    (without("rope_theta"), [NO_BASE]),
    (
        of("llama", rope_theta=None),
        [
            NO_BASE,
            (
                "PE110",
                "warning",
                "rope_theta",
                "rope_theta is null, which reads as absent.",
                "Leave the key out, or give it a value.",
            ),
        ],
    ),
    # one thing said twice
    (
        of("llama", rope_parameters={"rope_theta": 1e4}),
        [conflict("rope_theta", "500000.0", "rope_parameters.rope_theta", "10000.0")],
    ),
    (
        of("llama", rotary_base=1e4),
        [conflict("rotary_base", "10000", "rope_theta", "500000.0")],
    ),
    (
        without("rope_theta", rotary_base=5e5),
        [conflict("rotary_base", "500000", "the default of rope_theta", "10000.0"), NO_BASE],
    ),
    (
        {**NEOX, "rope_theta": 5e5},
        [conflict("rope_theta", "500000", "rotary_emb_base", "10000.0")],
    ),
    (
        {**NEOX, "partial_rotary_factor": 0.5},
        [conflict("partial_rotary_factor", "0.5", "rotary_pct", "0.25")],
    ),
    (
        of("phi", rotary_dim=16),
        [conflict("rotary_dim", "16", "the default of partial_rotary_factor times head_dim", "32")],
    ),
    (of("llama", n_positions=2048), [conflict("n_positions", "2048", LENGTH, "4096")]),
    (
        {**scaled(type="linear", factor=2), "rope_parameters": {"rope_type": "default"}},
        [
            conflict(
                "rope_parameters",
                "{'rope_type': 'default'}",
                "rope_scaling",
                "{'factor': 2, 'type': 'linear'}",
            )
        ],
    ),
    (
        {**scaled(**{**YARN, ORIGINAL: 1024}), ORIGINAL: 2048},
        [conflict(f"rope_scaling.{ORIGINAL}", "1024", ORIGINAL, "2048"), SHORT_TEXT],
    ),
    (
        {**scaled(type="longrope", **LISTS, **{ORIGINAL: 2048}), "model_type": "phi3"},
        [
            conflict(f"rope_scaling.{ORIGINAL}", "2048", f"the default of {ORIGINAL}", "4096"),
            (*SWITCH[:3], SWITCH[3].replace("1024", "4096"), SWITCH[4]),
        ],
    ),
    (
        scaled(type="yarn", rope_type="linear", factor=2),
        [
            (
                "PE105",
                "error",
                "rope_scaling.type",
                "rope_scaling.type is 'yarn' but rope_scaling.rope_type is 'linear'.",
                "transformers takes rope_type; older readers know type alone. Keep one of them.",
            )
        ],
    ),
    (
        scaled(type="linear", rope_type=None, factor=2),
        [
            (
                "PE110",
                "warning",
                "rope_scaling.rope_type",
                "rope_scaling.rope_type is null, which reads as absent.",
                "Leave the key out, or name a rule.",
            )
        ],
    ),
    # factors and lengths
    (
        scaled(**{**YARN, "factor": 4.0}),
        [
            (
                "PE107",
                "warning",
                "rope_scaling.factor",
                f"The factor is 4, but {LENGTH} / {ORIGINAL} is 2.",
                "The factor counts: it reaches 8192. transformers before 4.56 took the ratio.",
            ),
            (*SHORT_TEXT[:3], SHORT_TEXT[3].replace("1.143", "1.296"), SHORT_TEXT[4]),
        ],
    ),
    (
        of("llama", max_position_embeddings=2048, rope_scaling=YARN),
        [
            (
                "PE107",
                "note",
                LENGTH,
                f"{LENGTH} is still 2048, while the rule reaches 4096.",
                f"Engines that stop at {LENGTH} need it raised.",
            ),
            SHORT_TEXT,
        ],
    ),
    (
        of(
            "llama",
            max_position_embeddings=512,
            rope_scaling={"rope_type": "longrope", **LISTS, ORIGINAL: 1024},
        ),
        [
            (
                "PE107",
                "warning",
                LENGTH,
                f"{LENGTH}, 512, is shorter than {ORIGINAL}, 1024.",
                "The attention factor is then 1.",
            ),
            SWITCH,
        ],
    ),
    (
        scaled(rope_type="longrope", **LISTS, **{ORIGINAL: 1024}, factor=8),
        [
            (
                "PE107",
                "warning",
                "rope_scaling.factor",
                f"The factor is 8, but {LENGTH} / {ORIGINAL} is 4.",
                "The factor counts: it sets the attention factor alone. "
                "transformers before 4.56 took the ratio.",
            ),
            SWITCH,
        ],
    ),
    (
        scaled(**YARN, attention_factor=1.0),
        [
            (
                *SHORT_TEXT[:3],
                "Rule 'yarn' acts on short text too: slow pairs are slowed.",
                SHORT_TEXT[4],
            )
        ],
    ),
    (
        scaled(**{**LLAMA3, ORIGINAL: 4096}),
        [
            (
                "PE107",
                "warning",
                f"rope_scaling.{ORIGINAL}",
                f"{ORIGINAL} is 4096, and {LENGTH}, 4096, is no longer.",
                "The rule has nothing to extend: one of the two is wrong.",
            )
        ],
    ),
    (
        of("llama", max_position_embeddings=2048, rope_scaling={"type": "yarn", "factor": 2}),
        [
            (
                "PE115",
                "warning",
                f"rope_scaling.{ORIGINAL}",
                f"{ORIGINAL} is not given, so {LENGTH}, 2048, stands for it.",
                "The rule starts from the length before extension: state it.",
            ),
            (
                "PE107",
                "note",
                LENGTH,
                f"{LENGTH} is still 2048, while the rule reaches 4096.",
                f"Engines that stop at {LENGTH} need it raised.",
            ),
            SHORT_TEXT,
        ],
    ),
    # keys that this class passes over
    (
        of("llama", partial_rotary_factor=0.5),
        [
            (
                "PE113",
                "warning",
                "partial_rotary_factor",
                "partial_rotary_factor is 0.5, but llama turns the whole head.",
                "Drop the key.",
            )
        ],
    ),
    (
        scaled(type="linear", factor=2, partial_rotary_factor=0.5),
        [
            (
                "PE113",
                "warning",
                "rope_scaling.partial_rotary_factor",
                "rope_scaling.partial_rotary_factor is 0.5, but llama turns the whole head.",
                "Drop the key. With rule 'linear' transformers 5.24 fails on it.",
            )
        ],
    ),
    (
        without(LENGTH, n_positions=2048),
        [
            (
                "PE113",
                "warning",
                "n_positions",
                f"n_positions stands for {LENGTH}, the only one that llama reads.",
                f"Add {LENGTH}: without it transformers takes 2048.",
            )
        ],
    ),
    (
        of("qwen2", dual_chunk_attention_config={ORIGINAL: 1024}),
        [
            (
                "PE113",
                "warning",
                "dual_chunk_attention_config",
                "dual_chunk_attention_config is not read by transformers, which turns all "
                "distances alike.",
                "Without an engine that reads it, text is safe up to 1024 tokens.",
            )
        ],
    ),
    (
        {"model_type": "mpt", "attn_config": {"alibi": False, "alibi_bias_max": 16}},
        [
            (
                "PE113",
                "error",
                "attn_config.alibi",
                "attn_config.alibi is False, but transformers reads it as True.",
                "MosaicML's own code obeys it, so the two differ.",
            ),
            (
                "PE113",
                "error",
                "attn_config.alibi_bias_max",
                "attn_config.alibi_bias_max is 16, but transformers reads it as 8.",
                "MosaicML's own code obeys it, so the two differ.",
            ),
        ],
    ),
    # clear, and yet transformers fails
    (
        of("llama", hidden_size=514),
        [
            (
                "PE114",
                "warning",
                "hidden_size",
                "hidden_size 514 is no multiple of 8 heads, which transformers refuses.",
                "Correct one of the two.",
            )
        ],
    ),
    (
        of("qwen3", head_dim=None),
        [
            (
                "PE114",
                "warning",
                "head_dim",
                "head_dim is null, which transformers 5.24 refuses for qwen3.",
                "Leave the key out.",
            )
        ],
    ),
    (
        of("qwen2", head_dim=None, rope_scaling=YARN),
        [
            (
                "PE114",
                "warning",
                "head_dim",
                "head_dim is null, on which transformers 5.24 fails with rule 'yarn'.",
                "Leave the key out.",
            ),
            SHORT_TEXT,
        ],
    ),
    (
        of("phi3", rope_scaling={"type": "linear", "factor": 2}),
        [
            (
                "PE114",
                "warning",
                "rope_scaling",
                "phi3 in transformers 5.24 does not run with rule 'linear'.",
                "It runs with default, longrope.",
            )
        ],
    ),
    (
        of("phi3", rope_scaling={"type": "su", **LISTS}, original_max_position_embeddings=1024),
        [
            (
                "PE114",
                "warning",
                "rope_scaling",
                "transformers 5.24 refuses rule 'su' unless rope_scaling has the original length.",
                "Write 'longrope', which means the same.",
            ),
            SWITCH,
        ],
    ),
    (
        scaled(type="yarn", original_max_position_embeddings=2048),
        [
            (
                "PE114",
                "warning",
                "rope_scaling.factor",
                "rope_scaling.factor is missing, which transformers 5.24 refuses.",
                f"Here it is read as null is: 2, the ratio of {LENGTH} to {ORIGINAL}.",
            ),
            SHORT_TEXT,
        ],
    ),
    # what a rule does besides
    (
        scaled(type="dynamic", factor=2),
        [
            (
                "PE116",
                "note",
                "rope_scaling",
                "Rule 'dynamic' changes its frequencies past 4096 tokens.",
                "Keys cached before that were turned by the old ones: turn them again from raw.",
            )
        ],
    ),
]


@pytest.mark.parametrize(("config", "wanted"), FOUND)
def test_findings(config: dict[str, Any], wanted: list[tuple[str, ...]]) -> None:
    fields = ("code", "severity", "where", "message", "hint")
    found = [tuple(getattr(f, field) for field in fields) for f in read(config).findings]
    assert sorted(found) == sorted(wanted)


def test_the_worst_comes_first() -> None:
    config = {**scaled(**YARN, wibble=1), "rotary_base": 1e4}
    order = ["error", "warning", "note"]
    found = [finding.severity for finding in read(config).findings]
    assert found == sorted(found, key=order.index)
    assert set(found) == set(order)


def test_a_finding_is_plain_data() -> None:
    (finding,) = read(without("rope_theta")).findings
    assert finding == Finding(**finding.to_dict())
    assert list(finding.to_dict()) == ["code", "severity", "where", "message", "hint"]


def test_an_unread_key_that_is_very_long_or_no_text() -> None:
    block = {"rope_type": "linear", "factor": 2, "k" * 5000: 1, 7: 1}
    found = read({**LLAMA, "rope_scaling": block}).findings
    assert [finding.code for finding in found] == ["PE102", "PE102"]
    assert all(len(finding.message) < 200 for finding in found)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_explained_in_both_languages(code: str) -> None:
    entry = CODES[code]
    assert entry.severity in ("error", "warning", "note")
    for text in (entry.title, entry.explanation):
        assert list(text) == ["en", "zh"]
        assert text["en"].isascii()
        assert not text["zh"].isascii()
    assert entry.explanation["en"].endswith(".")
    assert entry.explanation["zh"].endswith("。")
    assert not entry.title["en"].endswith(".")


def test_every_code_is_produced_and_every_produced_code_has_an_entry() -> None:
    files = Path(posenc.inspect.__file__).parent.glob("*.py")
    words = {
        node.value
        for file in files
        if file.name != "_codes.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {word for word in words if word.startswith("PE") and len(word) == 5} == set(CODES)


@pytest.mark.parametrize(("config", "wanted"), FOUND)
def test_findings_are_told_in_chinese(
    config: dict[str, Any], wanted: list[tuple[str, ...]]
) -> None:
    for finding in read(config).findings:
        for text in finding.told["zh"]:
            assert re.search(r"[\u3400-\u9fff]", text)
            assert text.endswith("。")
            assert "the default" not in text
