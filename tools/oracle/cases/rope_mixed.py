"""Learned mixes of coordinates, tables out of step, and ladders of models that paint."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

TIMM = "timm, RotaryEmbeddingMixed: t_x freqs[0] + t_y freqs[1]"
# Exact in float32, so that every library turns by the same frequencies.
FREQS = [
    [[0.75, -0.5], [0.0625, 0.09375], [0.5, 0.875], [-0.046875, 0.03125]],
    [[-1.0, 0.25], [0.125, 0.0], [0.28125, 1.0], [0.0, -0.1171875]],
    [[0.0, 0.0], [1.0, -1.0], [0.015625, 0.0078125], [-0.6875, -0.8125]],
]
PLACES = [[2, 3], [13, 8], [70001, 9], [-40, 1000000], [0.5, -0.25]]
THREE = [[5, 3, 7], [70001, 8, 13], [-2, 40, 100000]]


def case(name: str, spec: Data, reference: str, names: list[str], **given: object) -> Data:
    inputs = {"case": name, "spec": spec, "length": None, "reference": reference, **given}
    return inputs | answers(inputs, names)


def cases() -> Iterator[Data]:
    x = [[(8 * head + i + 1) / 10 for i in range(8)] for head in range(3)]
    for layout in ("interleaved", "half"):
        spec = specs.mixed_rope(8, 3, layout)
        given = {"arrays": {"freqs": FREQS}, "positions": PLACES, "x": x}
        yield case(f"mixed-{layout}", spec, TIMM, ["rotated"], **given)
    line = specs.mixed_rope(4, 1, "half", coordinates=1)
    given = {"arrays": {"freqs": [[[0.5], [0.03125]]]}, "positions": [9, 70001], "x": [x[0][:4]]}
    yield case("mixed-of-one", line, TIMM, ["rotated"], **given)

    y = [(i + 1) / 10 for i in range(14)]
    jepa = specs.crossed_rope(12, "interleaved", specs.axial((4, 4, 4), halves="axis"), head_dim=14)
    reference = "V-JEPA 2, rotate_queries_or_keys: sin and cos repeated, neighbours swapped"
    yield case("v-jepa-2", jepa, reference, ["rotated", "growth"], positions=THREE, x=y)
    ernie = specs.crossed_rope(14, "half", specs.axial((4, 6, 4)), base=256.0)
    reference = "diffusers, ERNIE-Image: each angle repeated, halves swapped"
    yield case("ernie-image", ernie, reference, ["rotated", "growth"], positions=THREE, x=y)

    axes = specs.axial((4, 4, 4), order="alternate", ladder="rising")
    ltx = specs.rope(12, head_dim=14, at="back", layout="interleaved", axes=axes)
    inside = [[-0.5, 0.25, 1.0], [0.625, -0.875, -1.0]]
    reference = "diffusers, LTXVideoRotaryPosEmbed: what is left of a division by 6 is in front"
    yield case("ltx", ltx, reference, ["frequencies", "rotated"], positions=inside, x=y)
    axes = specs.axial((6, 4, 4), bases=(20000.0 * 2**0.5, 10000.0, 10000.0))
    reference = (
        "diffusers, CosmosRotaryPosEmbed: a base for each axis, all across one pair of halves"
    )
    yield case("cosmos", specs.rope(14, axes=axes), reference, ["rotated"], positions=THREE, x=y)
