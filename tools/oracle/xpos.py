"""xPos: rotation, times a power of the distance from a centre."""

from mpmath import mp

from oracle import rope
from oracle.exact import Answer, Data, Exact, exact
from oracle.scaling import unscaled


def _zeta(spec: Data) -> list[Exact]:
    """`(2i / d + gamma) / (1 + gamma)`: arXiv:2212.10554, section 3.2."""
    gamma = exact(spec["gamma"])
    return [(exact(2 * i) / spec["dim"] + gamma) / (1 + gamma) for i in range(spec["dim"] // 2)]


def _turned(spec: Data, x: list[float], p: float, sign: int) -> list[Exact]:
    """The two channels of a pair turned by `p w`, times `zeta^(sign (p - centre) / scale_base)`."""
    plain = {"dim": spec["dim"], "head_dim": None, "at": "front", "layout": spec["layout"]}
    angles = [exact(p) * w for w in unscaled(spec["dim"], exact(spec["base"]))]
    y = rope.turned({**plain, "axes": {"kind": "one_axis"}}, x, angles, exact(1))
    power = sign * (exact(p) - spec["centre"]) / exact(spec["scale_base"])
    for (a, b), zeta in zip(rope.pairs({**plain, "axes": {}}), _zeta(spec), strict=True):
        y[a], y[b] = y[a] * zeta**power, y[b] * zeta**power
    return y


def as_query(case: Data) -> list[list[Exact]]:
    return [_turned(case["spec"], case["x"], p, 1) for p in case["positions"]]


def as_key(case: Data) -> list[list[Exact]]:
    return [_turned(case["spec"], case["x"], p, -1) for p in case["positions"]]


def score(case: Data) -> list[Exact]:
    """`q . k` after turning both, for each position of q with the one of k beside it."""
    places = zip(case["q_positions"], case["k_positions"], strict=True)
    return [
        mp.fdot(_turned(case["spec"], case["q"], m, 1), _turned(case["spec"], case["k"], n, -1))
        for m, n in places
    ]


KINDS: dict[str, dict[str, Answer]] = {
    "x_pos": {
        "frequencies": lambda case: unscaled(case["spec"]["dim"], exact(case["spec"]["base"])),
        "as_query": as_query,
        "as_key": as_key,
        "score": score,
    }
}
