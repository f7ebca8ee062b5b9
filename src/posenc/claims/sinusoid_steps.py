"""Chapter 3: the size of the code and of one step, alike at every position."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, cosine, farthest, sinusoid
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

WIDTHS = (16, 64, 512, 768)
"""Channels of the models that the tables compare."""

_W = "w = 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"


@part.claim(
    "norm",
    equal=math.sqrt(32),
    within=1e-12,
    source="B20 N2 W16",
    plain=f"""{_W}\
angle = np.arange(1024)[:, None] * w
size = np.sqrt((np.sin(angle) ** 2 + np.cos(angle) ** 2).sum(-1))
value = size[np.abs(size - size[0]).argmax()]
""",
)
def _norm() -> float:
    size = np.linalg.norm(sinusoid(1024), axis=-1)
    return float(size[np.abs(size - size[0]).argmax()])


@part.claim(
    "norms",
    at_most=5e-7,
    source="N2",
    plain="""
        value = 0
        for d, printed in [(16, 2.828427), (64, 5.656854), (768, 19.595918)]:
            angle = 1000 * 10000.0 ** (-np.arange(0, d, 2) / d)
            size = np.sqrt((np.sin(angle) ** 2 + np.cos(angle) ** 2).sum())
            value = max(value, abs(size - printed))
    """,
)
def _norms() -> float:
    printed = {16: 2.828427, 64: 5.656854, 768: 19.595918}
    return max(farthest(np.linalg.norm(sinusoid([1000], d)), n) for d, n in printed.items())


@part.claim(
    "norm-nearly",
    at_least=0.001,
    within=1e-12,
    verdict="false",
    actual=0.0,
    source="B20 W16",
    plain=f"""{_W}\
angle = np.arange(1024)[:, None] * w
value = np.ptp(np.sqrt((np.sin(angle) ** 2 + np.cos(angle) ** 2).sum(-1)))
""",
)
def _norm_nearly() -> float:
    return float(np.ptp(np.linalg.norm(sinusoid(1024), axis=-1)))


@part.claim(
    "neighbour-cosine",
    equal=0.966151,
    within=5e-7,
    source="B12 N2",
    plain=f"{_W}value = np.cos(w).mean()",
)
def _neighbour_cosine() -> float:
    rows = sinusoid([500, 501])
    return cosine(rows[0], rows[1])


@part.claim(
    "neighbours",
    at_most=5e-7,
    source="C5 N2",
    plain="""
        value = 0
        printed = {16: (0.935646, 1.014725), 64: (0.966151, 1.471848),
                   512: (0.973055, 3.714270), 768: (0.973360, 4.523235)}
        for d, (near, step) in printed.items():
            w = 10000.0 ** (-np.arange(0, d, 2) / d)
            length = np.sqrt((4 * np.sin(w / 2) ** 2).sum())
            value = max(value, abs(np.cos(w).mean() - near), abs(length - step))
    """,
)
def _neighbours() -> float:
    printed = {
        16: (0.935646, 1.014725),
        64: (0.966151, 1.471848),
        512: (0.973055, 3.714270),
        768: (0.973360, 4.523235),
    }
    return max(farthest(neighbours(d), pair) for d, pair in printed.items())


@part.claim(
    "step-share",
    at_most=0.0005,
    source="C5",
    plain="""
        value = 0
        for d, printed in [(64, 0.260), (768, 0.231)]:
            w = 10000.0 ** (-np.arange(0, d, 2) / d)
            share = np.sqrt((4 * np.sin(w / 2) ** 2).sum() / (d / 2))
            value = max(value, abs(share - printed))
    """,
)
def _step_share() -> float:
    printed = {64: 0.260, 768: 0.231}
    sizes = {d: float(np.linalg.norm(sinusoid([70], d))) for d in printed}
    return max(abs(neighbours(d)[1] / sizes[d] - share) for d, share in printed.items())


def neighbours(dim: int, p: int = 70) -> tuple[float, float]:
    """Cosine and distance of the codes of p and p + 1."""
    here, there = sinusoid([p, p + 1], dim)
    return cosine(here, there), float(np.linalg.norm(there - here))


@part.claim(
    "neighbour-tells",
    at_least=0.001,
    within=1e-12,
    verdict="false",
    actual=0.0,
    source="B20 W16",
    plain=f"""{_W}\
angle = np.arange(1024)[:, None] * w
code = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
value = np.ptp((code[1:] * code[:-1]).sum(-1) / 32)
""",
)
def _neighbour_tells() -> float:
    rows = sinusoid(1024)
    return float(np.ptp((rows[1:] * rows[:-1]).sum(-1) / 32))


@part.claim(
    "channel-step",
    equal=0.841471,
    within=5e-7,
    verdict="false",
    actual=0.0678264,
    source="A15 W15",
    plain="value = abs(math.sin(2) - math.sin(1))",
)
def _channel_step() -> float:
    rows = sinusoid([1, 2])
    return float(abs(rows[1, 0] - rows[0, 0]))


@part.claim(
    "pair-step",
    at_most=5e-7,
    source="A15 N2 N6 W15",
    plain=f"""{_W}\
angle = np.arange(1024)[:, None] * w[[0, 20, 31]]
step = np.hypot(np.diff(np.sin(angle), axis=0), np.diff(np.cos(angle), axis=0))
value = np.abs(step - [0.958851, 0.003162, 0.000133]).max()
""",
)
def _pair_step() -> float:
    step = np.linalg.norm(np.diff(sinusoid(1024).reshape(1024, 32, 2), axis=0), axis=-1)
    return farthest(step[:, [0, 20, 31]], [0.958851, 0.003162, 0.000133])


@part.claim(
    "restless-left",
    equal=0.989458,
    within=5e-7,
    source="A18 B10 C19",
    plain=f"""{_W}\
step = 4 * np.sin(w / 2) ** 2
value = step[:8].sum() / step.sum()
""",
)
def _restless_left() -> float:
    share = step_shares(20)
    return float(share[:8].sum())


def step_shares(p: int) -> Matrix:
    """How much of the squared step from p to p + 1 each pair makes; they sum to 1."""
    here, there = sinusoid([p, p + 1])
    squares = ((there - here) ** 2).reshape(-1, 2).sum(-1)
    return np.asarray(squares / squares.sum())


@part.claim(
    "coarse-fine",
    at_most=5e-7,
    source="B10",
    plain=f"""{_W}\
fast, slow = np.cos(w[:16]).mean(), np.cos(w[16:]).mean()
value = max(abs(fast - 0.932309), abs(slow - 0.999993))
""",
)
def _coarse_fine() -> float:
    here, there = sinusoid([300, 301])
    fast, slow = cosine(here[:32], there[:32]), cosine(here[32:], there[32:])
    return farthest([fast, slow], [0.932309, 0.999993])


def properties() -> dict[str, bool]:
    """The five good properties of the code, each looked at."""
    spec, rows = Sinusoidal(dim=64), sinusoid(1024)
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=-1)
    order = np.random.default_rng(0).permutation(1024)
    far = sinusoid([10**6])[0]
    return {
        "bounded": bool(np.abs(rows).max() <= 1),
        "smooth": farthest(steps, 1.471848) < 5e-7,
        "parameters": not spec.learned(),
        "any-length": farthest(far[:2], [-0.349993502171293, 0.936752127533145]) < 1e-12,
        "precomputable": bool((rows[order] == sinusoid(order)).all()),
    }


@part.claim(
    "five-properties",
    equal=5.0,
    source="A19",
    plain=f"""{_W}\
code = lambda p: np.concatenate([np.sin(np.outer(p, w)), np.cos(np.outer(p, w))], axis=-1)
def fresh(seed):  # as a new model draws whatever it has to learn
    return np.random.seed(seed) or code(np.arange(1024))
table, free, far = fresh(0), fresh(0) - fresh(1), code([500, 10**6])
off, step = far[0] - table[500], np.linalg.norm(np.diff(table, axis=0), axis=-1)
value = sum([abs(table).max() <= 1, np.ptp(step) < 1e-12, not free.any()])
value += sum([abs(far).max() <= 1, not off.any()])
""",
)
def _five_properties() -> float:
    return sum(properties().values())
