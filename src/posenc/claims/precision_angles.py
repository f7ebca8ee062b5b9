"""Chapter 12: the angle itself, in float32, in float64 and counted in turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posenc._facade import tables
from posenc._typing import Arithmetic
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest
from posenc.claims._exact import cosines
from posenc.claims._pairs import TEXTBOOK
from posenc.specs._rope import Rope

part = Part("precision")

_FAR = [2**31 - 1, 2_147_483_029, 2_146_999_983, 1_999_999_943, -2_147_483_647, -1_987_654_321]
"""Positions near both ends of the range, picked by hand."""

_LENGTHS = [4095, 32_767, 131_071, 262_143, 1_048_575]

_FLOAT32 = """\
p = np.arange({0} - 2048, {0})[:, None]
w = 10000.0 ** (-np.arange(0, 128, 2) / 128)
w32 = np.float32(1) / (10000.0 ** (np.arange(0, 128, 2) / 128)).astype(np.float32)
value = np.abs(np.cos(p.astype(np.float32) * w32) - np.cos(p * w)).max()
"""
_TABLE32 = """\
p = np.array([4095, 32767, 131071, 262143, 1048575])[:, None]
w = {base} ** (-np.arange(0, 128, 2) / 128)
w32 = np.float32(1) / ({base} ** (np.arange(0, 128, 2) / 128)).astype(np.float32)
off = np.abs(np.cos(p.astype(np.float32) * w32) - np.cos(p * w)).max(-1)
value = np.abs(off / {want} - 1).max()
"""
_TURNS = """\
turn = 6283185307179586476925286766559005768394338798750211641949889185  # 2 pi, times 10^63
w = [(10000.0 ** (-i / 64)).as_integer_ratio() for i in range(64)]
def exact(p, n, d):  # p n / d less its whole turns
    return math.cos(p * n * 10**63 // d % turn / 10**63)
def counted(p, n, d):  # in units of 2^-64 turn
    return math.cos(p * ((n * 2**65 * 10**63 // (d * turn) + 1) // 2) % 2**64 * math.tau / 2**64)
"""


def _error(where: Matrix, arithmetic: Arithmetic, base: float = 10_000.0) -> Matrix:
    """What the cosines of 64 pairs are off by at each position, at worst; below two million."""
    cos, _ = tables(replace(TEXTBOOK, base=base), where, arithmetic=arithmetic)
    # A float64 product is right to 1e-10 that far.
    true = np.cos(where[:, None] * base ** (-np.arange(64) / 64))
    return np.asarray(np.abs(cos - true).max(-1))


def _error_before(length: int, arithmetic: Arithmetic) -> float:
    where: Matrix = np.arange(length - 2048.0, length)
    return float(_error(where, arithmetic).max())


@part.claim(
    "float32-131072",
    equal=0.007718,
    within=5e-7,
    source="ml-explore/mlx-lm#1076",
    plain=_FLOAT32.format(131072),
)
def _float32_131072() -> float:
    return _error_before(131_072, "float32")


@part.claim(
    "float32-million",
    equal=0.060409,
    within=5e-7,
    source="ml-explore/mlx-lm#1076",
    plain=_FLOAT32.format(1000000),
)
def _float32_million() -> float:
    return _error_before(1_000_000, "float32")


@part.claim(
    "float32-short",
    equal=6.55e-5,
    within=5e-8,
    source="EleutherAI/gpt-neox#1003",
    plain="""
        p = np.arange(2048)[:, None]
        w = 10000.0 ** (-np.arange(0, 32, 2) / 32)
        w32 = np.float32(1) / (10000.0 ** (np.arange(0, 32, 2) / 32)).astype(np.float32)
        value = np.abs(np.cos(p.astype(np.float32) * w32) - np.cos(p * w)).max()
    """,
)
def _float32_short() -> float:
    spec, where = Rope(dim=32, layout="half"), np.arange(2048)
    rounded, _ = tables(spec, where, arithmetic="float32")
    return farthest(rounded, tables(spec, where, float64=True)[0])


@part.claim(
    "float32-lengths",
    at_most=0.0036,
    source="ml-explore/mlx-lm#1076",
    plain=_TABLE32.format(base="10000.0", want="[1.36e-4, 4.76e-4, 4.15e-3, 1.38e-2, 2.51e-2]"),
)
def _float32_lengths() -> float:
    off = _error(np.array(_LENGTHS), "float32")
    return farthest(off / [1.36e-4, 4.76e-4, 4.15e-3, 1.38e-2, 2.51e-2], 1)


@part.claim(
    "float32-large-base",
    at_most=0.0036,
    source="ml-explore/mlx-lm#1076",
    plain=_TABLE32.format(base="1e6", want="[9.49e-5, 4.76e-4, 4.77e-3, 1.89e-2, 6.83e-2]"),
)
def _float32_large_base() -> float:
    off = _error(np.array(_LENGTHS), "float32", base=1e6)
    return farthest(off / [9.49e-5, 4.76e-4, 4.77e-3, 1.89e-2, 6.83e-2], 1)


@part.claim(
    "exact-131072",
    at_most=1e-7,
    source="docs/explanation/numerics",
    plain=f"""{_TURNS}\
places = (131071, 130048, 129025)
value = max(abs(np.float32(counted(p, *f)) - exact(p, *f)) for p in places for f in w)
""",
)
def _exact_131072() -> float:
    return _error_before(131_072, "exact")


@part.claim(
    "exact-million",
    at_most=1e-7,
    source="ml-explore/mlx-lm#1076",
    plain=f"""{_TURNS}\
places = (999999, 998976, 997953)
value = max(abs(np.float32(counted(p, *f)) - exact(p, *f)) for p in places for f in w)
""",
)
def _exact_million() -> float:
    return _error_before(1_000_000, "exact")


@part.claim(
    "exact-far",
    at_most=1e-7,
    source="docs/explanation/numerics",
    plain=f"""{_TURNS}\
places = (2147483647, 2146999983, -2147483647, -1987654321)
value = max(abs(np.float32(counted(p, *f)) - exact(p, *f)) for p in places for f in w)
""",
)
def _exact_far() -> float:
    cos, _ = tables(TEXTBOOK, np.array(_FAR))
    return farthest(cos, cosines(_FAR, 10_000.0 ** (-np.arange(64) / 64)))


@part.claim(
    "phase-far",
    at_most=4e-10,
    source="docs/explanation/numerics",
    plain=f"""{_TURNS}\
places = (2147483647, 2146999983, -2147483647, -1987654321)
value = max(abs(counted(p, *f) - exact(p, *f)) for p in places for f in w)
""",
)
def _phase_far() -> float:
    cos, _ = tables(TEXTBOOK, np.array(_FAR), float64=True)
    return farthest(cos, cosines(_FAR, 10_000.0 ** (-np.arange(64) / 64)))


@part.claim(
    "float64-product",
    equal=1.19e-7,
    within=1e-9,
    source="docs/explanation/numerics",
    plain="""
        turn = 6283185307179586476925286766559005768394338798750211641949889185  # times 10^63
        def exact(p, w):
            n, d = w.as_integer_ratio()
            return math.cos(p * n * 10**63 // d % turn / 10**63)
        w = [10000.0 ** (-i / 64) for i in range(64)]
        places = (2147483647, 2147483029, 2146999983, 1999999943, -2147483647, -1987654321)
        value = max(abs(math.cos(p * f) - exact(p, f)) for p in places for f in w)
    """,
)
def _float64_product() -> float:
    cos, _ = tables(TEXTBOOK, np.array(_FAR), float64=True)
    return farthest(np.cos(np.array(_FAR)[:, None] * 10_000.0 ** (-np.arange(64) / 64)), cos)


@part.claim(
    "far-values",
    at_most=5e-13,
    source="kekzl/imp#1630",
    plain="""
        far = np.array([48040, 100000])
        want = [0.329654534247, -0.999360807438, -0.944101630149, 0.035748797972]
        value = np.abs(np.concatenate([np.cos(far), np.sin(far)]) - want).max()
    """,
)
def _far_values() -> float:
    cos, sin = tables(TEXTBOOK, np.array([48_040, 100_000]), float64=True)
    want = [0.329654534247, -0.999360807438, -0.944101630149, 0.035748797972]
    return farthest(np.concatenate([cos[:, 0], sin[:, 0]]), want)


@part.claim(
    "float32-counts",
    equal=1,
    within=1e-6,
    source="keras-team/keras-hub#1494",
    plain="value = 16_777_217 - float(np.float32(16_777_217))",
)
def _float32_counts() -> float:
    (a, b), (c, d) = (
        tables(TEXTBOOK, np.array([16_777_217], kind), float64=True) for kind in (int, np.float32)
    )
    return float(np.arccos(a[0, 0] * c[0, 0] + b[0, 0] * d[0, 0]))
