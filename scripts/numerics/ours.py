"""cos of this library at given positions, by every way to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import torch

import posenc
import posenc.torch
from posenc.kernels import _choice

Cosines = Callable[[np.ndarray], np.ndarray]

DIM = 128
ROPE = posenc.Rope(dim=DIM, layout="half", base=10_000.0)
HOST, DEVICE = 1e-7, 5e-7


def in_numpy(at: np.ndarray) -> np.ndarray:
    return np.asarray(posenc.tables(ROPE, at)[0])


def in_torch(at: np.ndarray) -> np.ndarray:
    return np.asarray(posenc.tables(ROPE, torch.from_numpy(at))[0])


def cast(at: np.ndarray) -> np.ndarray:
    """What a module gives that was cast with the model around it."""
    module = posenc.torch.Encoding(ROPE).to(torch.bfloat16)
    return np.asarray(module.prepare(torch.from_numpy(at)).q[0])


@cache
def in_graph() -> Cosines:
    scheme = posenc.bind(ROPE, xp="torch")
    run = torch.compile(lambda p: scheme.prepare(p).q[0], fullgraph=True)
    return lambda at: np.asarray(run(torch.from_numpy(at)))


@cache
def jitted() -> Cosines:
    import jax  # where it is wanted: it takes seconds

    scheme = posenc.bind(ROPE, xp="jax")
    run = jax.jit(lambda p: scheme.prepare(p).q[0])
    return lambda at: np.asarray(run(jax.numpy.asarray(at, "int32")))


@contextmanager
def kernels(choice: str) -> Iterator[None]:
    """With compiled loops or without, as the environment can say before a process starts."""
    before = os.environ.get("POSENC_KERNELS")
    os.environ["POSENC_KERNELS"] = choice
    _choice.compiled.cache_clear()
    try:
        yield
    finally:
        os.environ.pop("POSENC_KERNELS")
        os.environ.update({"POSENC_KERNELS": before} if before is not None else {})
        _choice.compiled.cache_clear()


def under(choice: str, cosines: Cosines) -> Cosines:
    def made(at: np.ndarray) -> np.ndarray:
        with kernels(choice):
            return cosines(at)

    return made


WAYS: dict[str, tuple[float, Cosines]] = {
    "posenc, NumPy": (HOST, under("plain", in_numpy)),
    "posenc, NumPy with Numba": (HOST, under("fast", in_numpy)),
    "posenc, torch eager": (DEVICE, under("plain", in_torch)),
    "posenc, torch eager with Numba": (DEVICE, under("fast", in_torch)),
    "posenc, torch compiled": (DEVICE, lambda at: in_graph()(at)),
    "posenc, JAX jitted": (DEVICE, lambda at: jitted()(at)),
}
"""For each way the bound that it is held to, and its cosines."""

CAST: dict[str, Cosines] = {
    "posenc, torch eager": under("plain", cast),
    "posenc, torch eager with Numba": under("fast", cast),
}
"""Where there is a module that a cast could reach."""
