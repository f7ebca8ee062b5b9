"""The code of several coordinates: a row for each, joined in their order."""

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact


def of_each(spec: Data, name: str) -> list[Exact]:
    """What a list of the spec says of each coordinate, where it has one."""
    usual = spec["base"] if name == "bases" else 1
    return [exact(v) for v in spec[name] or [usual] * len(spec["dims"])]


def ladder(spec: Data, dim: int, base: Exact) -> list[Exact]:
    """MAE's omega, or tensor2tensor's inverse timescales."""
    count = dim // 2
    if spec["ladder"] == "paper":
        return [1 / mp.power(base, exact(k) / (exact(dim) / 2)) for k in range(count)]
    step = mp.log(base) / max(count - 1, 1)
    return [mp.exp(-step * k) for k in range(count)]


def row(spec: Data, place: list[float]) -> list[Exact]:
    """All channels at one position, before any are cut or added."""
    channels: list[Exact] = []
    other: list[Exact] = []
    each = zip(spec["dims"], of_each(spec, "bases"), of_each(spec, "scales"), strict=True)
    for coordinate, (dim, base, scale) in zip(place, each, strict=True):
        angles = [exact(coordinate) * scale * w for w in ladder(spec, dim, base)]
        kinds = [[mp.sin(a) for a in angles], [mp.cos(a) for a in angles]]
        if spec["first"] == "cos":
            kinds.reverse()
        if spec["halves"] == "all":  # timm: the second kind of all, behind the first of all
            channels += kinds[0]
            other += kinds[1]
        elif spec["layout"] == "half":
            channels += kinds[0] + kinds[1]
        else:
            channels += [wave for pair in zip(*kinds, strict=True) for wave in pair]
    return channels + other


def embed(case: Data) -> list[list[Exact]]:
    spec = case["spec"]
    dim = spec["dim"] or sum(spec["dims"])
    rows = [row(spec, place)[:dim] for place in case["positions"]]
    return [channels + [exact(0)] * (dim - len(channels)) for channels in rows]


KINDS: dict[str, dict[str, Answer]] = {"grid_sinusoidal": {"embed": embed}}
