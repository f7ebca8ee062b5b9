"""Chapter 7: Shaw's vectors and ALiBi's slopes."""

from __future__ import annotations

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest
from posenc.claims._distance import bias, heard, shaw, shaw_rows
from posenc.specs._alibi import Alibi

part = Part("relative")

HALVES: tuple[float, ...] = (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256)
"""The slopes of eight heads."""


def slopes(heads: int) -> Matrix:
    """What one step back costs in each head."""
    return -bias(Alibi(heads=heads), 1, [0])[:, 0, 0]


@part.claim(
    "shaw-rows",
    at_most=0,
    source="B18 arXiv:1803.02155",
    plain="""
        query, keys, k = 3, np.arange(6), 2
        rows = np.clip(keys - query, -k, k) + k
        value = np.abs(rows - [0, 0, 1, 2, 3, 4]).max()
    """,
)
def _shaw_rows() -> float:
    return farthest(shaw_rows(np.array([3]), np.arange(6), clip=2), [[0, 0, 1, 2, 3, 4]])


@part.claim(
    "shaw-clips",
    at_most=1e-12,
    source="B18 arXiv:1803.02155",
    plain="""
        q, k, table = np.random.default_rng(7).normal(size=(3, 5, 8))
        def logits(keys):
            rows = np.clip(keys - 3, -2, 2) + 2
            return (k + table[rows]) @ q[0]
        near, far = np.array([1, 2, 3, 4, 5]), np.array([-50, 2, 3, 4, 90])
        value = np.abs(logits(near) - logits(far)).max()
    """,
)
def _shaw_clips() -> float:
    encoding = shaw(np.random.default_rng(8).normal(size=(5, 8)), clip=2)
    near, far = (heard(encoding, [0, gap]) for gap in (2, 100))
    closer = heard(encoding, [0, 1])
    return farthest(near, far) if farthest(near, closer) > 1e-6 else np.inf


@part.claim(
    "eight-slopes",
    at_most=0,
    source="arXiv:2108.12409",
    plain="""
        slopes = 2.0 ** -np.arange(1, 9)
        value = np.abs(slopes - [1/2, 1/4, 1/8, 1/16, 1/32, 1/64, 1/128, 1/256]).max()
    """,
)
def _eight_slopes() -> float:
    return farthest(slopes(8), HALVES)


@part.claim(
    "twelve-slopes",
    at_most=5e-8,
    source="arXiv:2108.12409 ml-explore/mlx#343",
    plain="""
        slopes = [2.0**-h for h in range(1, 9)] + [2.0 ** (-h / 2) for h in (1, 3, 5, 7)]
        known = [1/2, 1/4, 1/8, 1/16, 1/32, 1/64, 1/128, 1/256]
        known += [0.70710678, 0.35355339, 0.17677670, 0.08838835]
        value = np.abs(np.array(slopes) - known).max()
    """,
)
def _twelve_slopes() -> float:
    return farthest(slopes(12), [*HALVES, 0.70710678, 0.35355339, 0.17677670, 0.08838835])


@part.claim(
    "six-slopes",
    at_most=0,
    source="ml-explore/mlx#343",
    plain="""
        slopes = [2.0 ** (-2 * h) for h in range(1, 5)] + [2.0**-h for h in (1, 3)]
        known = [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
        value = np.abs(np.array(slopes) - known).max()
    """,
)
def _six_slopes() -> float:
    return farthest(slopes(6), [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125])


@part.claim(
    "three-slopes",
    at_most=0,
    source="ml-explore/mlx#343",
    plain="""
        slopes = [2.0 ** (-4 * h) for h in (1, 2)] + [2.0**-2]
        value = np.abs(np.array(slopes) - [0.0625, 0.00390625, 0.25]).max()
    """,
)
def _three_slopes() -> float:
    return farthest(slopes(3), [0.0625, 0.00390625, 0.25])


@part.claim(
    "one-formula",
    equal=2**-6,
    within=5e-8,
    verdict="false",
    actual=0.70710678,
    source="ml-explore/mlx#343 arXiv:2108.12409",
    plain="""
        first_eight = [2.0**-h for h in range(1, 9)]
        between = [2.0 ** (-h / 2) for h in range(1, 17)][::2]
        value = (first_eight + between[:4])[9 - 1]
    """,
)
def _one_formula() -> float:
    return float(slopes(12)[8])


@part.claim(
    "starts-at-one",
    equal=1,
    verdict="false",
    actual=0.5,
    source="paiml/aprender#2143",
    plain="""
        value = 2.0 ** (-8 * 1 / 8)
    """,
)
def _starts_at_one() -> float:
    return float(slopes(8)[0])


@part.claim(
    "far-costs",
    equal=-2.5,
    source="meta-pytorch/attention-gym#86 arXiv:2108.12409",
    plain="""
        slope, query, key = 0.5, 5, 0
        value = -slope * (query - key)
    """,
)
def _far_costs() -> float:
    return float(bias(Alibi(heads=8), 5, [0])[0, 0, 0])


@part.claim(
    "one-query-many-keys",
    at_most=0,
    source="keras-team/keras-hub#2862 arXiv:2108.12409",
    plain="""
        query, keys = np.array([7]), np.arange(8)
        bias = -0.5 * (query[:, None] - keys)
        value = np.abs(bias - [[-3.5, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0]]).max()
    """,
)
def _one_query_many_keys() -> float:
    cached = bias(Alibi(heads=8), 7, range(8))[0]
    return farthest(cached, [[-3.5, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0]])


@part.claim(
    "both-sides",
    at_most=0,
    verdict="false",
    actual=2.5,
    source="meta-pytorch/attention-gym#86 arXiv:2108.12409",
    plain="""
        slope, query, keys = 0.5, 0, np.arange(6)
        value = (-slope * (query - keys)).max()
    """,
)
def _both_sides() -> float:
    return float(bias(Alibi(heads=8), 0, range(6))[0].max())


@part.claim(
    "both-sides-symmetric",
    equal=-2.5,
    verdict="only if",
    source="meta-pytorch/attention-gym#86 arXiv:2108.12409",
    plain="""
        slope, query, keys = 0.5, 5, np.array([0, 10])
        bias = -slope * np.abs(query - keys)
        value = bias[np.abs(bias + 2.5).argmax()]
    """,
)
def _both_sides_symmetric() -> float:
    costs = bias(Alibi(heads=8, symmetric=True), 5, [0, 10])[0, 0]
    return float(costs[np.abs(costs + 2.5).argmax()])
