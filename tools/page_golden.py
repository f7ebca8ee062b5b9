"""Numbers that the page's arithmetic is held against, from mpmath and the formulas alone.

    python tools/page_golden.py           writes web/test/golden.json
    python tools/page_golden.py --check   exits 1 if that is not what it would write

Nothing of posenc is imported: the tests of `web/` compare two works of different hands.
"""

import argparse
import json
import struct
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import cos, mp, mpf, pi, sin

mp.dps = 40
PATH = Path(__file__).resolve().parent.parent / "web" / "test" / "golden.json"
POSITIONS = (0, 1, 12, 777, 1023)
DISTANCES = (0, 1, 5, 6, 64, 965)
VALUES = (
    1.0, 0.1, 1 / 3, 257.0, 258.0, 259.0, 2049.0, 2051.0, 8191.0, 15962.0, 65504.0, 65519.0,
    65520.0, 1e-5, 5.9604644775390625e-08, 2.9802322387695312e-08, 8.940696716308594e-08, 3e38,
)  # fmt: skip
"""For the short formats: ties, both ways, the largest, the smallest, and what is beyond."""


def ladder(dim: int, base: int) -> list[Any]:
    """The paper's frequencies."""
    return [mpf(base) ** (-mpf(2 * i) / dim) for i in range(dim // 2)]


def tensor2tensor(dim: int, base: int) -> list[Any]:
    """Those of tensor2tensor, which end at exactly 1 / base."""
    return [mpf(base) ** (-mpf(i) / (dim // 2 - 1)) for i in range(dim // 2)]


def code(position: int, frequencies: list[Any]) -> list[float]:
    """Sine and cosine of each pair, side by side."""
    return [float(f(position * w)) for w in frequencies for f in (sin, cos)]


def brain(value: float) -> float:
    """The bfloat16 nearest to a float32, ties to even, by exact fractions."""
    if value == 0:
        return value
    exact, exponent = Fraction(value), 0
    while exact >= 2:
        exact, exponent = exact / 2, exponent + 1
    while exact < 1:
        exact, exponent = exact * 2, exponent - 1
    return float(round(exact * 128)) / 128 * 2.0**exponent


def half(value: float) -> float | None:
    """The nearest float16; None beyond the largest."""
    try:
        found: float = struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return None
    return found


def single(value: float) -> float:
    found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return found


def golden() -> dict[str, Any]:
    """Everything that the file holds."""
    w = ladder(64, 10_000)
    return {
        "paper": {
            f"{dim}-{base}": [float(x) for x in ladder(dim, base)]
            for dim, base in ((64, 10_000), (64, 100), (128, 500_000))
        },
        "tensor2tensor": [float(x) for x in tensor2tensor(64, 10_000)],
        "codes": {str(p): code(p, w) for p in POSITIONS},
        "similarity": {str(k): float(sum(cos(k * x) for x in w)) for k in DISTANCES},
        "norm": float(mpf(32) ** mpf("0.5")),
        "distance": float(sum(2 - 2 * cos(x) for x in w) ** mpf("0.5")),
        "turns": [float((777 * x) % (2 * pi)) for x in w],
        "bfloat16": [[single(x), brain(single(x))] for x in VALUES],
        "float16": [[x, half(x)] for x in VALUES],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the page's golden numbers, or check them.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if they differ")
    text = json.dumps(golden(), indent=1) + "\n"
    if not parser.parse_args().check:
        PATH.write_text(text, "utf-8")
        return 0
    if PATH.exists() and PATH.read_text("utf-8") == text:
        return 0
    print(f"{PATH.name} is out of date: run `python tools/page_golden.py`.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
