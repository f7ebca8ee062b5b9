"""Trained frequencies: stated, of several coordinates, and as exponents under YaRN."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data


def _spec(dim: int, **fields: object) -> Data:
    usual = {
        "layout": "interleaved",
        "form": "freqs",
        "heads": 1,
        "coordinates": 1,
        "head_dim": None,
        "at": "front",
        "base": 10000.0,
        "scaling": specs.UNSCALED,
    }
    return {"kind": "learned_rope", "dim": dim, **usual, **fields}


def cases() -> Iterator[Data]:
    freqs = [[1.25, -0.5, 0.0625, 0.001953125, 3.0]]
    line, alpha = [-3, 0, 8, 4095, 70001], [0.5, -0.25, 0.0]
    boxes = [[0, 0, 0], [3, 5, 2], [8, 1.5, -40], [1000, 999, 70001]]
    several = [[[f, -f / 2, f * f] for f in freqs[0]]]
    yarn = specs.yarn(2048.0, 512, attention_factor=1.25)
    made = {
        "freqs": (_spec(10), {"freqs": [[[f] for f in freqs[0]]]}, line),
        "three-coordinates": (_spec(10, coordinates=3, layout="half"), {"freqs": several}, boxes),
        "exponents": (
            _spec(6, head_dim=10, at="back", form="exponents", scaling=yarn),
            {"alpha": [alpha]},
            line,
        ),
    }
    for name, (spec, arrays, positions) in made.items():
        inputs: Data = {
            "case": name,
            "spec": spec,
            "length": None,
            "reference": "mistral_large4 of transformers; MochiRoPE of diffusers",
            "arrays": arrays,
            "positions": positions,
            "x": [(i + 1) / 10 for i in range(10)],
        }
        yield inputs | answers(inputs, ["as_query"])
