"""PoPE: grouped heads, an odd width, phases inside and outside of their bounds."""

from collections.abc import Iterator

from oracle.answers import answers
from oracle.exact import Data


def _tokens(heads: int, count: int, dim: int, seed: int) -> list[list[list[float]]]:
    """Numbers between -3 and 3 without a pattern to the eye, the same on every machine."""
    return [
        [
            [((h * 31 + n * 17 + c * 11 + seed) % 13 - 6) / 2 for c in range(dim)]
            for n in range(count)
        ]
        for h in range(heads)
    ]


def cases() -> Iterator[Data]:
    for dim, heads, k_heads in ((5, 2, 1), (6, 4, 2)):
        phase = [[-(h + 1) * (c - 1) * 1.25 for c in range(dim)] for h in range(k_heads)]
        inputs: Data = {
            "case": f"{dim}-channels",
            "spec": {"kind": "polar", "dim": dim, "heads": k_heads, "base": 10000.0},
            "length": None,
            "reference": "arXiv:2509.10534, section 3",
            "arrays": {"phase": phase},
            "q": _tokens(heads, 3, dim, 1),
            "k": _tokens(k_heads, 4, dim, 5),
            "q_positions": [8, 70001, 1000000],
            "k_positions": [-3, 0, 9, 70000],
        }
        yield inputs | answers(inputs, ["frequencies", "adjusted"])
