"""Tables out of step with the pairs, and ladders of models that paint."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

THREE = [[5, 3, 7], [70001, 8, 13], [-2, 40, 100000]]


def case(name: str, spec: Data, reference: str, names: list[str], **given: object) -> Data:
    inputs = {"case": name, "spec": spec, "length": None, "reference": reference, **given}
    return inputs | answers(inputs, names)


def cases() -> Iterator[Data]:
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
