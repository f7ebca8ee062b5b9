"""KERPLE, Sandwich, FIRE and the dynamic bias: near, far, later keys, numbers out of range."""

from collections.abc import Iterator

from oracle import specs
from oracle.answers import answers
from oracle.exact import Data

NEAR = [8, 17], [0, 1, 8, 19]
FAR = [70001, 1000000], [1000000, 69992, 0]


def case(
    name: str,
    spec: Data,
    arrays: Data | None,
    reference: str,
    places: tuple[list[int], list[int]] = NEAR,
) -> Data:
    inputs: Data = {"case": name, "spec": spec, "length": None, "reference": reference}
    if arrays:
        inputs["arrays"] = arrays
    inputs |= {"q_positions": places[0], "k_positions": places[1]}
    return inputs | answers(inputs, ["bias"])


def ramp(rows: int, columns: int, start: float) -> list[list[float]]:
    """A weight of small numbers of either sign, none like another."""
    numbers = [start + 0.25 * i * (-1) ** i for i in range(rows * columns)]
    return [numbers[r * columns : (r + 1) * columns] for r in range(rows)]


def layers(*sizes: int, last_bias: bool = True) -> Data:
    """A network of such widths."""
    found: Data = {}
    for i in range(1, len(sizes)):
        found[f"weight{i}"] = ramp(sizes[i], sizes[i - 1], 0.5 - 0.375 * i)
        if last_bias or i + 1 < len(sizes):
            found[f"bias{i}"] = ramp(1, sizes[i], 0.125 * i)[0]
    return found


def cases() -> Iterator[Data]:
    kerple = "arXiv:2205.09921, section 4, and its code"
    arrays = {"p": [2.0, 0.7, 1.5], "a": [0.5, 0.03, 0.25]}
    beyond = {"p": [-1.0, 3.5, 0.001], "a": [0.5, -2.0, 0.0]}
    for form in ("log", "power"):
        spec = specs.kerple(3, form)
        yield case(f"kerple-{form}", spec, arrays, kerple)
        yield case(f"kerple-{form}-far", spec, arrays, kerple, FAR)
        yield case(f"kerple-{form}-out-of-range", spec, beyond, kerple)

    sandwich = "arXiv:2212.10356, section 5, and NeMo's code"
    for heads, dim, base in ((3, 10, 10000.0), (6, 64, 10000.0), (3, 6, 500.0)):
        spec = specs.sandwich(heads, dim, base)
        yield case(f"sandwich-{heads}-{dim}-{base:g}", spec, None, sandwich)
        yield case(f"sandwich-{heads}-{dim}-{base:g}-far", spec, None, sandwich, FAR)

    fire = "arXiv:2310.04418, the code of appendix E"
    numbers = layers(1, 5, 3)
    for name, c, multiplier in (("fresh", 0.1, 1.0), ("nearer", 0.75, 0.02), ("turned", -0.5, -1)):
        arrays = {"c": c, "multiplier": multiplier, **numbers}
        yield case(f"fire-{name}", specs.fire(3, 5), arrays, fire)
        yield case(f"fire-{name}-far", specs.fire(3, 5), arrays, fire, FAR)

    dynamic = "x_transformers, DynamicPositionBias"
    for depth, log in ((1, False), (3, False), (2, True)):
        spec = specs.dynamic_bias(3, 4, depth, log_distance=log)
        name = f"dynamic-{depth}-{'log' if log else 'plain'}"
        yield case(name, spec, layers(1, *[4] * depth, 3), dynamic)
        if log:
            yield case(f"{name}-far", spec, layers(1, *[4] * depth, 3), dynamic, FAR)
