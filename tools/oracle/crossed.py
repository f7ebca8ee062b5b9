"""Rotary tables out of step with the pairs."""

from mpmath import mp

from oracle import axes
from oracle.exact import Answer, Data, Exact, exact


def crossed(case: Data) -> list[list[Exact]]:
    """One vector at each position, as the models' own code has it: x cos + (swapped x) sin.

    V-JEPA 2 tiles its tables over the channels of an axis and swaps neighbours; ERNIE-Image
    repeats each angle and swaps halves.
    """
    spec = case["spec"]
    reads, freqs = axes.reads(spec), axes.frequencies(spec, {})
    apart = spec["axes"]["halves"] == "axis"
    blocks = spec["axes"]["dims"] if apart else [spec["dim"]]
    rows = []
    for place in case["positions"]:
        angles = [exact(place[a]) * w for a, w in zip(reads, freqs, strict=True)]
        y, start = [], 0
        for width in blocks:
            x = [exact(channel) for channel in case["x"][start : start + width]]
            mine = angles[start // 2 : (start + width) // 2]
            half = width // 2
            for c in range(width):
                if spec["layout"] == "half":
                    swapped = -x[c + half] if c < half else x[c - half]
                    angle = mine[c // 2]
                else:
                    swapped = -x[c + 1] if c % 2 == 0 else x[c - 1]
                    angle = mine[c % half]
                y.append(x[c] * mp.cos(angle) + swapped * mp.sin(angle))
            start += width
        rows.append([*y, *(exact(channel) for channel in case["x"][start:])])
    return rows


def growth(case: Data) -> list[Exact]:
    """The squared length at each position, over the squared length of the vector."""
    still = mp.fsum(exact(channel) ** 2 for channel in case["x"])
    return [mp.fsum(channel**2 for channel in row) / still for row in crossed(case)]


CROSSED: dict[str, Answer] = dict.fromkeys(("rotated", "as_query", "as_key"), crossed)
CROSSED["growth"] = growth
KINDS = {"crossed_rope": CROSSED}
