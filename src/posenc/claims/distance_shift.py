"""Chapter 4: moving by k is one rotation for every position, and what breaks it."""

from __future__ import annotations

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.specs._sinusoidal import Sinusoidal

part = Part("distance")

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"
_WRONG = f"""{_W}\
p, i = np.arange(1024)[:, None], np.arange(32)
wrong = 10000.0 ** (-(2 * i + 1) / 64)
code = np.concatenate([np.sin(p * w), np.cos(p * wrong)], axis=-1)
"""
_SINES = f"{_W}code = np.sin(np.arange(1100)[:, None] * w)\n"


def shift_miss(k: float, dim: int, positions: range) -> float:
    """How far M_k PE(p) is from PE(p + k) at worst, over these positions."""
    here = np.asarray(positions)
    moved = sinusoid(here, dim) @ Sinusoidal(dim=dim).shift(k).T
    return farthest(moved, sinusoid(here + k, dim))


def sines(count: int) -> Matrix:
    """The code without its cosines."""
    return sinusoid(count)[:, 0::2]


def map_miss(code: Matrix, k: int) -> float:
    """What the best linear map (least squares) from each row to the k-th after it misses by."""
    best = np.linalg.lstsq(code[:-k], code[k:], rcond=None)[0]
    return farthest(code[:-k] @ best, code[k:])


def wrong_exponent(count: int) -> Matrix:
    """A common slip: the cosine of pair i turns at 10000^(-(2i + 1)/64), its sine at -2i/64.

    Both rates are in the ladder of width 128: its even pairs and its odd ones.
    """
    wide = sinusoid(count, dim=128)
    return np.concatenate([wide[:, 0::4], wide[:, 3::4]], axis=-1)


@part.claim(
    "angle-sum",
    at_most=0.0,
    within=1e-12,
    source="A20 C15",
    plain=f"""{_W}\
p, k = np.arange(1024)[:, None], 27
s, c, sk, ck = np.sin(p * w), np.cos(p * w), np.sin(k * w), np.cos(k * w)
off_sine = s * ck + c * sk - np.sin((p + k) * w)
off_cosine = c * ck - s * sk - np.cos((p + k) * w)
value = max(np.abs(off_sine).max(), np.abs(off_cosine).max())
""",
)
def _angle_sum() -> float:
    k, rows = 27, sinusoid(1051)
    s, c, sk, ck = rows[:-k, 0::2], rows[:-k, 1::2], rows[k, 0::2], rows[k, 1::2]
    there = rows[k:]
    return max(
        farthest(s * ck + c * sk, there[:, 0::2]),
        farthest(c * ck - s * sk, there[:, 1::2]),
    )


@part.claim(
    "shift",
    at_most=0.0,
    within=1e-14,
    source="A20 C15 D3 D10 N4",
    plain="""
        p, i = np.arange(90)[:, None], np.arange(8)
        w, M, value = 10000.0 ** (-i / 8), np.zeros((16, 16)), 0
        code = lambda p: np.stack([np.sin(p * w), np.cos(p * w)], axis=-1).reshape(-1, 16)
        for k in (1, 5):
            M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = np.cos(k * w)
            M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = np.sin(k * w), -np.sin(k * w)
            value = max(value, np.abs(code(p) @ M.T - code(p + k)).max())
    """,
)
def _shift() -> float:
    return max(shift_miss(k, 16, range(90)) for k in (1, 5))


@part.claim(
    "shift-in-window",
    at_most=0.0,
    within=1e-12,
    source="A20 C14 N4",
    plain="""
        w, p = 10000.0 ** (-np.arange(0, 768, 2) / 768), np.arange(0, 2047, 31)[:, None]
        s, c = np.sin(p * w), np.cos(p * w)
        off_sine = s * np.cos(w) + c * np.sin(w) - np.sin((p + 1) * w)
        off_cosine = c * np.cos(w) - s * np.sin(w) - np.cos((p + 1) * w)
        value = max(np.abs(off_sine).max(), np.abs(off_cosine).max())
    """,
)
def _shift_in_window() -> float:
    return shift_miss(1, 768, range(0, 2047, 31))


@part.claim(
    "orthogonal",
    at_most=0.0,
    within=1e-15,
    source="C16 N4",
    plain="""
        i, M = np.arange(8), np.zeros((16, 16))
        angle = 5 * 10000.0 ** (-i / 8)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = np.cos(angle)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = np.sin(angle), -np.sin(angle)
        value = np.abs(M.T @ M - np.eye(16)).max()
    """,
)
def _orthogonal() -> float:
    matrix = Sinusoidal(dim=16).shift(5)
    return farthest(matrix.T @ matrix, np.eye(16))


@part.claim(
    "determinant",
    equal=1.0,
    within=1e-12,
    source="C16 N4",
    plain="""
        i, M = np.arange(8), np.zeros((16, 16))
        angle = 5 * 10000.0 ** (-i / 8)
        M[2 * i, 2 * i] = M[2 * i + 1, 2 * i + 1] = np.cos(angle)
        M[2 * i, 2 * i + 1], M[2 * i + 1, 2 * i] = np.sin(angle), -np.sin(angle)
        value = np.linalg.det(M)
    """,
)
def _determinant() -> float:
    return float(np.linalg.det(Sinusoidal(dim=16).shift(5)))


@part.claim(
    "blocks",
    at_most=0.0,
    within=1e-12,
    source="C15 C16",
    plain="""
        w, value = 10000.0 ** (-np.arange(8) / 8), 0
        for angle in 5 * w:
            block = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            here, there = 7 * angle / 5, 12 * angle / 5
            moved = block @ [math.sin(here), math.cos(here)]
            value = max(value, np.abs(moved - [math.sin(there), math.cos(there)]).max())
    """,
)
def _blocks() -> float:
    blocks = np.zeros((16, 16))
    for i, angle in enumerate(5 * 10_000 ** (-np.arange(8) / 8)):
        cos, sin = np.cos(angle), np.sin(angle)
        blocks[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
    return farthest(Sinusoidal(dim=16).shift(5), blocks)


@part.claim(
    "sines-norm",
    at_most=5e-7,
    source="N4",
    plain=f"""{_W}\
size = np.sqrt((np.sin(np.arange(1024)[:, None] * w) ** 2).sum(axis=-1))
value = max(abs(size.min() - 0), abs(size.max() - 4.190612))
""",
)
def _sines_norm() -> float:
    size = np.linalg.norm(sines(1024), axis=-1)
    return farthest([size.min(), size.max()], [0, 4.190612])


@part.claim(
    "sines-map",
    at_most=1e-4,
    source="N4",
    plain=f"""{_SINES}value = 0
for k, printed in [(1, 0.8885), (7, 1.0826)]:
    best = np.linalg.lstsq(code[:-k], code[k:], rcond=None)[0]
    value = max(value, abs(np.abs(code[:-k] @ best - code[k:]).max() - printed))
""",
)
def _sines_map() -> float:
    missed = [map_miss(sines(1100), k) for k in (1, 7)]
    return farthest(missed, [0.8885, 1.0826])


@part.claim(
    "sines-from-zero",
    equal=1.359437,
    within=5e-7,
    source="N4",
    plain=f"""{_W}\
zero, one = np.sin(0 * w), np.sin(w)
value = np.linalg.norm(one) if not zero.any() else math.nan
""",
)
def _sines_from_zero() -> float:
    zero, one = sines(2)
    return float(np.linalg.norm(one - zero))


@part.claim(
    "wrong-exponent-norm",
    at_most=5e-7,
    source="N4",
    plain=f"""{_WRONG}\
size = np.linalg.norm(code, axis=-1)
value = max(abs(size.min() - 5.117509), abs(size.max() - 6.187609))
""",
)
def _wrong_exponent_norm() -> float:
    size = np.linalg.norm(wrong_exponent(1024), axis=-1)
    return farthest([size.min(), size.max()], [5.117509, 6.187609])


@part.claim(
    "wrong-exponent-products",
    at_most=5e-7,
    source="N4",
    plain=f"""{_WRONG}\
seven = (code[:-7] * code[7:]).sum(axis=-1)
value = max(abs(seven.min() - 17.628785), abs(seven.max() - 30.040921))
""",
)
def _wrong_exponent_products() -> float:
    rows = wrong_exponent(1024)
    seven = (rows[:-7] * rows[7:]).sum(axis=-1)
    return farthest([seven.min(), seven.max()], [17.628785, 30.040921])
