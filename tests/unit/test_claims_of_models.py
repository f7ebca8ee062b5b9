"""Claims made for a model at hand: they hold, they fail when the rule is broken, they run alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import posenc
from posenc import Alibi, Rope, Stack, T5Bias, Yarn, claims, specs
from posenc.claims import Claim
from posenc.claims._pairs import LLAMA, RULES, TEXTBOOK, under
from posenc.claims.model import claims_for, claims_of
from posenc.errors import EncodingError
from posenc.inspect import read

MODELS = {
    "plain": (TEXTBOOK, {"trained_length": 4096, "length": 8192}),
    **{rule: (under(rule), {"trained_length": 4096, "length": 32768}) for rule in RULES},
    "llama": (LLAMA, {"length": 131072}),
    "part": (
        Rope(
            dim=6,
            head_dim=10,
            at="back",
            layout="interleaved",
            scaling=Yarn(factor=3, trained_length=4096, truncate=False),
        ),
        {},
    ),
    "no ramp": (
        under(Yarn(factor=8, trained_length=40, beta_fast=1, beta_slow=1, attention_factor=2)),
        {},
    ),
    **{
        name: (entry.make(dim=64), {"length": 9000})
        for name, entry in posenc.encodings(plugins=False).items()
    },
    "heads": (Alibi(heads=12), {}),
    "steeper": (Alibi(heads=12, bias_max=5.0, head_dim=10), {}),
    "slopes": (Alibi(heads=2, slopes=(0.3, 0.1)), {"length": 512}),
    "encoder": (T5Bias(heads=2, bidirectional=True), {}),
    "decoder": (T5Bias(heads=2, bidirectional=False, buckets=64, max_distance=300), {}),
    "stack": (Stack(TEXTBOOK, Alibi(heads=4)), {}),
}
STATED = {name: claims_for(spec, name=name, **given) for name, (spec, given) in MODELS.items()}
ALL = [claim for stated in STATED.values() for claim in stated]


@pytest.mark.parametrize("claim", ALL, ids=[c.id for c in ALL])
def test_claim_holds_and_its_plain_lines_agree(claim: Claim) -> None:
    result = claims.prove(claim)
    assert result.ok, (result.value, claim.expected, result.error)
    lines = claim.plain.splitlines()
    assert len(lines) <= 8
    assert max(map(len, lines)) < 100
    space = {"np": np, "math": math}
    exec(claim.plain, space)
    assert claim.holds_for(float(space["value"]))
    assert "{" not in claim.statement["en"] + claim.statement["zh"]


def test_ids_are_unique() -> None:
    assert len({c.id for c in ALL}) == len(ALL)


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(RULES[rule])
    original = kind.rescale
    monkeypatch.setattr(kind, "rescale", lambda *a, **o: original(*a, **o) * (1 + 1e-9))
    failed = {c.id.partition(".")[2] for c in STATED[rule] if not claims.prove(c).ok}
    assert "frequencies" in failed


def test_a_broken_factor_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specs.Yarn, "magnitude", lambda self, length: 1.0)
    failed = {c.id for c in STATED["yarn"] if not claims.prove(c).ok}
    assert failed == {"yarn.attention-factor", "yarn.logits"}


def test_numbers_of_a_known_model() -> None:
    found = {c.id.partition(".")[2]: c.expected for c in STATED["llama"]}
    assert found["never-turn"] == 29
    assert found["short-text"] == 35
    assert found["unseen"] == 29
    assert found["bfloat16-positions"] == 1409


def test_each_group_of_a_reading_has_its_own_claims() -> None:
    config = {"model_type": "t5", "num_layers": 2, "num_heads": 4}
    stated = claims_of(read(config))
    assert [group[0].id for group in stated] == ["encoder.saturates", "decoder.saturates"]


def test_other_encodings_have_none() -> None:
    assert claims_for(specs.Sinusoidal(dim=8)) == []


@pytest.mark.parametrize("length", [0, 2.5, 2**31])
def test_a_length_that_cannot_be_meant_is_refused(length: object) -> None:
    with pytest.raises(EncodingError, match=r"claims_for\(\): length must be"):
        claims_for(replace(TEXTBOOK, base=5e5), length=length)  # type: ignore[arg-type]
