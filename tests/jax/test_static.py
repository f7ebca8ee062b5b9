"""Specs are static nodes: arguments of transformed functions, compared and never traced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import posenc
import posenc.jax  # before the classes below
from posenc.specs import Spec, adopt, number, scheme_of, width
from posenc.specs._record import Record

AT = jnp.asarray([8, 9, 40, 70_001, 70_002])


@dataclass(frozen=True, kw_only=True)
class Ramp(Spec):
    """A plug-in's encoding, written after posenc.jax was imported."""

    dim: int = width()
    slope: float = number(0.5, at_least=0, at_most=2)

    def constants(self, *, length: Any = None, arithmetic: Any = "exact") -> Any:
        return {"slopes": np.full(self.dim, self.slope, np.float32)}

    def bind(self, arrays: Any, *, length: Any = None, xp: Any = None) -> Any:
        def place(positions: Any, *, xp: Any, float64: bool) -> Any:
            slopes = adopt(arrays["slopes"], like=positions, xp=xp)
            return xp.astype(positions, xp.float32)[..., None] * slopes

        return scheme_of(place=place, embed=lambda code, *, xp: code, xp=xp)


@dataclass(frozen=True, kw_only=True, slots=True)
class SlottedRamp(Ramp):
    """With slots the decorator makes a second class."""


def test_every_spec_is_a_tree_without_leaves() -> None:
    specs = [entry.make() for entry in posenc.encodings(plugins=False).values()]
    specs += [Ramp(dim=6), SlottedRamp(dim=6), posenc.Unscaled(), posenc.OneAxis()]
    for spec in specs:
        leaves, structure = jax.tree.flatten({"spec": spec})
        assert leaves == []
        assert jax.tree.unflatten(structure, leaves)["spec"] is spec


def test_no_class_of_records_is_left_out() -> None:
    pending: list[type] = [Record]
    for cls in pending:
        pending += cls.__subclasses__()
        with pytest.raises(ValueError, match="Duplicate"):
            jax.tree_util.register_pytree_node(cls, lambda x: ((), x), lambda x, _: x)
    assert len(pending) > 20


def test_a_class_that_its_author_registered_stays_as_it_is() -> None:
    class Own(Record):
        pass

    posenc.jax._static.register(Own)
    assert jax.tree.leaves(Own.__new__(Own)) == []


def counted(function: Callable[..., Any]) -> tuple[Callable[..., Any], list[Any]]:
    traces: list[Any] = []

    def traced(spec: Spec, *rest: Any) -> Any:
        traces.append(spec)
        return function(spec, *rest)

    return jax.jit(traced), traces


def test_equal_specs_share_one_trace_and_others_do_not() -> None:
    run, traces = counted(lambda spec, at: posenc.bind(spec).bias(at, at))
    for spec in (posenc.Alibi(heads=2), posenc.Alibi(heads=2), posenc.Alibi(heads=3)) * 2:
        due = posenc.bind(spec).bias(np.asarray(AT))
        np.testing.assert_allclose(run(spec, AT), due, rtol=1e-6)
    assert traces == [posenc.Alibi(heads=2), posenc.Alibi(heads=3)]


def test_equal_encodings_share_one_trace_and_others_do_not() -> None:
    run, traces = counted(lambda enc, at: enc(at))
    spec = posenc.Learned(rows=64, dim=6)
    for seed in (0, 1):
        enc = posenc.jax.Encoding(spec, key=jax.random.key(seed))
        np.testing.assert_array_equal(run(enc, AT[:2]), enc.learned["table"][np.asarray(AT[:2])])
    assert len(traces) == 1
    run(posenc.jax.Encoding(posenc.Learned(rows=65, dim=6), key=jax.random.key(0)), AT[:2])
    assert len(traces) == 2


@pytest.mark.parametrize("cls", [Ramp, SlottedRamp])
def test_a_plug_ins_later_spec_works_under_jit(cls: type[Ramp]) -> None:
    run, traces = counted(lambda spec, at: posenc.bind(spec).embed(at))
    for spec in (cls(dim=6), cls(dim=6), cls(dim=6, slope=2.0)):
        due = posenc.bind(spec).embed(np.asarray(AT))
        np.testing.assert_allclose(run(spec, AT), due, rtol=1e-6)
    assert len(traces) == 2
    enc = posenc.jax.Encoding(cls(dim=6))
    np.testing.assert_allclose(jax.jit(lambda enc: enc(AT))(enc)[3], 35_000.5)


def test_a_spec_is_a_field_of_any_tree_under_every_transform() -> None:
    spec = posenc.Rope(dim=6, layout="half")
    layer = {"weight": jnp.eye(6), "spec": spec}

    def run(layer: dict[str, Any], x: jax.Array) -> jax.Array:
        return posenc.bind(layer["spec"]).query(x @ layer["weight"], AT, head_axis=None)

    x = jax.random.normal(jax.random.key(0), (2, 5, 6))
    due = posenc.bind(spec).query(np.asarray(x), np.asarray(AT), head_axis=None)
    np.testing.assert_allclose(jax.vmap(run, in_axes=(None, 0))(layer, x), due, atol=2e-6)
    grads = jax.grad(lambda layer: jnp.sum(run(layer, x)))(layer)
    assert grads["spec"] == spec
    np.testing.assert_allclose(jax.checkpoint(run)(layer, x), due, atol=2e-6)
    carry, _ = jax.lax.scan(lambda layer, x: (layer, run(layer, x)), layer, x)
    assert carry["spec"] == spec


def test_nothing_traced_is_kept() -> None:
    with jax.checking_leaks():
        for spec in (posenc.Rope(dim=6, layout="half"), posenc.Sinusoidal(dim=6)):
            scheme = jax.jit(lambda spec, at: posenc.bind(spec).prepare(at).q)
            scheme(spec, AT)


@pytest.mark.parametrize(
    ("spec", "places"),
    [
        (posenc.Learned(rows=64, dim=6), np.array([8, 9], np.int32)),
        (posenc.Sinusoidal(dim=6), np.array([8, 200], np.uint8)),
        (posenc.Sinusoidal(dim=6), np.array([8.5, 70_001.25], np.float32)),
    ],
    ids=["table", "narrow", "real"],
)
def test_positions_that_a_compiled_function_closes_over(spec: Spec, places: Any) -> None:
    """They are not traced, but what is done to them is."""
    at, scheme = jnp.asarray(places), posenc.bind(spec)
    for transform in (jax.jit, jax.checkpoint):
        got = transform(lambda x: x + scheme.embed(at))(jnp.zeros((2, 6)))
        np.testing.assert_allclose(got, scheme.embed(places), atol=5e-7)


def test_such_positions_are_still_looked_at() -> None:
    for spec, at in ((posenc.Learned(rows=64, dim=6), 64), (posenc.Sinusoidal(dim=6), np.inf)):
        scheme, wrong = posenc.bind(spec), jnp.asarray([at])
        with pytest.raises(posenc.EncodingError, match=r"positions must be (between|finite)"):
            jax.jit(lambda x, scheme=scheme, wrong=wrong: x + scheme.embed(wrong))(1.0)
