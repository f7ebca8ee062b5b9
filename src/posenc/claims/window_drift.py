"""Chapter 10: what becomes of a cached key that is turned again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._facade import tables
from posenc.claims._chapter import Part
from posenc.claims._half import bfloat16, float16
from posenc.claims._turned import pair, spun
from posenc.functional._rotary import rotate
from posenc.specs._rope import Rope

part = Part("window")


def _float32(values: Any) -> Any:
    return np.asarray(values, np.float32)


FORMATS: dict[str, Callable[[Any], Any]] = {
    "float32": _float32,
    "float16": float16,
    "bfloat16": bfloat16,
}
"""How a cache may hold its keys; the rotation itself is always in float32."""

_KEY = """\
w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
k = np.random.default_rng(0).standard_normal((2, 64))[1]
z = (k[:32] + 1j * k[32:]) * np.exp(2000j * w)
"""


def drift(held: str, *, turns: int) -> float:
    """How far a key moved from 2000 to 1000 in ``turns`` equal turns ends from where it belongs.

    The largest distance in any of the 32 planes; the key is rounded to ``held`` after each turn.
    """
    _, k = pair(64)
    keep = FORMATS[held]
    cos, sin = tables(Rope(dim=64, layout="half"), np.array([2000, -1000 // turns]))
    x = keep(rotate(k.astype(np.float32), cos[0], sin[0], layout="half", xp=np))
    for _ in range(turns):
        x = keep(rotate(x, cos[1], sin[1], layout="half", xp=np))
    return float(np.abs(x[:32] + 1j * x[32:] - spun(k, 1000)).max())


def _plain(hold: str) -> str:
    return f"""{_KEY}\
hold = lambda x: {hold}
a, b, c, s = *hold([z.real, z.imag]), *np.float32([np.cos(w), -np.sin(w)])
for _ in range(1000):
    a, b = hold([a * c - b * s, a * s + b * c])
value = np.abs(a + 1j * b - z * np.exp(-1000j * w)).max()
"""


@part.claim(
    "one-jump",
    at_most=2.4e-7,
    source="vllm-project/vllm#57672 W10",
    plain=f"""{_KEY}\
c, s = np.float32([np.cos(1000 * w), -np.sin(1000 * w)])
a, b = np.float32([z.real, z.imag])
value = np.abs((a * c - b * s) + 1j * (a * s + b * c) - z * np.exp(-1000j * w)).max()
""",
)
def _one_jump() -> float:
    return drift("float32", turns=1)


@part.claim(
    "drift",
    equal=5.7e-5,
    within=0.2e-5,
    source="vllm-project/vllm#57672 W10",
    plain=_plain("np.float32(x)"),
)
def _drift() -> float:
    return drift("float32", turns=1000)


@part.claim(
    "drift-float16",
    equal=0.26,
    within=0.05,
    source="vllm-project/vllm#57672",
    plain=_plain("np.float32(np.float16(x))"),
)
def _drift_float16() -> float:
    return drift("float16", turns=1000)


@part.claim(
    "drift-bfloat16",
    equal=1.8,
    within=0.2,
    source="vllm-project/vllm#57672",
    plain=_plain('(np.float32(x).view("u4") + 0x8000 & 0xFFFF0000).view("f4")'),
)
def _drift_bfloat16() -> float:
    return drift("bfloat16", turns=1000)
