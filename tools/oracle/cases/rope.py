"""The base form: widths, bases, layouts, and heads of which a part rotates."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

POSITIONS: list[float] = [-3, 0, 1, 8, 17, 4095, 70001, 131072, 1000000]
FEW: list[float] = [-3, 8, 4095, 131072, 1000000]
FAR = 2**31 - 1
FAR_AND_BETWEEN: list[float] = [-FAR, -70001, 0.5, 2.25, 1000.125, 16777217, FAR]
ROFORMER = "arXiv:2104.09864, section 3.2.2"


def head(spec: Data) -> list[float]:
    """One vector as wide as the head, no two channels alike."""
    return [(i + 1) / 10 for i in range(spec["head_dim"] or spec["dim"])]


def case(
    name: str,
    spec: Data,
    reference: str,
    *,
    length: int | None = None,
    positions: list[float] = POSITIONS,
    x: list[float] | None = None,
) -> Data:
    """A rotary case with its numbers; without positions, only what holds at all of them."""
    inputs: Data = {"case": name, "spec": spec, "length": length, "reference": reference}
    inputs["positions"] = positions
    names = ["frequencies", "attention_factor"] + (["cos", "sin"] if positions else [])
    if x is not None:
        inputs["x"] = x
        names.append("rotated")
    numbers = answers(inputs, names)
    if x is not None and numbers["attention_factor"] != 1:
        numbers |= answers(inputs, ["scaled"])
    return inputs | numbers


def cases() -> Iterator[Data]:
    for dim in (2, 6, 8, 10):
        for layout in ("half", "interleaved"):
            spec = specs.rope(dim, layout=layout)
            yield case(f"{layout}-{dim}", spec, ROFORMER, x=head(spec))
    for at in ("front", "back"):
        for layout in ("half", "interleaved"):
            for dim, head_dim in ((4, 8), (6, 10), (2, 6)):
                spec = specs.rope(dim, head_dim=head_dim, at=at, layout=layout)
                name = f"{layout}-{dim}-of-{head_dim}-{at}"
                reference = f"{ROFORMER}; exponents over the rotated channels"
                yield case(name, spec, reference, positions=FEW, x=head(spec))
    for base in (100.0, 150000.0, 500000.0, 1000000.0):
        yield case(f"base-{base:.0f}", specs.rope(10, base=base), ROFORMER)
    for dim in (64, 96, 128):
        yield case(f"wide-{dim}", specs.rope(dim), ROFORMER, positions=[])
        spec = specs.rope(dim, base=500000.0)
        yield case(f"wide-{dim}-base-500000", spec, ROFORMER, positions=[])
    # Powers of two are their own float64: nothing is lost before the angle, however far.
    spec = specs.rope(8, base=256.0)
    yield case(
        "powers-of-two-far-and-between", spec, ROFORMER, positions=FAR_AND_BETWEEN, x=head(spec)
    )
