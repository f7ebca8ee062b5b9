"""Chapter 8: what rotation does to scores, to lengths, and why not to values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from posenc._facade import tables
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest
from posenc.claims._turned import (
    Vector,
    attended,
    flat,
    ladder,
    outputs,
    pair,
    scores,
    spun,
    tokens,
    turned,
    worst,
)
from posenc.claims.rotary_terms import added_score
from posenc.specs._rope import Rope

part = Part("rotary")

PAIRS = ((5, 2), (10, 7), (100, 97), (5, 5), (50, 50), (2, 5), (60, 63))
"""Query and key positions of the comparison: distances 3, 0 and -3, near and far."""

_PAIR = """\
w = 10000.0 ** (-np.arange(4) / 4)
q, k = np.random.default_rng(0).standard_normal((2, 8))
turn = lambda x, p: (x[:4] + 1j * x[4:]) * np.exp(1j * np.asarray(p)[..., None] * w)
score = lambda m, n: (turn(q, m) * turn(k, n).conj()).real.sum(-1)
"""
_SENTENCE = """\
w = 10000.0 ** (-np.arange(4) / 4)
q, k, v = np.random.default_rng(0).standard_normal((3, 6, 8))
turn = lambda x, p: (x[:, :4] + 1j * x[:, 4:]) * np.exp(1j * p[:, None] * w)
"""
_MOVED = """\
z = out(np.arange(100, 106)) - out(np.arange(6))
value = max(np.abs(z.real).max(), np.abs(z.imag).max())
"""


@part.claim(
    "start",
    at_most=2e-15,
    source="D4",
    plain=f"""{_PAIR}\
by_hand = q[0] * math.cos(1) - q[4] * math.sin(1)
value = max(np.abs(turn(q, 0) - (q[:4] + 1j * q[4:])).max(), abs(turn(q, 1).real[0] - by_hand))
""",
)
def _start() -> float:
    q, _ = pair()
    still = max(farthest(turned(q, 0, layout=layout), q) for layout in ("half", "interleaved"))
    by_hand = q[0] * math.cos(1) - q[4] * math.sin(1)
    return max(still, abs(float(turned(q, 1)[0, 0] - by_hand)))


@part.claim(
    "seven-turned",
    at_most=5e-7,
    source="D4 D11 N8",
    plain=f"""{_PAIR}\
m, n = np.array([(5, 2), (10, 7), (100, 97), (5, 5), (50, 50), (2, 5), (60, 63)]).T
printed = [-3.723953] * 3 + [-1.467987] * 2 + [-3.822771] * 2
value = np.abs(score(m, n) - printed).max()
""",
)
def _seven_turned() -> float:
    m, n = np.array(PAIRS).T
    return farthest(scores(*pair(), m, n), [-3.723953] * 3 + [-1.467987] * 2 + [-3.822771] * 2)


@part.claim(
    "seven-added",
    at_most=5e-7,
    source="D11 N8",
    plain="""
        w = np.repeat(10000.0 ** (-np.arange(4) / 4), 2)
        q, k = np.random.default_rng(0).standard_normal((2, 8))
        P = lambda p: np.where(np.arange(8) % 2, np.cos(p * w), np.sin(p * w))
        pairs = (5, 2), (10, 7), (100, 97), (5, 5), (50, 50), (2, 5), (60, 63)
        printed = [1.176863, 2.000127, -2.134787, 3.041148, 0.331414, 0.829287, 0.841743]
        value = np.abs(np.array([(q + P(m)) @ (k + P(n)) for m, n in pairs]) - printed).max()
    """,
)
def _seven_added() -> float:
    printed = [1.176863, 2.000127, -2.134787, 3.041148, 0.331414, 0.829287, 0.841743]
    return farthest(np.array([added_score(m, n) for m, n in PAIRS]), printed)


@part.claim(
    "relative",
    at_most=1e-12,
    source="B13 D11 N8",
    plain=f"""{_PAIR}\
n = np.arange(1997)
value = np.abs(score(n + 3, n) - score(3, 0)).max()
""",
)
def _relative() -> float:
    q, k = pair()
    n = np.arange(1997)
    return farthest(scores(q, k, n + 3, n), (spun(q, 3) * spun(k, 0).conj()).real.sum())


@part.claim(
    "a-million",
    at_most=1e-9,
    source="B17",
    plain=f"""{_PAIR}\
value = abs(score(1_000_003, 1_000_000) - score(3, 0))
""",
)
def _a_million() -> float:
    q, k = pair()
    far = scores(q, k, 1_000_003, 1_000_000)
    return farthest(far, (spun(q, 3) * spun(k, 0).conj()).real.sum())


@part.claim(
    "phase-difference",
    at_most=1e-12,
    source="B13",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        between = np.angle(np.exp(1j * 1000 * w) * np.exp(-1j * 998 * w))
        value = np.abs(between - 2 * w).max()
    """,
)
def _phase_difference() -> float:
    cos, sin = tables(Rope(dim=64, layout="half"), np.array([1000, 998]), float64=True)
    between = np.angle((cos[0] + 1j * sin[0]) * (cos[1] - 1j * sin[1]))
    return farthest(between, 2 * ladder(64))


@part.claim(
    "lengths",
    equal=1.862653,
    within=5e-7,
    source="D11 N8",
    plain=f"""{_PAIR}\
sizes = np.sqrt((np.abs(turn(q, [0, 1, 10, 100, 1000])) ** 2).sum(-1))
value = sizes[np.abs(sizes - 1.862653).argmax()]
""",
)
def _lengths() -> float:
    q, _ = pair()
    return worst(_along(q, [0, 1, 10, 100, 1000]), 1.862653)


@part.claim(
    "length-kept",
    at_most=2e-15,
    source="D4",
    plain=f"""{_PAIR}\
sizes = np.sqrt((np.abs(turn(q, np.arange(2000))) ** 2).sum(-1))
value = np.abs(sizes / np.sqrt(q @ q) - 1).max()
""",
)
def _length_kept() -> float:
    q, _ = pair()
    return farthest(_along(q, range(2000)) / math.sqrt(q @ q), 1)


def _along(q: Vector, positions: Sequence[int]) -> Vector:
    """Lengths of the turned vector along where it should point: a vector left alone fails too."""
    aim = flat(spun(q, positions))
    return np.asarray((turned(q, positions) * aim).sum(-1) / np.linalg.norm(aim, axis=-1))


@part.claim(
    "moved-sentence",
    at_most=1e-12,
    source="D12 mistralai/mistral-inference#147",
    plain=f"""{_SENTENCE}\
def out(p):
    a = np.exp((turn(q, p) @ turn(k, p).conj().T).real / 8**0.5)
    return a / a.sum(-1, keepdims=True) @ v
value = np.abs(out(np.arange(100, 106)) - out(np.arange(6))).max()
""",
)
def _moved_sentence() -> float:
    q, k, v = tokens(6)
    rope = Rope(dim=8, layout="half")
    return farthest(outputs(q, k, v, rope, np.arange(100, 106)), attended(q, k, v))


@part.claim(
    "turn-values",
    equal=0.0,
    within=5e-7,
    verdict="false",
    actual=1.457622,
    source="mistralai/mistral-inference#147 D12",
    plain=f"""{_SENTENCE}\
def out(p):
    a = np.exp((turn(q, p) @ turn(k, p).conj().T).real / 8**0.5)
    return a / a.sum(-1, keepdims=True) @ turn(v, p)
{_MOVED}""",
)
def _turn_values() -> float:
    return farthest(with_turned_values(100), with_turned_values(0))


def with_turned_values(start: int, *, undo: bool = False) -> Matrix:
    """Attention in which values turn as well; ``undo`` turns each output back by its own place."""
    q, k, v = tokens(6)
    where = np.arange(start, start + 6)
    out = outputs(q, k, turned(v, where), Rope(dim=8, layout="half"), where)
    return turned(out, -where) if undo else out


@part.claim(
    "values-undone",
    at_most=1e-12,
    source="mistralai/mistral-inference#147",
    plain=f"""{_SENTENCE}\
def out(p):
    a = np.exp((turn(q, p) @ turn(k, p).conj().T).real / 8**0.5)
    return a / a.sum(-1, keepdims=True) @ turn(v, p) * np.exp(-1j * p[:, None] * w)
{_MOVED}""",
)
def _values_undone() -> float:
    q, k, v = tokens(6)
    where = np.arange(6)
    logits = (spun(q, where) @ spun(k, where).conj().T).real
    weights = np.exp(logits / math.sqrt(8))
    mean = weights / weights.sum(-1, keepdims=True) @ spun(v, where)
    home = mean * np.exp(-1j * where[:, None] * ladder())
    return farthest(with_turned_values(100, undo=True), flat(home))


@part.claim(
    "equal-tokens",
    at_most=1e-14,
    source="D12",
    plain=f"""{_SENTENCE}\
p = np.arange(6)
a = np.exp((turn(q[:1], p) @ turn(k[:1], p).conj().T).real / 8**0.5)
value = np.abs(a / a.sum(-1, keepdims=True) @ v[[0] * 6] - v[0]).max()
""",
)
def _equal_tokens() -> float:
    q, k, v = (x[[0] * 6] for x in tokens(6))
    return farthest(outputs(q, k, v, Rope(dim=8, layout="half"), np.arange(6)), v)
