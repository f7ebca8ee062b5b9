"""Specs are plain data: normalised, hashable, comparable, JSON both ways."""

from __future__ import annotations

import dataclasses
import gc
import json

import numpy as np
import pytest

import posenc
from posenc.specs._codec import known_kinds


def test_fields_become_plain_python() -> None:
    spec = posenc.Rope(dim=np.int64(8), layout=np.str_("half"), base=np.float32(10_000))
    assert [type(v) for v in (spec.dim, spec.layout, spec.base)] == [int, str, float]
    alibi = posenc.Alibi(heads=2, slopes=np.array([0.5, 1]))
    assert alibi.slopes == (0.5, 1.0)
    assert hash(alibi) == hash(posenc.Alibi(heads=2, slopes=[0.5, 1]))


def test_one_spelling_for_one_thing() -> None:
    whole = posenc.Rope(dim=8, layout="half")
    assert posenc.Rope(dim=8, head_dim=8, at="back", layout="half") == whole


@pytest.mark.parametrize("name", [*posenc.encodings()])
def test_json_both_ways(name: str) -> None:
    spec = posenc.encodings()[name].make(dim=8, heads=3, length=20)
    data = json.loads(json.dumps(spec.to_dict()))
    again = posenc.from_dict(data)
    assert again == spec
    assert hash(again) == hash(spec)
    assert again.to_dict() == data


def test_specs_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        posenc.NoPE().dim = 3  # type: ignore[attr-defined]


def test_kinds_are_the_class_names_in_snake_case() -> None:
    kinds = known_kinds()
    for kind in ("no_pe", "t5_bias", "dynamic_ntk", "long_rope", "one_hot", "llama3"):
        assert kind in kinds
    assert "" not in kinds
    assert "spec" not in kinds


def test_rope_and_the_sinusoid_share_their_frequencies_bit_for_bit() -> None:
    rope, code = posenc.Rope(dim=64, layout="half"), posenc.Sinusoidal(dim=64)
    assert (rope.frequencies() == code.frequencies()).all()


@pytest.mark.parametrize("k", [1, 7, -3, 70_001])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("first", ["sin", "cos"])
def test_shift_moves_every_code(k: int, layout: str, first: str) -> None:
    spec = posenc.Sinusoidal(dim=10, layout=layout, first=first)
    p = np.array([0, 8, 1000])
    rows = (posenc.bind(spec).embed(at, dtype=np.float64) for at in (p, p + k))
    now, then = rows
    np.testing.assert_allclose(now @ spec.shift(k).T, then, atol=1e-12)
    np.testing.assert_allclose(spec.shift(k) @ spec.shift(k).T, np.eye(10), atol=1e-12)


def test_schema_admits_what_to_dict_writes() -> None:
    from posenc.specs._schema import schema

    made = schema()
    kinds = set(made["discriminator"]["mapping"])
    assert kinds == {k for k, c in known_kinds().items() if issubclass(c, posenc.specs.Spec)}
    rope = made["$defs"]["Rope"]["properties"]
    assert rope["dim"]["multipleOf"] == 2
    assert rope["layout"]["enum"] == ["half", "interleaved"]
    assert set(rope["scaling"]["discriminator"]["mapping"]) >= {"yarn", "llama3", "unscaled"}


def test_length_changes_the_rule_and_nothing_remembers() -> None:
    dynamic = posenc.DynamicNtk(factor=2, trained_length=2048)
    rope = posenc.Rope(dim=128, layout="half", scaling=dynamic)
    # transformers 5.24 for the same lengths; a short run after a long one is short again
    assert rope.frequencies(8192)[1] == pytest.approx(0.8396257758, rel=1e-6)
    assert rope.frequencies(512)[1] == pytest.approx(0.8659643531, rel=1e-6)
    assert (rope.frequencies() == rope.frequencies(2048)).all()


def test_a_served_length_below_the_trained_one_leaves_the_base_alone() -> None:
    dynamic = posenc.DynamicNtk(factor=2, trained_length=2048)
    rope = posenc.Rope(dim=64, base=1000.0, layout="half", scaling=dynamic)
    plain = posenc.Rope(dim=64, base=1000.0, layout="half")
    assert (rope.frequencies(512) == plain.frequencies()).all()
    for length, base in ((2049, 1001.008), (4096, 3108.2236667), (8192, 7453.4830318)):
        stretched = rope.frequencies(length)[1] ** -32
        assert stretched == pytest.approx(base, rel=1e-6)


def test_qwen_1_moves_its_base_at_doublings_alone() -> None:
    """Trap: 2^(ceil(log2 r) + 1) - 1 jumps to 3 one token past the trained length."""
    steps = posenc.DynamicNtk(factor=2, trained_length=2048, doubling=True)
    rope = posenc.Rope(dim=128, layout="half", scaling=steps)
    alphas = {1: 1, 2048: 1, 2049: 3, 4096: 3, 4097: 7, 8192: 7, 8193: 15}
    for length, alpha in alphas.items():
        assert rope.frequencies(length)[-1] * alpha == pytest.approx(10_000.0 ** (-126 / 128))


@pytest.mark.parametrize("beta", [0.0, 0.625, 1.0, 3.0])
def test_the_slowest_pair_slows_by_the_factor_in_all_forms_of_ntk(beta: float) -> None:
    rope = posenc.Rope(dim=10, layout="half", scaling=posenc.MixedNtk(factor=8, beta=beta))
    slowing = posenc.Rope(dim=10, layout="half").frequencies() / rope.frequencies()
    assert slowing[-1] == pytest.approx(8)
    assert slowing[0] == pytest.approx(8 ** (1 / 5**beta))
    assert (np.diff(slowing) > 0).all() == (beta > 0)


def test_deep_stacks_come_back_and_absurd_ones_are_refused() -> None:
    spec = posenc.Alibi(heads=2)
    for _ in range(8):
        spec = posenc.Stack(spec)
    assert posenc.from_dict(spec.to_dict()) == spec
    with pytest.raises(posenc.EncodingError, match="Stack must be nested at most 8 deep; got 9"):
        posenc.Stack(spec)


@pytest.mark.parametrize("slots", [False, True])
def test_of_a_class_defined_again_the_last_one_counts(slots: bool) -> None:
    def defined() -> type[posenc.specs.Spec]:
        @dataclasses.dataclass(frozen=True, kw_only=True, slots=slots)
        class Cell(posenc.specs.Spec):
            dim: int = posenc.specs.width()

        return Cell

    first, again = defined(), defined()
    assert type(posenc.from_dict(first(dim=2).to_dict())) is again
    assert posenc.from_dict(again(dim=2).to_dict()) == again(dim=2)


def test_a_spec_that_is_not_frozen_is_refused() -> None:
    def declared_and_used() -> None:
        @dataclasses.dataclass(kw_only=True)
        class Loose(posenc.specs.Spec):
            dim: int = posenc.specs.width()

        must = r"Loose must be declared with @dataclass\(frozen"
        with pytest.raises(posenc.EncodingError, match=must):
            Loose(dim=2)

    declared_and_used()
    gc.collect()  # else the schema would name it, in whichever test comes next
