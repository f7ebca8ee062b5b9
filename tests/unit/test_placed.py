"""What one scheme prepared is refused by another, also where the shapes agree."""

from __future__ import annotations

import copy
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc import EncodingError
from posenc.scheme import HOOKS
from posenc.testing._siblings import siblings

P = np.arange(8, 13)
X = np.random.default_rng(0).normal(size=(2, 5, 6)).astype(np.float32)
OTHERS = "positions, or what this scheme's own prepare\\(\\) made"


def rope(base: float = 1e4, **options: object) -> posenc.Scheme:
    return posenc.bind(posenc.Rope(dim=6, layout="half", base=base), **options)


@pytest.mark.parametrize("name", list(posenc.encodings(plugins=False)))
def test_a_sibling_of_every_encoding_is_refused_by_every_hook(name: str) -> None:
    spec = posenc.encodings()[name].make(dim=8, heads=2, length=20)
    scheme, at = posenc.bind(spec, length=20), np.arange(2)
    others = [posenc.Integer(dim=3), *siblings(spec)]
    x = np.zeros((2, 2, 8), np.float32)
    given = {"query": (x,), "key": (x,), "adjust": (x, x, x)}
    hooks = [hook for hook in HOOKS if getattr(scheme, hook)]
    for other in others:
        theirs = posenc.bind(other, length=20)
        count = theirs.coordinates
        placed = theirs.prepare(at if count == 1 else np.zeros((2, count), np.int64))
        for hook in hooks:
            with pytest.raises(EncodingError, match=OTHERS):
                getattr(scheme, hook)(*given.get(hook, ()), placed)


def test_equal_specs_share_what_they_prepare() -> None:
    placed = rope().prepare(P)
    for same in (placed, copy.deepcopy(placed), pickle.loads(pickle.dumps(placed))):
        np.testing.assert_array_equal(rope().query(X, same), rope().query(X, P))


def test_length_and_arithmetic_belong_to_the_owner() -> None:
    spec = posenc.Rope(
        dim=6, layout="half", scaling=posenc.DynamicNtk(factor=4.0, trained_length=8)
    )
    with pytest.raises(EncodingError, match=OTHERS):
        posenc.bind(spec, length=16).query(X, posenc.bind(spec, length=32).prepare(P))
    with pytest.raises(EncodingError, match=OTHERS):
        rope().query(X, rope(arithmetic="float32").prepare(P))


def test_the_owner_is_known_under_jit() -> None:
    x, placed = jnp.asarray(X), jax.jit(rope().prepare)(jnp.asarray(P))
    due = rope().query(x, jnp.asarray(P))
    np.testing.assert_allclose(jax.jit(rope().query)(x, placed), due, atol=1e-6)
    many = jax.vmap(rope().query, in_axes=(0, None))(jnp.stack([x, x]), placed)
    np.testing.assert_allclose(many[1], due, atol=1e-6)
    with pytest.raises(EncodingError, match=OTHERS):
        jax.jit(rope(5e5).query)(x, placed)


def test_the_owner_is_known_to_compiled_code_and_to_export() -> None:
    mine, other = rope(xp="torch"), rope(5e5, xp="torch")
    x, at = torch.as_tensor(X), torch.as_tensor(P)
    compiled = {"fullgraph": True, "backend": "aot_eager"}
    placed = torch.compile(lambda at: mine.prepare(at), **compiled)(at)
    due = mine.query(x, at)
    got = torch.compile(lambda x, at: mine.query(x, at), **compiled)(x, placed)
    torch.testing.assert_close(got, due)
    with pytest.raises(Exception, match="own prepare"):
        torch.compile(lambda x, at: other.query(x, at), **compiled)(x, placed)

    class Turn(torch.nn.Module):
        def forward(self, x: torch.Tensor, at: posenc.Placed) -> torch.Tensor:
            return mine.query(x, at)

    torch.testing.assert_close(torch.export.export(Turn(), (x, placed)).module()(x, placed), due)


def test_joint_schemes_know_their_parts() -> None:
    pair = posenc.combine(rope(), posenc.bind(posenc.Alibi(heads=2)))
    swapped = posenc.combine(posenc.bind(posenc.Alibi(heads=2)), rope())
    np.testing.assert_array_equal(pair.query(X, pair.prepare(P)), rope().query(X, P))
    with pytest.raises(EncodingError, match=OTHERS):
        pair.query(X, swapped.prepare(P))
    with pytest.raises(EncodingError, match="these 2 schemes together"):
        pair.query(X, rope().prepare(P))


def test_positions_counted_up_in_place_do_not_move_what_was_prepared() -> None:
    alibi = posenc.bind(posenc.Alibi(heads=2))
    at = P.copy()
    placed, due = alibi.prepare(at), alibi.bias(P, P)
    at += np.arange(5)
    np.testing.assert_array_equal(alibi.bias(placed), due)
