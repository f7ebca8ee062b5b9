"""The sinusoid in its ladders, layouts and ways of filling an odd width."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

POSITIONS: list[float] = [-3, 0, 1, 8, 17, 4095, 70001, 1000000]
FEW: list[float] = [1, 8, 70001]
SOURCES = {"paper": "arXiv:1706.03762, section 3.5", "tensor2tensor": "tensor2tensor, fairseq"}


def case(name: str, spec: Data, positions: list[float], **given: Data) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None}
    inputs |= {"reference": SOURCES[spec["ladder"]], "positions": positions, **given}
    return inputs | answers(inputs, ["embed"])


def cases() -> Iterator[Data]:
    for ladder in ("paper", "tensor2tensor"):
        for layout in ("interleaved", "half"):
            for first in ("sin", "cos"):
                spec = specs.sinusoidal(ladder=ladder, layout=layout, first=first)
                yield case(f"{ladder}-{layout}-{first}", spec, POSITIONS)
            for odd in ("zero", "cut", "ceil"):
                for dim in (3, 5):
                    spec = specs.sinusoidal(dim, ladder=ladder, layout=layout, odd=odd)
                    yield case(f"{ladder}-{layout}-{dim}-{odd}", spec, FEW)
                spec = specs.sinusoidal(7, ladder=ladder, layout=layout, first="cos", odd=odd)
                yield case(f"{ladder}-{layout}-7-{odd}-cos", spec, FEW)
                spec = specs.sinusoidal(6, ladder=ladder, layout=layout, odd=odd)
                yield case(f"{ladder}-{layout}-6-{odd}-is-even", spec, [8])
        for dim in (2, 10, 64):
            yield case(f"{ladder}-{dim}", specs.sinusoidal(dim, ladder=ladder), FEW)
        spec = specs.sinusoidal(10, ladder=ladder, base=100.0, scale=0.125)
        yield case(f"{ladder}-base-100-scaled", spec, FEW)
        spec = specs.sinusoidal(6, ladder=ladder, scale=2.0, trained=True)
        yield case(f"{ladder}-learned-scale", spec, FEW, arrays={"scale": [-0.375]})
        spec = specs.sinusoidal(6, ladder=ladder)
        yield case(f"{ladder}-between-positions", spec, [-0.5, 0.25, 1000.125])
