"""Chapter 1: what attention over vectors knows of their order."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import farthest
from posenc.claims._models import X, attention, recurrence
from posenc.specs._sinusoidal import Sinusoidal

part = Part("blind")

_FIXTURE = """\
X = np.array([[.2, -.1, .5, .1], [.9, .3, -.2, .4], [-.3, .6, .2, -.5]])
Q, K, V = np.random.RandomState(7).randn(3, 4, 4) * 0.5
"""
_ATTENTION = f"""{_FIXTURE}\
def f(x):
    e = np.exp(x @ Q @ (x @ K).T / 2)
    return e / e.sum(-1, keepdims=True) @ x @ V
"""


@part.claim(
    "outputs",
    at_most=5e-7,
    source="A2 B7 N1",
    plain=f"""{_FIXTURE}\
e = np.exp(X @ Q @ (X @ K).T / 2)
printed = [[-0.368227, 0.250830, -0.023185, -0.177202],
           [-0.356664, 0.214784, -0.045095, -0.165628],
           [-0.263842, 0.236491, 0.020736, -0.202990]]
value = np.abs(e / e.sum(-1, keepdims=True) @ X @ V - printed).max()
""",
)
def _outputs() -> float:
    printed = [
        [-0.368227, 0.250830, -0.023185, -0.177202],
        [-0.356664, 0.214784, -0.045095, -0.165628],
        [-0.263842, 0.236491, 0.020736, -0.202990],
    ]
    return farthest(attention(X), printed)


@part.claim(
    "weighted-mean",
    at_most=0.0,
    within=1e-15,
    source="A3 B7",
    plain=f"""{_FIXTURE}\
e = np.exp(X @ Q @ (X @ K).T / 2)
share = e / e.sum(-1, keepdims=True)
value = np.abs(share.sum(-1) - 1).max() if share.min() > 0 else math.inf
""",
)
def _weighted_mean() -> float:
    share = attention(X, weights=True)
    return farthest(share.sum(-1), 1.0) if share.min() > 0 else math.inf


@part.claim(
    "equivariance",
    at_most=0.0,
    within=1e-15,
    verdict="only if",
    source="A2 A3 N1 W1",
    plain=f"{_ATTENTION}value = np.abs(f(X[::-1]) - f(X)[::-1]).max()",
)
def _equivariance() -> float:
    return farthest(attention(X[::-1]), attention(X)[::-1])


@part.claim(
    "invariance",
    equal=0.0,
    within=5e-7,
    verdict="false",
    actual=0.104385,
    source="A3 B1 W1",
    plain=f"{_ATTENTION}value = np.abs(f(X[::-1]) - f(X)).max()",
)
def _invariance() -> float:
    return farthest(attention(X[::-1]), attention(X))


@part.claim(
    "pooled",
    at_most=0.0,
    within=1e-15,
    source="W1",
    plain=f"{_ATTENTION}value = np.abs(f(X[::-1]).mean(0) - f(X).mean(0)).max()",
)
def _pooled() -> float:
    return farthest(attention(X[::-1]).mean(0), attention(X).mean(0))


@part.claim(
    "bit-for-bit",
    equal=1.0,
    within=0.5,  # how many bits survive depends on the machine; never nearly all of them
    verdict="false",
    actual=0.16,
    source="A2 N1 W1",
    plain=f"""{_ATTENTION}\
x = np.random.RandomState(1).randn(64, 4)
value = (f(x[::-1]) == f(x)[::-1]).mean()
""",
)
def _bit_for_bit() -> float:
    x = np.random.RandomState(1).randn(64, 4)
    swapped, expected = attention(x[::-1]), attention(x)[::-1]
    return float((swapped == expected).mean()) if farthest(swapped, expected) < 1e-12 else math.nan


@part.claim(
    "with-positions",
    equal=0.989503,
    within=5e-7,
    source="A5 B9 N1",
    plain=f"""{_ATTENTION}\
P = np.array([[np.sin(p), np.cos(p), np.sin(p / 100), np.cos(p / 100)] for p in range(3)])
value = np.abs(f(X[::-1] + P) - f(X + P)[::-1]).max()
""",
)
def _with_positions() -> float:
    told = Sinusoidal(dim=4)
    return farthest(attention(X[::-1], told), attention(X, told)[::-1])


@part.claim(
    "any-mask",
    equal=0.0,
    within=5e-7,
    verdict="false",
    actual=0.779800,
    source="A3 B1 N1 W1",
    plain=f"""{_FIXTURE}\
def f(x):
    e = np.tril(np.exp(x @ Q @ (x @ K).T / 2))
    return e / e.sum(-1, keepdims=True) @ x @ V
value = np.abs(f(X[::-1]) - f(X)[::-1]).max()
""",
)
def _any_mask() -> float:
    return farthest(attention(X[::-1], causal=True), attention(X, causal=True)[::-1])


@part.claim(
    "prefix-length",
    at_most=0.0,
    within=1e-10,
    source="W1 arXiv:2305.19466",
    plain="""
        seen = np.tril(np.ones((64, 64)))
        share = seen / seen.sum(-1, keepdims=True)
        value = np.abs(1 / share[:, 0] - 1 - np.arange(64)).max()
    """,
)
def _prefix_length() -> float:
    # Equal words share their weight equally, so the first one's share is one over the prefix.
    share = attention(np.ones((64, 4)), causal=True, weights=True)
    return farthest(1 / share[:, 0] - 1, np.arange(64))


@part.claim(
    "recurrence",
    equal=0.616149,
    within=5e-7,
    source="A4",
    plain=f"""{_FIXTURE}\
def f(x, h=0):
    return [h := np.tanh(row @ Q + h @ K) for row in x]
h = np.zeros(4)
value = np.abs(np.array(f(X[::-1], h)) - f(X, h)[::-1]).max()
""",
)
def _recurrence() -> float:
    return farthest(recurrence(X[::-1]), recurrence(X)[::-1])


@part.claim(
    "path",
    equal=32.0,
    source="W24",
    plain="""
        n = 64
        steps = np.arange(n)[:, None] - np.arange(n)
        taps = (steps >= 0) & (steps < 3)
        reach, layers = taps, 1
        while not reach[-1, 0]:
            reach, layers = taps @ reach, layers + 1
        value = layers
    """,
)
def _path() -> float:
    taps = layers_across(64, window=3)
    return taps / layers_across(64)


def layers_across(tokens: int, *, window: int | None = None) -> float:
    """How many causal layers it takes until the last token hears of the first."""
    sees = attention(np.ones((tokens, 4)), causal=True, window=window, weights=True) > 0
    reach = sees
    for layers in range(1, tokens + 1):
        if reach[-1, 0]:
            return layers
        reach = sees @ reach
    return math.inf
