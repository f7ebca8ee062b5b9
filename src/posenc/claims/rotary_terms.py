"""Chapter 8: what becomes of added codes inside a score, and why rotation is needed."""

from __future__ import annotations

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.claims._turned import Vector, ladder, outputs, pair, scores, tokens, turned, worst
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal

part = Part("rotary")

_PAIR = """\
w = 10000.0 ** (-np.arange(0, 8, 2) / 8)
q, k = np.random.default_rng(0).standard_normal((2, 8))
def P(p):
    return np.stack([np.sin(p * w), np.cos(p * w)], -1).ravel()
"""
_PROJECTED = """\
w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
r = np.random.default_rng(0)
Q, K = (r.standard_normal((64, 64)) / 8 for _ in range(2))
"""
_TURNED = f"""{_PROJECTED}\
x, y = r.standard_normal((2, 64))
turn = lambda x, p: (x[..., :32] + 1j * x[..., 32:]) * np.exp(1j * p[:, None] * w)
"""


def four_terms(m: int, n: int) -> tuple[float, float, float, float]:
    """The parts of (q + P(m)).(k + P(n)): words, word with place twice, places."""
    q, k = pair()
    at_m, at_n = sinusoid([m, n], dim=8)
    return float(q @ k), float(q @ at_n), float(at_m @ k), float(at_m @ at_n)


def added_score(m: int, n: int) -> float:
    """The score of the example's query at m and key at n, each with its code added."""
    q, k = pair()
    at_m, at_n = sinusoid([m, n], dim=8)
    return float((q + at_m) @ (k + at_n))


def random_projections() -> tuple[Matrix, Matrix, Vector, Vector]:
    """W_Q and W_K, 64 x 64 of deviation 1/8, and two token vectors: draws of seed 0."""
    rng = np.random.default_rng(0)
    w_q, w_k = (rng.standard_normal((64, 64)) / 8 for _ in range(2))
    x, y = rng.standard_normal((2, 64))
    return w_q, w_k, x, y


def projected_scores() -> Vector:
    """The places' own term P(n + 3).P(n) behind the two projections, for n below 400."""
    w_q, w_k, _, _ = random_projections()
    code = sinusoid(403)
    return np.asarray(((code[3:] @ w_q) * (code[:-3] @ w_k)).sum(-1))


@part.claim(
    "four-terms",
    at_most=5e-7,
    source="B17 N8",
    plain=f"""{_PAIR}\
value = max(np.abs([q @ k + 1.467987, q @ P(n) - a, P(m) @ k - b, P(m) @ P(n) - 1.964890]).max()
            for m, n, a, b in ((5, 2, 1.699840, -1.019879), (10, 7, 1.755242, -.252017),
                               (100, 97, .726413, -3.358103)))
""",
)
def _four_terms() -> float:
    printed = [
        [-1.467987, 1.699840, -1.019879, 1.964890],
        [-1.467987, 1.755242, -0.252017, 1.964890],
        [-1.467987, 0.726413, -3.358103, 1.964890],
    ]
    rows = np.array([four_terms(5, 2), four_terms(10, 7), four_terms(100, 97)])
    return farthest(rows, printed)


@part.claim(
    "kept-terms",
    at_most=1e-12,
    source="B13 B17 N8",
    plain=f"""{_PAIR}\
both = np.array([P(n + 3) @ P(n) for n in range(1997)])
value = np.abs(both - np.cos(3 * w).sum()).max()
""",
)
def _kept_terms() -> float:
    code = sinusoid(2000, dim=8)
    return farthest((code[3:] * code[:-3]).sum(-1), np.cos(3 * ladder()).sum())


@part.claim(
    "crossed-terms",
    equal=8.723785,
    within=5e-7,
    source="B17 N8",
    plain=f"""{_PAIR}\
crossed = [q @ P(n) + P(n + 3) @ k for n in range(1997)]
value = max(crossed) - min(crossed)
""",
)
def _crossed_terms() -> float:
    q, k = pair()
    code = sinusoid(2000, dim=8)
    return float(np.ptp(code[:-3] @ q + code[3:] @ k))


@part.claim(
    "code-is-absolute",
    at_least=0.1,
    within=1e-11,
    verdict="false",
    actual=0.0,
    source="W18 B16",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        a = np.arange(403)[:, None] * w
        code = np.concatenate([np.sin(a), np.cos(a)], -1)
        value = np.ptp((code[3:] * code[:-3]).sum(-1))
    """,
)
def _code_is_absolute() -> float:
    code = sinusoid(403)
    # Against the closed form, so that a code that never changes would not pass for relative.
    return farthest((code[3:] * code[:-3]).sum(-1), np.cos(3 * ladder(64)).sum())


@part.claim(
    "projections-destroy",
    equal=17.4,
    within=0.05,
    source="D13 B17 W18 N8",
    plain=f"""{_PROJECTED}\
a = np.arange(403)[:, None] * w
code = np.stack([np.sin(a), np.cos(a)], -1).reshape(403, 64)
value = np.ptp((code[3:] @ Q * (code[:-3] @ K)).sum(-1))
""",
)
def _projections_destroy() -> float:
    return float(np.ptp(projected_scores()))


@part.claim(
    "turn-after-projecting",
    equal=-9.098660,
    within=5e-7,
    source="D12 D13 N8",
    plain=f"""{_TURNED}\
n = np.arange(400)
s = (turn(x @ Q, n + 3) * turn(y @ K, n).conj()).real.sum(-1)
value = s[np.abs(s + 9.098660).argmax()]
""",
)
def _turn_after_projecting() -> float:
    w_q, w_k, x, y = random_projections()
    n = np.arange(400)
    return worst(scores(x @ w_q, y @ w_k, n + 3, n), -9.098660)


@part.claim(
    "turn-before-projecting",
    equal=31.280439,
    within=5e-7,
    source="D12 D13",
    plain=f"""{_TURNED}\
flat = lambda z: np.concatenate([z.real, z.imag], -1)
n = np.arange(400)
value = np.ptp((flat(turn(x, n + 3)) @ Q * (flat(turn(y, n)) @ K)).sum(-1))
""",
)
def _turn_before_projecting() -> float:
    w_q, w_k, x, y = random_projections()
    n = np.arange(400)
    return float(np.ptp(((turned(x, n + 3) @ w_q) * (turned(y, n) @ w_k)).sum(-1)))


@part.claim(
    "same-frequencies",
    equal=0.0,
    source="A26 N8 B18",
    plain="""
        sinusoid = 10000.0 ** (-2.0 * np.arange(32) / 64)
        rotary = 10000.0 ** (-(np.arange(0, 64, 2) / 64))
        value = np.count_nonzero(sinusoid != rotary)
    """,
)
def _same_frequencies() -> float:
    rotary = Rope(dim=64, layout="half").frequencies()
    sinusoidal = Sinusoidal(dim=64).frequencies()
    return float(np.count_nonzero((rotary != sinusoidal) | (rotary != ladder(64))))


@part.claim(
    "added-moves",
    equal=0.471428,
    within=5e-7,
    source="B17 D18",
    plain="""
        w = 10000.0 ** (-np.arange(0, 8, 2) / 8)
        q, k, v = np.random.default_rng(0).standard_normal((3, 6, 8))
        def out(p):
            code = np.stack([np.sin(p * w), np.cos(p * w)], -1).reshape(6, 8)
            a = np.exp((q + code) @ (k + code).T / 8**0.5)
            return a / a.sum(-1, keepdims=True) @ v
        value = np.abs(out(np.arange(100, 106)[:, None]) - out(np.arange(6)[:, None])).max()
    """,
)
def _added_moves() -> float:
    q, k, v = tokens(6)
    here, there = sinusoid(6, dim=8), sinusoid(range(100, 106), dim=8)
    return farthest(outputs(q + there, k + there, v), outputs(q + here, k + here, v))
