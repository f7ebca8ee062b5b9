"""Positions of several coordinates: which of them each rotary pair reads, and how fast it turns."""

from mpmath import mp

from oracle.exact import Data, Exact, exact


def reads(spec: Data) -> list[int]:
    """The coordinate of each pair, as the models' own code gives it out."""
    axes, pairs = spec["axes"], spec["dim"] // 2
    if axes["kind"] == "one_axis":
        return [0] * pairs
    if axes["kind"] == "axial":
        each = [d // 2 for d in axes["dims"]]
        if axes["order"] == "alternate":
            return [a for _ in range(each[0]) for a in range(len(each))]
        return [a for a, count in enumerate(each) for _ in range(count)]
    sizes = axes["sizes"]
    if axes["order"] == "chunked":  # Qwen2-VL: split, then chunk i takes from axis i % 3
        return [a for a, size in enumerate(sizes) for _ in range(size)]
    if axes["order"] == "first-last":  # ERNIE-4.5-VL: heights and widths in turn, then time
        rest = [a for _ in range(sizes[1]) for a in range(1, len(sizes))]
        return rest + [0] * sizes[0]
    row = [0] * pairs  # Qwen3-VL: freqs[..., offset : 3 * length : 3] is overwritten per axis
    for a, size in enumerate(sizes):
        if a:
            for i in range(a, len(sizes) * size, len(sizes)):
                row[i] = a
    return row


def ladder(spec: Data, dim: int, base: Exact) -> list[Exact]:
    """Radians per unit of one coordinate that has ``dim`` channels."""
    pairs, kind = dim // 2, spec["axes"]["ladder"]
    if kind == "linear":
        steps = [exact(i) / max(pairs - 1, 1) for i in range(pairs)]
        return [mp.pi * (1 + step * (base / 2 - 1)) for step in steps]
    if kind == "rising":
        return [mp.pi / 2 * mp.power(base, exact(i) / max(pairs - 1, 1)) for i in range(pairs)]
    turn = 2 * mp.pi if kind == "turns" else 1
    return [turn * mp.power(base, -exact(2 * i) / dim) for i in range(pairs)]


def frequencies(spec: Data, rule: Data) -> list[Exact]:
    """A ladder for each coordinate, in the order of the pairs."""
    axes = spec["axes"]
    bases = [exact(b) for b in axes["bases"] or [spec["base"]] * len(axes["dims"])]
    if axes["order"] == "strided":
        rungs = ladder(spec, spec["dim"], bases[0])
        found = [w for a in range(len(bases)) for w in rungs[a :: len(bases)]]
    else:
        each = [ladder(spec, d, b) for d, b in zip(axes["dims"], bases, strict=True)]
        found = [w for one in each for w in one]
        if axes["order"] == "alternate":
            found = [one[i] for i in range(len(each[0])) for one in each]
    return [w / exact(rule.get("factor", 1)) for w in found]


def pairs_of_each(dims: list[int], start: int) -> list[tuple[int, int]]:
    """Pairs across the halves of each coordinate's own channels."""
    found = []
    for dim in dims:
        found += [(start + i, start + i + dim // 2) for i in range(dim // 2)]
        start += dim
    return found
