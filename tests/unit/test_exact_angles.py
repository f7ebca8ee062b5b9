"""cos and sin at any integer position, held to the bounds that the documentation promises."""

import math
from collections.abc import Callable
from typing import Any

import array_api_strict
import jax
import mpmath
import numpy as np
import pytest
import torch

import posenc

# Few pairs: a plain ladder, one of no round numbers, and one with a pair that stands still.
SPECS = {
    "rope": posenc.Rope(dim=8, layout="half"),
    "yarn": posenc.Rope(
        dim=6,
        layout="half",
        base=500_000.0,
        scaling=posenc.Yarn(factor=4.0, trained_length=4096, truncate=False),
    ),
    "proportional": posenc.Rope(
        dim=8, layout="half", base=1e6, scaling=posenc.Proportional(share=0.5, factor=3.0)
    ),
}

BITS = 256
with mpmath.workprec(2 * BITS):
    TURN = int(2 * mpmath.pi * 2**BITS)
"""One turn in units of 2^-256 radian."""


def reduced(p: float, w: float) -> float:
    """The angle p w less whole turns; the product exact, in Python's unbounded integers."""
    (a, b), (c, d) = p.as_integer_ratio(), w.as_integer_ratio()
    return ((a * c << BITS) // (b * d)) % TURN / 2**BITS


def truth(spec: Any, positions: np.ndarray) -> np.ndarray:
    """cos and sin, (2, n, pairs), of the float64 frequencies taken as the numbers they are."""
    rows = [[reduced(p, w) for w in spec.frequencies().tolist()] for p in positions.tolist()]
    return np.array([[[f(angle) for angle in row] for row in rows] for f in (math.cos, math.sin)])


def integers(count: int = 10_000) -> np.ndarray:
    ends = [-(2**31) + 1, -(2**24) - 1, -1, 0, 8, 70_001, 2**24 + 1, 2**31 - 1]
    drawn = np.random.default_rng(20).integers(-(2**31) + 1, 2**31, count - len(ends))
    return np.concatenate([ends, drawn])


def fractions(dtype: type, limit: float, count: int = 4000) -> np.ndarray:
    return np.random.default_rng(21).uniform(-limit, limit, count).astype(dtype)


Tables = Callable[[Any, np.ndarray], np.ndarray]


def eager(positions: Callable[[np.ndarray], Any]) -> Tables:
    def made(spec: Any, at: np.ndarray) -> np.ndarray:
        return np.array([np.asarray(table) for table in posenc.tables(spec, positions(at))])

    return made


def compiled(
    xp: str, positions: Callable[[np.ndarray], Any], compiler: Callable[[Any], Any]
) -> Tables:
    """The tables that a scheme prepares inside a compiled graph, where the whole head turns."""

    def made(spec: Any, at: np.ndarray) -> np.ndarray:
        scheme = posenc.bind(spec, xp=xp)
        tables = compiler(lambda p: scheme.prepare(p).q)(positions(at))
        return np.array([np.asarray(table) for table in tables])

    return made


def strict(at: np.ndarray) -> Any:
    return array_api_strict.asarray(at)


def in_torch(backend: str) -> Callable[[Any], Any]:
    return lambda f: torch.compile(f, fullgraph=True, backend=backend)


def in_jax(at: np.ndarray) -> Any:
    assert not jax.config.jax_enable_x64
    return jax.numpy.asarray(at, dtype="int32" if at.dtype.kind == "i" else "float32")


HOST = {"numpy": eager(np.asarray), "array-api-strict": eager(strict)}
DEVICE = {
    "torch": eager(torch.asarray),
    "torch-traced": compiled("torch", torch.asarray, in_torch("aot_eager")),
    "torch-compiled": compiled("torch", torch.asarray, in_torch("inductor")),
    "jax": eager(in_jax),
    "jax-jit": compiled("jax", in_jax, jax.jit),
}
EVERYWHERE = {**HOST, **DEVICE}
BOUNDS = {**dict.fromkeys(HOST, 1e-7), **dict.fromkeys(DEVICE, 5e-7)}


def each(tables: dict[str, Tables]) -> Any:
    """A parameter for every place; generated code takes a C++ compiler, which few need to have."""
    slow = {"torch-compiled"}
    values = [pytest.param(n, marks=[pytest.mark.slow] * (n in slow)) for n in tables]
    return pytest.mark.parametrize("where", values)


@pytest.fixture(scope="module")
def due() -> dict[str, np.ndarray]:
    """The truth at the integers, which every library is held to."""
    return {name: truth(spec, integers()) for name, spec in SPECS.items()}


def test_the_oracle_agrees_with_mpmath() -> None:
    spec, at = SPECS["yarn"], integers(100)
    with mpmath.workprec(300):
        exact = [
            [
                [float(f(mpmath.mpf(p) * mpmath.mpf(w))) for w in spec.frequencies().tolist()]
                for p in at.tolist()
            ]
            for f in (mpmath.cos, mpmath.sin)
        ]
    assert np.abs(truth(spec, at) - exact).max() < 1e-15


@pytest.mark.parametrize("name", SPECS)
@each(EVERYWHERE)
def test_integer_positions(where: str, name: str, due: dict[str, np.ndarray]) -> None:
    off = np.abs(EVERYWHERE[where](SPECS[name], integers()) - due[name]).max()
    assert off <= BOUNDS[where]


@pytest.mark.parametrize("name", SPECS)
def test_float64_tables_lose_only_the_rounding_of_the_step(
    name: str, due: dict[str, np.ndarray]
) -> None:
    got = np.array(posenc.tables(SPECS[name], integers(), float64=True))
    assert np.abs(got - due[name]).max() <= 2**31 * math.tau / 2**65 + 1e-15


@each(HOST)
@pytest.mark.parametrize("limit", [2e5, 2.0**31 - 1])
def test_real_positions_on_the_host(where: str, limit: float) -> None:
    at = fractions(np.float64, limit)
    off = np.abs(HOST[where](SPECS["yarn"], at) - truth(SPECS["yarn"], at)).max()
    assert off <= 1e-7


@each(DEVICE)
def test_real_positions_on_a_device_are_taken_as_given(where: str) -> None:
    at = fractions(np.float32, 2e5)
    off = np.abs(DEVICE[where](SPECS["yarn"], at) - truth(SPECS["yarn"], at)).max()
    assert off <= 5e-7


def test_the_usual_float32_angle_is_outside_every_bound(due: dict[str, np.ndarray]) -> None:
    got = np.array(posenc.tables(SPECS["rope"], integers(), arithmetic="float32"))
    assert np.abs(got - due["rope"]).max() > 1.0
