"""xPos: both layouts, other numbers than the usual, and scores at the ends of its reach."""

from collections.abc import Iterator

from oracle.answers import answers
from oracle.exact import Data

PAPER = "arXiv:2212.10554, section 3.2 and algorithm 1"


def _spec(dim: int, layout: str, **fields: float) -> Data:
    usual = {"centre": 0, "base": 10000.0, "scale_base": 512.0, "gamma": 0.4}
    return {"kind": "x_pos", "dim": dim, "layout": layout, **usual, **fields}


def cases() -> Iterator[Data]:
    specs = {
        "half-6": _spec(6, "half", centre=512),
        "interleaved-10": _spec(10, "interleaved", centre=-3),
        "other-numbers": _spec(10, "half", centre=4095, base=500.0, scale_base=64.0, gamma=1.5),
        "one-pair": _spec(2, "interleaved", centre=1024),
    }
    for name, spec in specs.items():
        x = [(i + 1) / 10 for i in range(spec["dim"])]
        inputs: Data = {"case": name, "spec": spec, "length": None, "reference": PAPER}
        inputs |= {"positions": [-3, 0, 8, 511, 4095, 9001], "x": x}
        yield inputs | answers(inputs, ["frequencies", "as_query", "as_key"])
        inputs = {"case": f"{name}-score", "spec": spec, "length": None, "reference": PAPER}
        inputs |= {"q": x, "k": x[::-1]}
        inputs |= {"q_positions": [17, 1017, 2048, 5000], "k_positions": [8, 1008, 0, 4999]}
        yield inputs | answers(inputs, ["score"])
