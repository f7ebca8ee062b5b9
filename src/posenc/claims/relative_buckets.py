"""Chapter 7: T5's buckets, and what all relative encodings have in common."""

from __future__ import annotations

import numpy as np

from posenc._facade import bind
from posenc.attention import attend
from posenc.claims._chapter import Part
from posenc.claims._codes import farthest
from posenc.claims._distance import buckets, by_key, first_distances, heard, shaw
from posenc.specs._alibi import Alibi
from posenc.specs._none import NoPE
from posenc.specs._t5 import T5Bias

part = Part("relative")

GOLDEN = (
    *(-200, -128, -127, -113, -112, -91, -90, -64, -46, -45, -16, -15, -12, -11, -8, -7, -1),
    *(0, 1, 7, 8, 11, 12, 200),
)
"""Distances, key minus query, on both sides of the edges where ports go wrong."""

_BUCKET = """\
def bucket(n, wide, exact):
    log = np.log(np.maximum(n, 1) / exact) / np.log(128 / exact) * (wide - exact)
    return np.where(n < exact, n, np.minimum(exact + log.astype(int), wide - 1))
"""


@part.claim(
    "buckets-both-ways",
    at_most=0,
    source="arXiv:1910.10683",
    plain=f"""{_BUCKET}\
rel = np.array([-200, -128, -91, -90, -46, -16, -12, -8, -7, -1, 0, 1, 7, 8, 12, 200])
found = bucket(abs(rel), 16, 8) + 16 * (rel > 0)
value = abs(found - [15, 15, 15, 14, 13, 10, 9, 8, 7, 1, 0, 17, 23, 24, 25, 31]).max()
""",
)
def _buckets_both_ways() -> float:
    known = [15, 15, 15, 15, 15, 15, 14, 14, 13, 12, 10, 9, 9, 8, 8, 7, 1]
    known += [0, 17, 23, 24, 24, 25, 31]
    return farthest(buckets(GOLDEN, bidirectional=True), known)


@part.claim(
    "buckets-causal",
    at_most=0,
    source="arXiv:1910.10683",
    plain=f"""{_BUCKET}\
rel = np.array([-200, -128, -91, -90, -46, -45, -12, -8, -1, 0, 1, 7, 200])
found = bucket(np.maximum(-rel, 0), 32, 16)
value = abs(found - [31, 31, 29, 29, 24, 23, 12, 8, 1, 0, 0, 0, 0]).max()
""",
)
def _buckets_causal() -> float:
    known = [31, 31, 31, 31, 30, 29, 29, 26, 24, 23, 16, 15, 12, 11, 8, 7, 1, 0, 0, 0, 0, 0, 0, 0]
    return farthest(buckets(GOLDEN, bidirectional=False), known)


@part.claim(
    "edges-both-ways",
    at_most=0,
    source="arXiv:1910.10683",
    plain="""
        n, j = np.arange(1, 200)[:, None], np.arange(8)
        # n is in bucket 8 + j or beyond when (n / 8)^8 >= 16^j
        edges = 1 + ((n / 8) ** 8 >= 16.0**j * (1 - 1e-12)).argmax(axis=0)
        value = abs(edges - [8, 12, 16, 23, 32, 46, 64, 91]).max()
    """,
)
def _edges_both_ways() -> float:
    edges = np.array(first_distances(bidirectional=True))
    return farthest(edges, [*range(8), 8, 12, 16, 23, 32, 46, 64, 91])


@part.claim(
    "edges-causal",
    at_most=0,
    source="arXiv:1910.10683",
    plain="""
        n, j = np.arange(1, 200)[:, None], np.arange(16)
        # n is in bucket 16 + j or beyond when (n / 16)^16 >= 8^j
        edges = 1 + ((n / 16) ** 16 >= 8.0**j * (1 - 1e-12)).argmax(axis=0)
        known = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
        value = abs(edges - known).max()
    """,
)
def _edges_causal() -> float:
    known = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    return farthest(np.array(first_distances(bidirectional=False)), [*range(16), *known])


@part.claim(
    "reach-both-ways",
    equal=128,
    verdict="false",
    actual=91,
    source="arXiv:1910.10683",
    plain="""
        n = np.arange(1, 200)
        value = n[8 + np.floor(np.log(n / 8) / np.log(16) * 8) >= 15][0]
    """,
)
def _reach_both_ways() -> float:
    return first_distances(bidirectional=True)[-1]


@part.claim(
    "reach-causal",
    equal=128,
    verdict="false",
    actual=113,
    source="arXiv:1910.10683",
    plain="""
        n = np.arange(1, 200)
        value = n[16 + np.floor(np.log(n / 16) / np.log(8) * 16) >= 31][0]
    """,
)
def _reach_causal() -> float:
    return first_distances(bidirectional=False)[-1]


@part.claim(
    "t5-sign",
    equal=17,
    source="arXiv:1910.10683",
    plain="""
        query, key = 5, 6
        relative = key - query
        value = abs(relative) + (16 if relative > 0 else 0)
    """,
)
def _t5_sign() -> float:
    return float(buckets([1], bidirectional=True)[0])


@part.claim(
    "moved-together",
    at_most=1e-12,
    source="B16 B18",
    plain="""
        q, k, table = np.random.default_rng(7).normal(size=(3, 6, 8))
        n = np.arange(6)
        def logits(at):
            far = at[:, None] - at[None, :]
            shaw = (q[:, None] * table[np.clip(-far, -2, 2) + 2]).sum(-1)
            return q @ k.T + shaw - far / 2
        value = abs(logits(n) - logits(n + 1000)).max()
    """,
)
def _moved_together() -> float:
    table = np.random.default_rng(8).normal(size=(5, 8))
    moved = 0.0
    drawn = bind(T5Bias(heads=1, bidirectional=True))
    for encoding in (shaw(table, clip=2), Alibi(heads=1), drawn):
        stretched = heard(encoding, range(0, 12, 2))
        if farthest(heard(encoding, range(6)), stretched) < 1e-6:
            return np.inf  # it does not look at positions at all
        moved = max(moved, farthest(heard(encoding, range(1000, 1012, 2)), stretched))
    return moved


@part.claim(
    "bias-not-scaled",
    equal=0.606531,
    within=5e-7,
    source="arXiv:2108.12409",
    plain="""
        logits = np.zeros(2) / math.sqrt(64) - 0.5 * np.array([1, 0])
        weights = np.exp(logits) / np.exp(logits).sum()
        value = weights[0] / weights[1]
    """,
)
def _bias_not_scaled() -> float:
    q, k, v = np.zeros((1, 1, 64)), np.zeros((1, 2, 64)), np.eye(2)[None]
    here, there = np.array([1]), np.array([0, 1])
    one_head = Alibi(heads=1, slopes=(0.5,))
    far, near = attend(q, k, v, one_head, q_positions=here, k_positions=there)[0, 0]
    return float(far / near)


@part.claim(
    "key-alone",
    at_most=1e-12,
    source="arXiv:2108.12409",
    plain="""
        q, k, v = np.random.default_rng(7).normal(size=(3, 6, 8))
        n = np.arange(6)
        def attend(bias):
            e = np.exp(q @ k.T / math.sqrt(8) + bias) * (n[None, :] <= n[:, None])
            return e / e.sum(-1, keepdims=True) @ v
        value = abs(attend((n[None, :] - n[:, None]) / 2) - attend(n[None, :] / 2)).max()
    """,
)
def _key_alone() -> float:
    told = heard(Alibi(heads=1, slopes=(0.5,)), range(6), causal=True)
    if farthest(told, heard(NoPE(), range(6), causal=True)) < 1e-6:
        return np.inf  # no bias reached the logits
    return farthest(told, heard(by_key(0.5), range(6), causal=True))
