"""Chapter 5: a word and its position are added, and which of the two is larger."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, code, cosine, farthest, sinusoid
from posenc.claims._geometry import linear, unit
from posenc.specs._learned import Learned

part = Part("input")

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"


def words(count: int, dim: int = 64, *, deviation: float = 0.02) -> Matrix:
    """Word vectors as models draw them: a fresh learned table has the deviation of 0.02."""
    return code(Learned(rows=count, dim=dim), count) * (deviation / 0.02)


def size_ratio(dim: int = 768) -> float:
    """How many times longer the code is than a word vector drawn with deviation 0.02."""
    drawn = (words(256, dim) ** 2).sum(-1).mean()
    return float(np.linalg.norm(sinusoid([100], dim=dim)) / math.sqrt(drawn))


def word_share(deviation: float, dim: int = 64) -> float:
    """The mean cosine between a word vector and its sum with a code: 1 where nothing is drowned.

    Each word is taken with its opposite, so that chance leans neither way.
    """
    pairs = zip(words(1024, dim, deviation=deviation), sinusoid(1024, dim=dim), strict=True)
    return float(np.mean([cosine(e, s * e + p) * s for e, p in pairs for s in (1, -1)]))


def overlap(dim: int) -> float:
    """The mean size of the cosine between a word vector and a code, over every pair of them."""
    e, p = unit(words(256, dim)), unit(sinusoid(range(0, 512, 2), dim=dim))
    return float(np.abs(e @ p.T).mean())


@part.claim(
    "sum-moves",
    equal=5.426604,
    within=5e-7,
    source="A5 A24 B9 B11",
    plain=f"""{_W}\
r = np.random.default_rng(7)
def code(p): return np.concatenate([np.sin(p * w), np.cos(p * w)])
word = r.normal(size=64)
value = np.linalg.norm((word + code(3)) - (word + code(30)))
""",
)
def _sum_moves() -> float:
    same_word = words(1)[[0, 0]]
    a, b = same_word + sinusoid([3, 30])
    return float(np.linalg.norm(a - b))


@part.claim(
    "left-restless",
    equal=9361.264,
    within=5e-4,
    source="C19",
    plain="""
        w = 10000.0 ** (-np.arange(0, 768, 2) / 768)
        step = 2 * np.sin(w / 2)
        value = step[0] / step[-1]
    """,
)
def _left_restless() -> float:
    a, b = sinusoid([500, 501], dim=768).reshape(2, 384, 2)
    steps = np.linalg.norm(b - a, axis=-1)
    return float(steps[0] / steps[-1])


@part.claim(
    "not-sacred",
    at_most=1e-10,
    source="C20 A29",
    plain="""
        def dot(p, q, w):
            return np.sin(p * w) @ np.sin(q * w) + np.cos(p * w) @ np.cos(q * w)
        ladders = [500.0 ** (-np.arange(32) / 32), 10000.0 ** (-np.arange(32) / 31)]
        value = max(abs(dot(0, 7, w) - dot(p, p + 7, w)) for w in ladders for p in (20, 100))
    """,
)
def _not_sacred() -> float:
    spread = 0.0
    for fields in ({"base": 500.0}, {"ladder": "tensor2tensor"}):
        here, there = sinusoid([0, 20, 100], **fields), sinusoid([7, 27, 107], **fields)
        dots = (here * there).sum(-1)
        spread = max(spread, float(np.ptp(dots)))
    return spread


@part.claim(
    "concat-is-two-projections",
    at_most=1e-12,
    source="C3 N8",
    plain="""
        r = np.random.default_rng(7)
        e, p, A, B = r.normal(size=(4, 64, 64))
        value = np.abs(np.hstack([e, p]) @ np.vstack([A, B]) - (e @ A + p @ B)).max()
    """,
)
def _concat_is_two_projections() -> float:
    for_words, for_places = np.random.default_rng(7).normal(size=(2, 64, 64))
    e, p = words(20), sinusoid(20)
    beside = linear(np.hstack([e, p]), np.vstack([for_words, for_places]))
    return farthest(beside, linear(e, for_words) + linear(p, for_places))


@part.claim(
    "add-shares-projection",
    at_most=1e-12,
    source="C3 N8",
    plain="""
        r = np.random.default_rng(7)
        e, p, A = r.normal(size=(3, 64, 64))
        value = np.abs((e + p) @ A - np.hstack([e, p]) @ np.vstack([A, A])).max()
    """,
)
def _add_shares_projection() -> float:
    weight = np.random.default_rng(7).normal(size=(64, 64))
    e, p = words(20), sinusoid(20)
    beside = linear(np.hstack([e, p]), np.vstack([weight, weight]))
    added = linear(e + p, weight)
    return max(farthest(added, beside), farthest(added, linear(e, weight) + linear(p, weight)))


@part.claim(
    "never-drowned",
    at_most=1,
    within=0.1,
    verdict="false",
    actual=35.36,
    source="A23 W8 N9",
    plain="""
        e = np.random.default_rng(7).normal(0, 0.02, (1024, 768))
        value = math.sqrt(768 / 2) / np.sqrt((e ** 2).sum(-1).mean())
    """,
)
def _never_drowned() -> float:
    return size_ratio(768)


@part.claim(
    "size-constant",
    equal=math.sqrt(384),
    within=1e-9,
    source="A23 W8 N2",
    plain="""
        w = 10000.0 ** (-np.arange(0, 768, 2) / 768)
        angle = np.array([[0.0], [1e3], [1e6], [1e9]]) * w
        size = np.sqrt((np.sin(angle) ** 2 + np.cos(angle) ** 2).sum(-1))
        value = size[np.abs(size - size[0]).argmax()]
    """,
)
def _size_constant() -> float:
    sizes = np.linalg.norm(sinusoid([0, 10**3, 10**6, 10**9], dim=768), axis=-1)
    return float(sizes[np.abs(sizes - sizes[0]).argmax()])


_SHARE = f"""{_W}\
a = np.arange(1024)[:, None] * w
P = np.concatenate([np.sin(a), np.cos(a)], axis=1)
e = np.random.default_rng(7).normal(0, DEVIATION, (1024, 64))
def cos(u, v): return (u * v).sum(-1) / np.sqrt((u * u).sum(-1) * (v * v).sum(-1))
value = (cos(e, e + P).mean() + cos(e, e - P).mean()) / 2
"""


@part.claim(
    "word-share",
    equal=0.0277,
    within=5e-4,
    source="W8 N9",
    plain=_SHARE.replace("DEVIATION", "0.02"),
)
def _word_share() -> float:
    return word_share(0.02)


@part.claim(
    "word-share-scaled",
    equal=0.217,
    within=1e-3,
    source="W8 N9",
    plain=_SHARE.replace("DEVIATION", "0.02 * 64 ** 0.5"),
)
def _word_share_scaled() -> float:
    return word_share(0.02 * math.sqrt(64))


@part.claim(
    "word-share-unit",
    equal=0.813,
    within=1e-3,
    source="W8 N9",
    plain=_SHARE.replace("DEVIATION", "1.0"),
)
def _word_share_unit() -> float:
    return word_share(1.0)


_OVERLAP = """\
w = 10000.0 ** (-np.arange(0, DIM, 2) / DIM)
a = np.arange(512)[:, None] * w
P = np.concatenate([np.sin(a), np.cos(a)], axis=1) / math.sqrt(DIM / 2)
e = np.random.default_rng(7).normal(size=(512, DIM))
value = np.abs(e @ P.T / np.linalg.norm(e, axis=1)[:, None]).mean()
"""


@part.claim(
    "almost-square",
    equal=0.100,
    within=2e-3,
    source="C3",
    plain=_OVERLAP.replace("DIM", "64"),
)
def _almost_square() -> float:
    return overlap(64)


@part.claim(
    "squarer-when-wide",
    equal=0.0288,
    within=1e-3,
    source="C3",
    plain=_OVERLAP.replace("DIM", "768"),
)
def _squarer_when_wide() -> float:
    return overlap(768)


@part.claim(
    "read-from-the-sum",
    at_least=0.95,
    source="C3",
    plain="""
        w = 10000.0 ** (-np.arange(0, 768, 2) / 768)
        a = np.arange(1024)[:, None] * w
        P = np.concatenate([np.sin(a), np.cos(a)], axis=1)
        x = np.random.default_rng(7).normal(size=(1024, 768)) + P
        value = ((x @ P.T).argmax(1) == np.arange(1024)).mean()
    """,
)
def _read_from_the_sum() -> float:
    places = sinusoid(1024, dim=768)
    there = np.arange(0, 1024, 4)
    sums = words(256, 768, deviation=1.0) + places[there]
    return float(((sums @ places.T).argmax(1) == there).mean())
