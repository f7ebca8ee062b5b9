"""Trained frequencies: stated, mixing coordinates, of each head, and as exponents under YaRN."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

TIMM = "timm, RotaryEmbeddingMixed: t_x freqs[0] + t_y freqs[1]"
MOCHI = "MochiRoPE of diffusers"
LEROPE = "mistral_large4 of transformers"
# Exact in float32, so that every library turns by the same frequencies.
PLAIN = [1.25, -0.5, 0.0625, 0.001953125, 3.0]
MIXED = [
    [[0.75, -0.5], [0.0625, 0.09375], [0.5, 0.875], [-0.046875, 0.03125]],
    [[-1.0, 0.25], [0.125, 0.0], [0.28125, 1.0], [0.0, -0.1171875]],
    [[0.0, 0.0], [1.0, -1.0], [0.015625, 0.0078125], [-0.6875, -0.8125]],
]
LINE = [-3, 0, 8, 4095, 70001]
PLANE = [[2, 3], [13, 8], [70001, 9], [-40, 1000000], [0.5, -0.25]]
BOXES = [[0, 0, 0], [3, 5, 2], [8, 1.5, -40], [1000, 999, 70001]]


def case(
    name: str, spec: Data, reference: str, arrays: Data, positions: list[object], x: list[object]
) -> Data:
    inputs = {"case": name, "spec": spec, "length": None, "reference": reference}
    inputs |= {"arrays": arrays, "positions": positions, "x": x}
    return inputs | answers(inputs, ["as_query"])


def cases() -> Iterator[Data]:
    learned, x = specs.learned_rope, [(i + 1) / 10 for i in range(10)]
    freqs = {"freqs": [[[f] for f in PLAIN]]}
    yield case("freqs", learned(10), "rotary-embedding-torch, learned_freq", freqs, LINE, x)
    several = {"freqs": [[[f, -f / 2, f * f] for f in PLAIN]]}
    spec = learned(10, coordinates=3, layout="half")
    yield case("three-coordinates", spec, MOCHI, several, BOXES, x)
    yarn = specs.yarn(2048.0, 512, attention_factor=1.25)
    spec = learned(6, head_dim=10, at="back", form="exponents", scaling=yarn)
    yield case("exponents", spec, LEROPE, {"alpha": [[0.5, -0.25, 0.0]]}, LINE, x)
    each = [[(8 * head + i + 1) / 10 for i in range(8)] for head in range(3)]
    for layout in ("interleaved", "half"):
        spec = learned(8, heads=3, coordinates=2, layout=layout, base=10.0)
        yield case(f"mixed-{layout}", spec, TIMM, {"freqs": MIXED}, PLANE, each)
