"""Chapter 2: the position itself as a code, bare, divided, and behind norms."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, code, cosine, farthest
from posenc.claims._models import X, attention, layer_norm, rms_norm
from posenc.positions import arange
from posenc.specs._naive import Integer, NormalizedInteger

part = Part("naive")

CAT: Matrix = np.array([0.2, -0.1, 0.5])
DOG: Matrix = np.array([0.4, 0.3, -0.2])

_PETS = """\
cat, dog = np.array([[0.2, -0.1, 0.5], [0.4, 0.3, -0.2]])
def cos(p):
    a, b = cat + p, dog + p
    return a @ b / np.sqrt(a @ a * (b @ b))
"""
_FIXTURE = """\
X = np.array([[.2, -.1, .5, .1], [.9, .3, -.2, .4], [-.3, .6, .2, -.5]])
p = np.arange(300, 303)[:, None]
"""


def at(word: Matrix, position: int) -> Matrix:
    """A word vector with the integer code of its position added."""
    return np.asarray(word + code(Integer(dim=len(word)), [position])[0])


def counted(words: Matrix, first: int) -> Matrix:
    """Word vectors with the integer codes of ``first, first + 1, ...`` added."""
    count, dim = words.shape
    return np.asarray(words + code(Integer(dim=dim), range(first, first + count)))


def degrees(position: int) -> float:
    """The angle between cat and dog when both stand at a position."""
    return math.degrees(math.acos(cosine(at(CAT, position), at(DOG, position))))


@part.claim(
    "last-position",
    equal=2046.0,
    source="C2",
    plain="value = list(range(2047))[-1]",
)
def _last_position() -> float:
    return float(code(Integer(dim=1), arange(2047))[-1, 0])


@part.claim(
    "cat-and-dog",
    at_most=0.0,
    within=1e-9,
    source="A6 N3",
    plain="""
        cat, dog = np.array([0.2, -0.1, 0.5]), np.array([0.4, 0.3, -0.2])
        printed = [[300.2, 299.9, 300.5], [300.4, 300.3, 299.8]]
        value = np.abs(np.array([cat, dog]) + 300 - printed).max()
    """,
)
def _cat_and_dog() -> float:
    printed = [[300.2, 299.9, 300.5], [300.4, 300.3, 299.8]]
    return farthest(np.array([at(CAT, 300), at(DOG, 300)]), printed)


@part.claim(
    "likeness",
    at_most=0.5,
    source="A6 N3",
    plain=f"""{_PETS}\
measured = np.array([cos(p) for p in (0, 1, 10, 100, 300, 500)])
printed = [-0.169516, 0.921765, 0.998897, 0.999988597, 0.999998730, 0.999999543]
value = (np.abs(measured - printed) / [1e-6, 1e-6, 1e-6, 1e-9, 1e-9, 1e-9]).max()
""",
)
def _likeness() -> float:
    digits = np.array([1e-6, 1e-6, 1e-6, 1e-9, 1e-9, 1e-9])
    measured = np.array([cosine(at(CAT, p), at(DOG, p)) for p in (0, 1, 10, 100, 300, 500)])
    printed = [-0.169516, 0.921765, 0.998897, 0.999988597, 0.999998730, 0.999999543]
    return farthest(measured / digits, printed / digits)


@part.claim(
    "angles",
    at_most=0.5,
    source="A6 N3",
    plain=f"""{_PETS}\
measured = np.degrees(np.arccos([cos(p) for p in (0, 300, 500)]))
value = (np.abs(measured - [99.76, 0.0913, 0.0548]) / [1e-2, 1e-4, 1e-4]).max()
""",
)
def _angles() -> float:
    digits = np.array([1e-2, 1e-4, 1e-4])
    measured = np.array([degrees(p) for p in (0, 300, 500)])
    return farthest(measured / digits, [99.76, 0.0913, 0.0548] / digits)


@part.claim(
    "outweighs",
    equal=948.68,
    within=0.005,
    source="A6 N3",
    plain="value = np.linalg.norm(300 * np.ones(3)) / np.linalg.norm([0.2, -0.1, 0.5])",
)
def _outweighs() -> float:
    return float(np.linalg.norm(code(Integer(dim=3), [300])) / np.linalg.norm(CAT))


@part.claim(
    "outweighs-picture",
    equal=2173.9,
    within=0.05,
    source="A7 N3",
    plain="value = 500 / 0.23",
)
def _outweighs_picture() -> float:
    return float(code(Integer(dim=1), [500])[0, 0] / 0.23)


@part.claim(
    "integer-norm",
    equal=8184.0,
    within=1e-9,
    source="N3",
    plain="value = np.linalg.norm(1023 * np.ones(64))",
)
def _integer_norm() -> float:
    return float(np.linalg.norm(code(Integer(dim=64), [1023])))


@part.claim(
    "saturated",
    at_most=0.0,
    within=5e-7,
    verdict="only if",
    source="N3 W9",
    plain=f"""{_FIXTURE}\
Q, K, _ = np.random.RandomState(7).randn(3, 4, 4) * 0.5
s = (X + p) @ Q @ ((X + p) @ K).T / 2
e = np.exp(s - s.max(-1, keepdims=True))
value = np.abs(e / e.sum(-1, keepdims=True) - [0, 0, 1]).max()
""",
)
def _saturated() -> float:
    return farthest(attention(counted(X, 300), weights=True), [0.0, 0.0, 1.0])


@part.claim(
    "layer-norm",
    at_most=0.0,
    within=1e-12,
    source="N3 W9",
    plain="""
        def norm(x):
            return (x - x.mean()) / np.sqrt(x.var() + 1e-5)
        cat = np.array([0.2, -0.1, 0.5])
        value = np.abs(norm(cat + 300) - norm(cat)).max()
    """,
)
def _layer_norm() -> float:
    return farthest(layer_norm(at(CAT, 300)), layer_norm(CAT))


@part.claim(
    "always-drowns",
    at_least=0.1,
    within=1e-11,
    verdict="false",
    actual=0.0,
    source="A6 N3 W9",
    plain=f"""{_FIXTURE}\
Q, K, V = np.random.RandomState(7).randn(3, 4, 4) * 0.5
def f(x):
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    e = np.exp(x @ Q @ (x @ K).T / 2)
    return e / e.sum(-1, keepdims=True) @ x @ V
value = np.abs(f(X + p) - f(X)).max()
""",
)
def _always_drowns() -> float:
    placed, bare = layer_norm(counted(X, 300)), layer_norm(X)
    return farthest(attention(placed), attention(bare))


@part.claim(
    "rms-norm",
    equal=0.9999985,
    within=5e-8,
    source="N3 W9",
    plain=f"""{_FIXTURE}\
y = X + p
y = y / np.sqrt((y ** 2).mean(-1, keepdims=True) + 1e-5)
value = y[0] @ y[2] / np.linalg.norm(y[0]) / np.linalg.norm(y[2])
""",
)
def _rms_norm() -> float:
    normed = rms_norm(counted(X, 300))
    return cosine(normed[0], normed[2])


@part.claim(
    "fraction",
    at_most=0.0,
    within=1e-12,
    source="N3",
    plain="value = np.abs(np.array([10 / (21 - 1), 10 / (1001 - 1)]) - [0.5, 0.01]).max()",
)
def _fraction() -> float:
    tenth = [fraction(10, length) for length in (21, 1001)]
    return farthest(np.array(tenth), [0.5, 0.01])


@part.claim(
    "same-fraction",
    at_most=0.0,
    within=1e-12,
    source="N3",
    plain="value = abs(10 / (21 - 1) - 500 / (1001 - 1))",
)
def _same_fraction() -> float:
    return abs(fraction(10, 21) - fraction(500, 1001))


def fraction(position: int, length: int) -> float:
    """The code of a position as a share of the text."""
    return float(code(NormalizedInteger(dim=1), [position], length=length)[0, 0])
