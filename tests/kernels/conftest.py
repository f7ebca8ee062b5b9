"""What a rotation should give, in wider numbers, and which body gave it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc.functional import _rotary
from posenc.kernels import _gradient, _rotate

PRECISION = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
"""Significant bits."""


def numbers(array: Any) -> np.ndarray:
    """Any array in more bits than it has."""
    if not isinstance(array, np.ndarray):
        array = array.detach().double().resolve_neg().numpy()
    return array.astype(np.longdouble)


def kind(array: Any) -> str:
    return str(getattr(array.dtype, "name", array.dtype)).removeprefix("torch.")


def channels(pairs: int, layout: str, start: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second member of each pair."""
    each = np.arange(pairs)
    if layout == "half":
        return start + each, start + pairs + each
    return start + 2 * each, start + 2 * each + 1


def _check_turned(got: Any, x: Any, cos: Any, sin: Any, *, layout: str, start: int = 0) -> None:
    """Hold a rotation to the formula: what turns within its rounding, the rest to the bit."""
    name = kind(x)
    assert got.dtype == x.dtype
    x, got = numbers(x), numbers(got)
    assert got.shape == x.shape
    wide = 53 if name == "float64" else 24
    cos, sin = (numbers(t).astype("f8" if wide == 53 else "f4").astype(x.dtype) for t in (cos, sin))
    first, second = channels(cos.shape[-1], layout, start)
    a, b = x[..., first], x[..., second]
    due = {"first": (a * cos - b * sin, first), "second": (a * sin + b * cos, second)}
    size = (np.abs(a) + np.abs(b)) * max(1, np.abs(cos).max(initial=0), np.abs(sin).max(initial=0))
    for number, at in due.values():
        # Two products and a sum; then, where tokens are narrower, one rounding to nearest.
        allowed = 2.0 ** (1 - wide) * size + 2.0**-149 * (name != "float64")
        if wide != PRECISION[name]:
            least = 2.0**-25 if name == "float16" else 0.0
            allowed = allowed + np.maximum(np.abs(number) * 2.0 ** -PRECISION[name], least)
        assert (np.abs(got[..., at] - number) <= allowed).all()
    around = np.setdiff1d(np.arange(x.shape[-1]), np.concatenate([first, second]))
    assert np.array_equal(got[..., around], x[..., around])


@pytest.fixture(scope="session")
def check_turned() -> Callable[..., None]:
    return _check_turned


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Filled with which body answered: "loop" or "plain"."""
    seen: list[str] = []
    loop, plain = _rotate.turn, _rotary.rotate

    def by_loop(*arguments: Any, **options: Any) -> Any:
        answer = loop(*arguments, **options)
        seen.extend(["loop"] if answer is not None else [])
        return answer

    def by_operations(*arguments: Any, **options: Any) -> Any:
        seen.append("plain")
        return plain(*arguments, **options)

    for module in (_rotate, _gradient):
        monkeypatch.setattr(module, "turn", by_loop)
    monkeypatch.setattr(_rotary, "rotate", by_operations)
    return seen


@pytest.fixture
def fresh_process() -> Callable[..., str]:
    """What a new interpreter prints that runs some code; it must end well."""

    def run(code: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-2000:] or f"ended by signal {-done.returncode}"
        return done.stdout

    return run
