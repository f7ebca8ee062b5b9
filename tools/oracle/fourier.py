"""Waves of real coordinates, at frequencies given by a formula, drawn or learned."""

from mpmath import mp

from oracle.exact import Answer, Data, Exact, exact

TURN = {"radians": lambda: exact(1), "half-turns": lambda: +mp.pi, "turns": lambda: 2 * mp.pi}


def ladder(spec: Data, stop: Exact) -> list[Exact]:
    """Frequencies of one coordinate: octaves, equal ratios or equal steps."""
    start, bands = exact(spec["start"]), spec["bands"]
    if stop is None:  # NeRF: 2^k
        return [start * 2**k for k in range(bands)]
    last = max(bands - 1, 1)
    if spec["spacing"] == "linear":  # Perceiver: linspace(1, resolution / 2, bands)
        return [start + (exact(stop) - start) * k / last for k in range(bands)]
    steps = bands if spec["spacing"] == "open" else last  # GLIGEN: 100^(k / bands)
    return [start * (exact(stop) / start) ** (exact(k) / steps) for k in range(bands)]


def bands_of(spec: Data) -> list[list[Exact]]:
    """Radians per unit, a row for each coordinate."""
    stops = spec["stop"] or [None]
    if len(stops) == 1:
        stops = stops * spec["coordinates"]
    turn = TURN[spec["unit"]]()
    return [[turn * w for w in ladder(spec, stop)] for stop in stops]


def frequencies(case: Data) -> list[Exact]:
    return [w for row in bands_of(case["spec"]) for w in row]


def point(spec: Data, position: object) -> list[Exact]:
    return [exact(x) for x in position] if isinstance(position, list) else [exact(position)]


def fourier_row(spec: Data, position: object) -> list[Exact]:
    """arXiv:2003.08934, eq. 4, and the orders that implementations write its channels in."""
    x, rows = point(spec, position), bands_of(spec)
    kinds = [mp.sin, mp.cos] if spec["first"] == "sin" else [mp.cos, mp.sin]
    axes, bands = range(len(x)), range(spec["bands"])
    order = spec["order"]
    if order == "coordinate-band-wave":
        code = [f(rows[a][k] * x[a]) for a in axes for k in bands for f in kinds]
    elif order == "band-wave-coordinate":
        code = [f(rows[a][k] * x[a]) for k in bands for f in kinds for a in axes]
    elif order == "wave-band-coordinate":
        code = [f(rows[a][k] * x[a]) for f in kinds for k in bands for a in axes]
    else:
        code = [f(rows[a][k] * x[a]) for f in kinds for a in axes for k in bands]
    return x + code if spec["identity"] else code


def fourier(case: Data) -> list[list[Exact]]:
    return [fourier_row(case["spec"], position) for position in case["positions"]]


def random_row(spec: Data, arrays: Data, position: object) -> list[Exact]:
    """arXiv:2006.10739; segment-anything's prompt encoder; AlphaFold 3, algorithm 22."""
    x = point(spec, position)
    if spec["centered"]:
        x = [2 * c - 1 for c in x]
    columns = zip(*arrays["frequencies"], strict=True)
    turns = [sum(a * exact(w) for a, w in zip(x, column, strict=True)) for column in columns]
    if spec["waves"] == "cos":
        turns = [t + exact(b) for t, b in zip(turns, arrays["phases"], strict=True)]
    sines = [mp.sin(2 * mp.pi * t) for t in turns]
    cosines = [mp.cos(2 * mp.pi * t) for t in turns]
    return {"sin-cos": sines + cosines, "cos-sin": cosines + sines, "cos": cosines}[spec["waves"]]


def random_fourier(case: Data) -> list[list[Exact]]:
    return [random_row(case["spec"], case["arrays"], position) for position in case["positions"]]


def time2vec(case: Data) -> list[list[Exact]]:
    """arXiv:1907.05321, eq. 1."""
    pairs = list(zip(case["arrays"]["frequencies"], case["arrays"]["phases"], strict=True))
    rows = [[exact(t) * exact(w) + exact(b) for w, b in pairs] for t in case["positions"]]
    return [[row[0], *map(mp.sin, row[1:])] for row in rows]


KINDS: dict[str, dict[str, Answer]] = {
    "fourier": {"frequencies": frequencies, "embed": fourier},
    "random_fourier": {"embed": random_fourier},
    "time2_vec": {"embed": time2vec},
}
