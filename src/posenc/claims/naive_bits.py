"""Chapter 2: the position in binary, and how that becomes a sum of sines."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, code, farthest, sinusoid
from posenc.claims._models import learned_error, shift_error
from posenc.specs._naive import Binary, Gray
from posenc.specs._sinusoidal import Sinusoidal

part = Part("naive")

TABLE = """
0000 1000 0100 1100 0010 1010 0110 1110
0001 1001 0101 1101 0011 1011 0111 1111
"""
"""Four bits of the positions 0 to 15, least significant first."""

_BITS = "bits = np.arange({count})[:, None] >> np.arange({width}) & 1\n"
_FOUR = _BITS.format(count=16, width=4)
_TEN = _BITS.format(count=1024, width=10)
_GRAY = (
    "bits = (p := np.arange({count})[:, None]) // 2 ^ p\nbits = bits >> np.arange({width}) & 1\n"
)
_BEST_MAP = """\
A = np.column_stack([bits[:-1], np.ones(len(bits) - 1)])
value = np.abs(A @ np.linalg.lstsq(A, bits[1:], rcond=None)[0] - bits[1:]).max()
"""


def flips(rows: Matrix) -> Matrix:
    """How many bits change at each step."""
    return np.asarray(np.abs(np.diff(rows, axis=0)).sum(-1))


def flip_periods(rows: Matrix) -> list[float]:
    """How many positions each bit keeps its value for; NaN if that varies."""
    found = []
    for column in rows.T:
        gaps = np.diff(np.flatnonzero(np.diff(column)), prepend=-1)
        found.append(float(gaps[0]) if gaps.size and np.ptp(gaps) == 0 else math.nan)
    return found


def bit_waves(positions: int, bits: int) -> Matrix:
    """A sine per bit that turns once while the bit goes through 0 and 1."""
    # With base 2^bits the frequencies are 1, 1/2, 1/4, ...; so at the real position pi (p + 1/2)
    # the angle of pair j is 2 pi (p + 1/2) / 2^(j + 1).
    halves = math.pi * (np.arange(positions) + 0.5)
    return code(Sinusoidal(dim=2 * bits, base=2**bits), halves)[:, 0::2]


@part.claim(
    "sixteen-rows",
    equal=0.0,
    source="A8",
    plain=f"""{_FOUR}\
rows = "0000 1000 0100 1100 0010 1010 0110 1110 0001 1001 0101 1101 0011 1011 0111 1111"
value = sum("".join(map(str, b)) != row for b, row in zip(bits, rows.split(), strict=True))
""",
)
def _sixteen_rows() -> float:
    rows = code(Binary(bits=4), 16).astype(int)
    written = ["".join(map(str, row)) for row in rows.tolist()]
    return sum(a != b for a, b in zip(written, TABLE.split(), strict=True))


@part.claim(
    "flip-periods",
    at_most=0.0,
    source="A8",
    plain=f"""{_FOUR}\
kept = [np.flatnonzero(np.diff(column))[0] + 1 for column in bits.T]
value = np.abs(np.array(kept) - [1, 2, 4, 8]).max()
""",
)
def _flip_periods() -> float:
    return farthest(np.array(flip_periods(code(Binary(bits=4), 16))), [1, 2, 4, 8])


@part.claim(
    "flips",
    at_most=0.0,
    source="A9 N3",
    plain=f"""{_FOUR}\
flips = np.abs(np.diff(bits, axis=0)).sum(-1)
value = np.abs(flips - [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1]).max()
""",
)
def _flips() -> float:
    printed = [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1]
    return farthest(flips(code(Binary(bits=4), 16)), printed)


@part.claim(
    "seven-to-eight",
    equal=4.0,
    source="A9 W5",
    plain="value = (7 ^ 8).bit_count()",
)
def _seven_to_eight() -> float:
    return float(flips(code(Binary(bits=4), [7, 8]))[0])


@part.claim(
    "cliff",
    equal=10.0,
    source="N3",
    plain="value = (511 ^ 512).bit_count()",
)
def _cliff() -> float:
    return float(flips(code(Binary(bits=10), [511, 512]))[0])


@part.claim(
    "far-and-alike",
    equal=10.0,
    source="N3",
    plain="value = (511 ^ 512).bit_count() / (0 ^ 512).bit_count()",
)
def _far_and_alike() -> float:
    step, leap = flips(code(Binary(bits=10), [511, 512, 0]))
    return float(step / leap)


@part.claim(
    "mean-flips",
    equal=1.990225,
    within=5e-7,
    source="N3",
    plain="value = sum((p ^ p + 1).bit_count() for p in range(1023)) / 1023",
)
def _mean_flips() -> float:
    return float(flips(code(Binary(bits=10), 1024)).mean())


@part.claim(
    "near-code-near-place",
    at_most=0.0,
    verdict="false",
    actual=3.0,
    source="W5",
    plain="value = (7 ^ 8).bit_count() - (0 ^ 8).bit_count()",
)
def _near_code_near_place() -> float:
    to_eight = np.abs(code(Binary(bits=4), [7, 0]) - code(Binary(bits=4), [8])).sum(-1)
    return float(to_eight[0] - to_eight[1])


@part.claim(
    "staircase",
    at_least=0.5,
    within=1e-9,
    verdict="false",
    actual=0.0,
    source="A10 W5",
    plain=f"""{_FOUR}\
w = np.zeros(4)
for _ in range(400):
    w -= 0.05 * bits.T @ (bits @ w - np.arange(16))
value = np.abs(bits @ w - np.arange(16)).max()
""",
)
def _staircase() -> float:
    return learned_error(code(Binary(bits=4), 16), np.arange(16.0))


@part.claim(
    "bridge",
    equal=0.0,
    source="A8 A11 N3",
    plain="""
        p, j = np.arange(1024)[:, None], np.arange(10)
        below = np.sin(2 * np.pi * (p + 0.5) / 2 ** (j + 1)) < 0
        value = (below != (p >> j & 1)).sum()
    """,
)
def _bridge() -> float:
    digits = code(Binary(bits=10), 1024)
    return float(np.sum((bit_waves(1024, 10) < 0) != (digits == 1)))


@part.claim(
    "gray",
    equal=1.0,
    source="N3 W5",
    plain=f"""{_GRAY.format(count=1024, width=10)}\
flips = np.abs(np.diff(bits, axis=0)).sum(-1)
value = flips[0] if np.ptp(flips) == 0 else math.nan
""",
)
def _gray() -> float:
    changed = flips(code(Gray(bits=10), 1024))
    return float(changed[0]) if np.ptp(changed) == 0 else math.nan


@part.claim(
    "gray-strangers",
    equal=1.0,
    source="W5",
    plain="value = ((0 ^ 0 >> 1) ^ (1023 ^ 1023 >> 1)).bit_count()",
)
def _gray_strangers() -> float:
    return float(flips(code(Gray(bits=10), [0, 1023]))[0])


@part.claim(
    "shift-binary",
    equal=0.954545,
    within=5e-7,
    source="N3 W5",
    plain=f"{_FOUR}{_BEST_MAP}",
)
def _shift_binary() -> float:
    return shift_error(code(Binary(bits=4), 16))


@part.claim(
    "shift-gray",
    equal=0.772727,
    within=5e-7,
    source="N3 W5",
    plain=f"{_GRAY.format(count=16, width=4)}{_BEST_MAP}",
)
def _shift_gray() -> float:
    return shift_error(code(Gray(bits=4), 16))


@part.claim(
    "shift-binary-10",
    equal=1.004944,
    within=5e-7,
    source="N3 W5",
    plain=f"{_TEN}{_BEST_MAP}",
)
def _shift_binary_10() -> float:
    return shift_error(code(Binary(bits=10), 1024))


@part.claim(
    "shift-gray-10",
    equal=0.996121,
    within=5e-7,
    source="N3 W5",
    plain=f"{_GRAY.format(count=1024, width=10)}{_BEST_MAP}",
)
def _shift_gray_10() -> float:
    return shift_error(code(Gray(bits=10), 1024))


@part.claim(
    "shift-sinusoid",
    at_most=1e-10,
    source="N3 W5",
    plain=f"""
z = np.arange(1024)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
bits = np.column_stack([np.sin(z), np.cos(z)])
{_BEST_MAP}""",
)
def _shift_sinusoid() -> float:
    return shift_error(sinusoid(1024))
