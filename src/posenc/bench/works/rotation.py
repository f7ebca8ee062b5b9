"""Rotating q and k, the tables being there: ours in each way, and a copy of the same bytes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

import posenc
from posenc.bench._case import Size
from posenc.bench.works import Call, _rotation_peers
from posenc.bench.works._given import (
    compiled,
    numpy_tokens,
    positions,
    rope,
    tokens,
    torch_buffers,
    torch_tokens,
)


def _tables(size: Size) -> tuple[Any, Any]:
    import torch

    cos, sin = posenc.tables(rope(size), torch.from_numpy(positions(size)))
    return cos, sin


def in_place(size: Size) -> Call:
    """``posenc.rotate(x, cos, sin, layout=..., out=x)``."""
    (given, held), (cos, sin) = torch_buffers(size), _tables(size)
    for own, x in zip(held, given, strict=True):
        own.copy_(x)

    def run() -> Any:
        for x in held:
            posenc.rotate(x, cos, sin, layout=size.layout, out=x)
        return held

    return Call(run)


def into(size: Size) -> Call:
    """``posenc.rotate(x, cos, sin, layout=..., out=...)``."""
    (given, held), (cos, sin) = torch_buffers(size), _tables(size)

    def run() -> Any:
        for x, out in zip(given, held, strict=True):
            posenc.rotate(x, cos, sin, layout=size.layout, out=out)
        return held

    return Call(run)


def fresh(size: Size) -> Call:
    """``scheme.query`` and ``scheme.key``, as the layers of a model share one ``Placed``."""
    import torch

    q, k = torch_tokens(size)
    scheme = posenc.bind(rope(size))
    placed = scheme.prepare(torch.from_numpy(positions(size)))
    query, key = scheme.query, scheme.key
    return Call(lambda: (query(q, placed), key(k, placed)))  # type: ignore[misc]


def in_numpy(size: Size) -> Call:
    """The same hooks on arrays of NumPy."""
    q, k = numpy_tokens(size)
    scheme = posenc.bind(rope(size))
    placed = scheme.prepare(positions(size))
    query, key = scheme.query, scheme.key
    return Call(lambda: (query(q, placed), key(k, placed)))  # type: ignore[misc]


def under_compile(size: Size) -> Call:
    """``posenc.rotate`` inside a function that torch compiles."""
    (q, k), (cos, sin) = torch_tokens(size), _tables(size)

    def both(q: Any, k: Any, cos: Any, sin: Any) -> Any:
        turned = [posenc.rotate(x, cos, sin, layout=size.layout) for x in (q, k)]
        return tuple(turned)

    fused = compiled(both, size)
    return Call(lambda: fused(q, k, cos, sin))


def under_jit(size: Size) -> Call:
    """``posenc.rotate`` inside a function that JAX compiles."""
    import jax
    import jax.numpy as jnp

    ready: Any = jax.block_until_ready
    q, k = (jnp.asarray(x, size.dtype) for x in tokens(size))
    cos, sin = (jnp.asarray(t) for t in posenc.tables(rope(size), positions(size)))

    @jax.jit
    def both(q: Any, k: Any, cos: Any, sin: Any) -> Any:
        return tuple(posenc.rotate(x, cos, sin, layout=size.layout) for x in (q, k))

    return Call(lambda: ready(both(q, k, cos, sin)))


def copy(size: Size) -> Call:
    """The same bytes into buffers that are there."""
    if find_spec("torch") is None:
        given = numpy_tokens(size)
        held = [np.zeros_like(x) for x in given]

        def plainly() -> None:
            for into, x in zip(held, given, strict=True):
                np.copyto(into, x)

        return Call(plainly, None)
    given, held = torch_buffers(size)
    return Call(lambda: [own.copy_(x) for own, x in zip(held, given, strict=True)], None)


SIDES = {
    "ours/in-place": in_place,
    "ours/into": into,
    "ours/fresh": fresh,
    "ours/numpy": in_numpy,
    "ours/compiled": under_compile,
    "ours/jax": under_jit,
    "limit/copy": copy,
    **_rotation_peers.SIDES,
}
