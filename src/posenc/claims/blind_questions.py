"""Chapter 1: sentences whose order attention cannot tell, three questions, and their answers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.claims._half import bfloat16
from posenc.claims._models import attention, word_vectors
from posenc.specs._sinusoidal import Sinusoidal

part = Part("blind")

TEXTS: tuple[tuple[str, ...], ...] = (
    tuple("猫咬狗"),
    tuple("狗咬人"),
    ("The", "cat", "sat", "on", "the", "mat"),
    tuple("一把把把把住"),
)
"""The sentences that the lessons began with; read backwards, they are about the opposite."""

_WORDS = """\
Q, K, V = np.random.RandomState(7).randn(3, 8, 8) * 0.5
def f(x, mask=1):
    e = np.exp(x @ Q @ (x @ K).T / 8 ** 0.5) * mask
    return e / e.sum(-1, keepdims=True) @ x @ V
"""
_ROLES = f"""{_WORDS}\
x = np.array([np.random.default_rng([ord(c)]).normal(size=8) for c in "一把把把把住"])
"""
_SLOWEST = 10_000 ** (-62 / 64)
"""Radians per position of the slowest pair of width 64."""


@part.claim(
    "dog-bites-man",
    at_most=0.0,
    within=1e-14,
    source="A1 B6 D1",
    plain=f"""{_WORDS}\
a, b = "dog bites man".split(), "man bites dog".split()
x, y = ([np.random.default_rng([*map(ord, w)]).normal(size=8) for w in s] for s in (a, b))
value = max(np.abs(f(np.array(x))[a.index(w)] - f(np.array(y))[b.index(w)]).max() for w in a)
""",
)
def _dog_bites_man() -> float:
    one, other = ("dog", "bites", "man"), ("man", "bites", "dog")
    a, b = attention(word_vectors(one)), attention(word_vectors(other))
    return max(farthest(a[one.index(word)], b[other.index(word)]) for word in one)


@part.claim(
    "reversed-sentence",
    at_most=0.0,
    within=1e-14,
    source="B5",
    plain=f"""{_WORDS}\
a, b = "The cat sat on the mat".split(), "mat the on sat cat The".split()
x, y = ([np.random.default_rng([*map(ord, w)]).normal(size=8) for w in s] for s in (a, b))
value = np.abs(f(np.array(y))[::-1] - f(np.array(x))).max()
""",
)
def _reversed_sentence() -> float:
    x = word_vectors(TEXTS[2])
    return farthest(attention(x[::-1])[::-1], attention(x))


@part.claim(
    "four-roles",
    at_most=0.0,
    within=1e-15,
    source="C1 N1",
    plain=f"{_ROLES}value = np.ptp(f(x)[1:5], axis=0).max()",
)
def _four_roles() -> float:
    return float(np.ptp(_roles(), axis=0).max())


@part.claim(
    "four-roles-causal",
    at_least=0.05,
    source="C1 N1 W1",
    plain=f"""{_ROLES}\
y = f(x, np.tri(6))[1:5]
value = min(np.abs(y[i] - y[j]).max() for i in range(4) for j in range(i))
""",
)
def _four_roles_causal() -> float:
    return nearest_pair(_roles(causal=True))


@part.claim(
    "four-roles-placed",
    at_least=0.03,
    source="C1 N1 B9",
    plain=f"""{_ROLES}\
P = np.array([[t(p / 10**i) for i in range(4) for t in (np.sin, np.cos)] for p in range(6)])
y = f(x + P)[1:5]
value = min(np.abs(y[i] - y[j]).max() for i in range(4) for j in range(i))
""",
)
def _four_roles_placed() -> float:
    return nearest_pair(_roles(Sinusoidal(dim=8)))


@part.claim(
    "which-number",
    at_most=1e-10,
    source="A14 B8 N6 N7",
    plain="""
        w = 10000 ** (-62 / 64)
        p = np.arange(47117)
        value = np.abs(np.arctan2(np.sin(p * w), np.cos(p * w)) % (2 * np.pi) / w - p).max()
    """,
)
def _which_number() -> float:
    return farthest(number_of(slowest_pair(47_117)), np.arange(47_117))


@part.claim(
    "which-number-float32",
    equal=3.1e-4,
    within=5e-6,
    source="B8 N7",
    plain="""
        w = 10000 ** (-62 / 64)
        p = np.arange(47117)
        sin, cos = (t(p * w).astype(np.float32).astype(float) for t in (np.sin, np.cos))
        value = np.abs(np.arctan2(sin, cos) % (2 * np.pi) / w - p).max()
    """,
)
def _which_number_float32() -> float:
    return farthest(number_of(slowest_pair(47_117, np.float32)), np.arange(47_117))


@part.claim(
    "which-number-bfloat16",
    equal=4.6,
    within=0.05,
    source="B8 N7",
    plain="""
        w = 10000 ** (-62 / 64)
        p = np.arange(1024)
        digits, power = np.frexp([np.sin(p * w), np.cos(p * w)])
        sin, cos = np.ldexp(np.rint(digits * 256), power - 8)
        value = np.abs(np.arctan2(sin, cos) / w - p).max()
    """,
)
def _which_number_bfloat16() -> float:
    return farthest(number_of(bfloat16(slowest_pair(1024)).astype(np.float64)), np.arange(1024))


@part.claim(
    "linear-read-out",
    at_most=1e-9,
    source="N7",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        z = np.arange(512)[:, None] * w
        A = np.column_stack([np.sin(z), np.cos(z), np.ones(512)])
        fit = np.linalg.lstsq(A[::2], np.arange(0, 512, 2), rcond=None)[0]
        value = np.abs(A[1::2] @ fit - np.arange(1, 512, 2)).max()
    """,
)
def _linear_read_out() -> float:
    return float(read_out_errors(512)[1::2].max())


@part.claim(
    "linear-read-out-beyond",
    at_least=5.0,
    source="N7",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        z = np.arange(1024)[:, None] * w
        A = np.column_stack([np.sin(z), np.cos(z), np.ones(1024)])
        fit = np.linalg.lstsq(A[:512:2], np.arange(0, 512, 2), rcond=None)[0]
        miss = np.abs(A @ fit - np.arange(1024))
        value = miss[512:].max() if miss[:512].max() < 1e-9 else math.nan
    """,
)
def _linear_read_out_beyond() -> float:
    errors = read_out_errors(1024)
    return float(errors[512:].max()) if errors[:512].max() < 1e-9 else math.nan


@part.claim(
    "who-is-before",
    equal=23_558.0,
    source="B8 N7",
    plain="""
        w = 10000 ** (-62 / 64)
        p = np.arange(40000)
        sin, cos = np.sin(p * w), np.cos(p * w)
        m = 9999
        cross = sin[m + 1 :] * cos[m] - cos[m + 1 :] * sin[m]
        value = np.argmax(cross < 0)
    """,
)
def _who_is_before() -> float:
    pairs = slowest_pair(40_000)
    # The signs of the distances 1, 2, 3, ... begin right; argmax counts them.
    return min(float(np.argmax(order_of(pairs[m], pairs[m + 1 :]) < 0)) for m in (0, 9999))


@part.claim(
    "who-is-nearest",
    equal=30.916832,
    within=5e-7,
    source="B8 N4 N7",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        near = np.cos(np.arange(1, 20_000)[:, None] * w).sum(-1)
        value = near[0] if near.argmax() == 0 else math.nan
    """,
)
def _who_is_nearest() -> float:
    rows = sinusoid(1024)
    fit = rows @ rows.T
    np.fill_diagonal(fit, -math.inf)
    strangers = np.abs(fit.argmax(-1) - np.arange(1024)) != 1
    return math.nan if strangers.any() else float(fit.max())


def _roles(encoding: Sinusoidal | None = None, *, causal: bool = False) -> Matrix:
    """What attention makes of the same word in four places."""
    return attention(word_vectors(TEXTS[3]), encoding, causal=causal)[1:5]


def nearest_pair(rows: Matrix) -> float:
    """The smallest difference between two of the rows."""
    apart = np.abs(rows[:, None] - rows).max(-1)
    return float(apart[np.triu_indices(len(rows), 1)].min())


def slowest_pair(count: int, dtype: type[np.floating[Any]] = np.float64) -> Matrix:
    """Sine and cosine of the slowest pair of width 64, ``(count, 2)``, as ``dtype`` has them."""
    rates = Sinusoidal(dim=64).constants()["rates"]
    hand = Sinusoidal(dim=2).bind({"rates": rates[-1:]})
    return np.asarray(hand.embed(np.arange(count), dtype=dtype), np.float64)  # type: ignore[misc]


def number_of(pairs: Matrix) -> Matrix:
    """Which number is this? The angle of the slowest pair, over its frequency."""
    return np.asarray(np.arctan2(pairs[..., 0], pairs[..., 1]) % math.tau / _SLOWEST)


def order_of(one: Matrix, other: Matrix) -> Matrix:
    """Who is before me? The cross product of two slowest pairs: positive if ``one`` is."""
    return np.asarray(other[..., 0] * one[..., 1] - other[..., 1] * one[..., 0])


def read_out_errors(count: int) -> Matrix:
    """What a linear read-out, fitted on even positions below 512, misses each position by."""
    places = np.arange(count)
    inputs = np.column_stack([sinusoid(count), np.ones(count)])
    fit = np.linalg.lstsq(inputs[:512:2], places[:512:2], rcond=None)[0]
    return np.asarray(np.abs(inputs @ fit - places))
