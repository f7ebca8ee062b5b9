"""What every spec promises as data, for specs that nobody picked by hand."""

import json
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import posenc
from posenc.specs import Spec
from posenc.testing import check_encoding, strategies
from posenc.testing._siblings import siblings


@given(strategies.specs())
def test_json_there_and_back(spec: Spec) -> None:
    back = posenc.from_dict(json.loads(json.dumps(spec.to_dict(), allow_nan=False)))
    assert back == spec
    assert hash(back) == hash(spec)
    assert json.dumps(back.to_dict()) == json.dumps(spec.to_dict())


@given(strategies.specs())
def test_repr_is_the_constructor(spec: Spec) -> None:
    assert eval(repr(spec), vars(posenc) | {n: getattr(posenc, n) for n in posenc.__all__}) == spec


@given(strategies.specs())
def test_siblings_are_other_valid_specs(spec: Spec) -> None:
    for sibling in siblings(spec):
        assert type(sibling) is type(spec)
        assert sibling != spec


@given(strategies.specs(posenc.Rope))
def test_rotary_frequencies_are_finite_and_never_grow(rope: posenc.Rope) -> None:
    freqs = rope.frequencies(4096)
    assert freqs.shape == (rope.dim // 2,)
    assert np.isfinite(freqs).all()
    steep = getattr(rope.axes, "ladder", "geometric") != "geometric"  # for coordinates from -1 to 1
    if not steep and not isinstance(rope.scaling, posenc.LongRope):
        assert (np.abs(freqs) <= 1 + 1e-12).all()


@given(strategies.specs(posenc.Rope, posenc.Alibi, posenc.Sinusoidal, posenc.GridSinusoidal))
def test_every_law_holds_for_specs_that_nobody_picked(spec: Spec) -> None:
    check_encoding(spec)


@given(strategies.positions(real=None), st.data())
def test_positions_are_what_the_library_takes(at: Any, data: st.DataObject) -> None:
    posenc.positions.check_positions("positions", at)
    assert at.ndim in (1, 2)
    assert at.shape[-1] <= 8
    rule = data.draw(strategies.scalings(dim=6))
    assert posenc.Rope(dim=6, layout="half", scaling=rule).scaling == rule


def test_strategies_reach_every_kind() -> None:
    seen = set()

    @settings(max_examples=1000)
    @given(strategies.specs(), strategies.scalings())
    def collect(spec: Spec, rule: Any) -> None:
        seen.update((spec.kind, rule.kind))

    collect()
    data = {entry.cls.kind for entry in posenc.encodings(plugins=False).values()} | {"stack"}
    rules = {"unscaled", "linear", "ntk", "dynamic_ntk", "yarn", "long_rope", "llama3"}
    assert seen >= data | rules | {"proportional"}
