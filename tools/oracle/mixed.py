"""Rotations by learned mixes of coordinates, and tables out of step with the pairs."""

from mpmath import mp

from oracle import axes
from oracle.exact import Answer, Data, Exact, exact


def mixed(case: Data) -> list[list[list[Exact]]]:
    """The vector of each head turned to each position: position, head, channel."""
    spec, freqs = case["spec"], case["arrays"]["freqs"]
    half = spec["dim"] // 2
    rows = []
    for given in case["positions"]:
        place = given if isinstance(given, list) else [given]
        heads = []
        for x, rates in zip(case["x"], freqs, strict=True):
            y = [exact(channel) for channel in x]
            for i, rate in enumerate(rates):
                angle = mp.fsum(exact(p) * exact(w) for p, w in zip(place, rate, strict=True))
                first, second = (i, i + half) if spec["layout"] == "half" else (2 * i, 2 * i + 1)
                a, b = y[first], y[second]
                y[first] = a * mp.cos(angle) - b * mp.sin(angle)
                y[second] = a * mp.sin(angle) + b * mp.cos(angle)
            heads.append(y)
        rows.append(heads)
    return rows


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


def _by_head(case: Data) -> list[list[list[Exact]]]:
    """One set of frequencies is for all heads."""
    freqs = case["arrays"]["freqs"]
    return mixed({**case, "arrays": {"freqs": freqs * (len(case["x"]) // len(freqs))}})


MIXED: dict[str, Answer] = {"rotated": mixed, "as_query": _by_head, "as_key": _by_head}
CROSSED: dict[str, Answer] = dict.fromkeys(("rotated", "as_query", "as_key"), crossed)
CROSSED["growth"] = growth
KINDS = {"mixed_rope": MIXED, "crossed_rope": CROSSED}
