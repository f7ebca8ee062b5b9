"""Learned arrays drawn from a JAX key."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from posenc._arrays import is_concrete
from posenc._typing import Array
from posenc.specs import Spec


def drawn(spec: Spec, key: Array) -> dict[str, Array]:
    """Fresh learned arrays as the spec prescribes, float32: the same for the same key.

    A spec draws on the host. Where the key is traced, under ``jit``, ``vmap`` over keys or
    ``eval_shape``, the host is called back; the values are those that the key gives outside.
    """
    words = jax.random.bits(key, (4,), jnp.uint32)
    if is_concrete(words):
        return {name: jnp.asarray(array) for name, array in _draw(spec, words).items()}
    due = {name: _like(shape) for name, shape in spec.learned().items()}
    made: dict[str, Array] = jax.pure_callback(
        lambda words: _draw(spec, words), due, words, vmap_method="sequential"
    )
    return made


def _like(shape: tuple[int, ...]) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.float32)  # type: ignore[no-untyped-call]


def _draw(spec: Spec, words: Array) -> dict[str, Array]:
    rng = np.random.default_rng([int(word) for word in words])
    return {name: np.asarray(array, np.float32) for name, array in spec.init(rng).items()}
