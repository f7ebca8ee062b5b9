"""Chapter 10: the window T100..T2146 becomes T101..T2147, with and without a cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._facade import rotate, tables
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest, sinusoid
from posenc.claims._turned import (
    Vector,
    flat,
    outputs,
    pair,
    spun,
    tokens,
    turned,
    waved,
    worst,
)
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal

WINDOW = 2047
"""Tokens that the model sees at once."""

NEW = np.arange(WINDOW)
"""Positions of T101..T2147 when the window is counted anew."""

STALE = np.append(NEW[1:], WINDOW - 1)
"""What a cache that nobody touches makes of it: all as before, and the newest token at the end."""

part = Part("window")

_STEP = """\
w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
a = np.arange(2047)[:, None] * w
code = np.concatenate([np.sin(a), np.cos(a)], -1)
"""
_TOKENS = """\
w = 10000.0 ** (-np.arange(8) / 8)
q, k, v = np.random.default_rng(0).standard_normal((3, 2047, 16))
n = np.arange(2047)
"""
_TURNED = f"""{_TOKENS}\
turn = lambda x, p: (x[..., :8] + 1j * x[..., 8:]) * np.exp(1j * np.asarray(p)[..., None] * w)
weights = lambda p, keys: np.exp((keys.conj() @ turn(q[-1], p)).real / 4)
out = lambda p, keys: weights(p, keys) @ v / weights(p, keys).sum()
"""
_ADDED = f"""{_TOKENS}\
def out(p):
    code = np.sin(p[:, None] * np.repeat(w, 2) + np.tile([0, np.pi / 2], 8))
    a = np.exp((k + code) @ (q[-1] + code[-1]) / 4)
    return a @ (v + code) / a.sum()
"""


def codes_that_move(dim: int = 64) -> tuple[Matrix, Matrix]:
    """Codes of the 2046 tokens that stay: before the step, and when the window is coded anew."""
    code = sinusoid(WINDOW, dim=dim)
    return code[1:], code[:-1]


def corrections() -> tuple[Matrix, Matrix]:
    """What has to be added to each cached key and value under added codes, 64 channels."""
    before, after = codes_that_move()
    w_k, w_v = np.random.default_rng(0).standard_normal((2, 64, 64)) / 8
    return (after - before) @ w_k, (after - before) @ w_v


def added_output(positions: Any) -> Vector:
    """What the newest token reads where codes are added to q, k and v at these positions."""
    q, k, v = tokens(WINDOW, 16)
    code = sinusoid(positions, dim=16)
    return np.asarray(outputs(q[-1:] + code[-1:], k + code, v + code)[0])


def turned_output(keys: Matrix, position: int) -> Vector:
    """What the newest token, at ``position``, reads from keys that are turned already."""
    q, _, v = tokens(WINDOW, 16)
    return np.asarray(outputs(turned(q[-1], position), keys, v)[0])


def from_cache(*, turn: int) -> Matrix:
    """Keys cached at positions 1..2046 and turned by ``turn``, with the newest one at 2046."""
    _, k, _ = tokens(WINDOW, 16)
    cached = turned(k[:-1], NEW[1:])
    if turn:
        cached = turned_back(cached, turn)
    return np.concatenate([cached, turned(k[-1], WINDOW - 1)])


def turned_back(keys: Matrix, delta: int) -> Matrix:
    """Keys that are turned already, turned once more by ``delta`` positions."""
    spec = Rope(dim=keys.shape[-1], layout="half")
    cos, sin = tables(spec, np.array([delta]), float64=True)
    return np.asarray(rotate(keys, cos, sin, layout="half"))


def _by_hand() -> Vector:
    """What the newest token reads when the whole window is turned to 0..2046, in NumPy alone."""
    q, k, v = tokens(WINDOW, 16)
    logits = (spun(k, NEW).conj() @ spun(q[-1], WINDOW - 1)).real / 4
    weights = np.exp(logits)
    return np.asarray(weights @ v / weights.sum())


@part.claim(
    "recoded",
    equal=2046,
    verdict="only if",
    source="C14 W10",
    plain=f"""{_STEP}\
value = np.count_nonzero(np.abs(code[1:] - code[:-1]).max(-1) > 0.01)
""",
)
def _recoded() -> float:
    before, after = codes_that_move()
    changed = np.abs(after - before).max(-1) > 0.01
    # Coded anew means at the position before: a code that merely changes does not count.
    right = np.abs(after - waved(NEW[:-1])).max(-1) < 1e-9
    return float(np.count_nonzero(changed & right))


@part.claim(
    "step",
    equal=1.471848,
    within=5e-7,
    source="C14",
    plain=f"""{_STEP}\
size = np.sqrt(((code[1:] - code[:-1]) ** 2).sum(-1))
value = size[np.abs(size - 1.471848).argmax()]
""",
)
def _step() -> float:
    before, after = codes_that_move()
    return worst(np.linalg.norm(after - before, axis=-1), 1.471848)


@part.claim(
    "map",
    at_most=1e-12,
    source="C14 N4",
    plain="""
        w = 10000.0 ** (-np.arange(0, 768, 2) / 768)
        code = np.exp(1j * np.arange(2047)[:, None] * w)
        value = np.abs(code[1:] * np.exp(-1j * w) - code[:-1]).max()
    """,
)
def _map() -> float:
    before, after = codes_that_move(768)
    matrix = Sinusoidal(dim=768).shift(-1)
    sine, cosine = before[:, ::2], before[:, 1::2]
    same, up, down = (np.diag(matrix, k) for k in (0, 1, -1))
    moved_sine = sine * same[::2] + cosine * up[::2]
    moved_cosine = sine * down[::2] + cosine * same[1::2]
    # The map must be those blocks, one a pair, and nothing else.
    used = np.abs(same).sum() + np.abs(up[::2]).sum() + np.abs(down[::2]).sum()
    stray = abs(float(np.abs(matrix).sum() - used))
    return max(farthest(moved_sine, after[:, ::2]), farthest(moved_cosine, after[:, 1::2]), stray)


@part.claim(
    "turn-back",
    at_most=1e-14,
    source="W10 N8",
    plain="""
        w = 10000.0 ** (-np.arange(4) / 4)
        k = np.random.default_rng(0).standard_normal((2, 8))[1]
        z = k[:4] + 1j * k[4:]
        difference = z * np.exp(1000j * w) * np.exp(-1j * w) - z * np.exp(999j * w)
        value = max(np.abs(difference.real).max(), np.abs(difference.imag).max())
    """,
)
def _turn_back() -> float:
    _, k = pair()
    return farthest(turned_back(turned(k, 1000), -1)[0], flat(spun(k, 999)))


@part.claim(
    "cache-turned",
    at_most=1e-12,
    source="C14 W10",
    plain=f"""{_TURNED}\
cached = np.concatenate([turn(k[:-1], n[1:]) * np.exp(-1j * w), turn(k[-1:], n[-1:])])
value = np.abs(out(2046, cached) - out(2046, turn(k, n))).max()
""",
)
def _cache_turned() -> float:
    return farthest(turned_output(from_cache(turn=-1), WINDOW - 1), _by_hand())


@part.claim(
    "cache-growing",
    at_most=1e-12,
    source="W10",
    plain=f"""{_TURNED}\
value = np.abs(out(2147, turn(k, n + 101)) - out(2046, turn(k, n))).max()
""",
)
def _cache_growing() -> float:
    _, k, _ = tokens(WINDOW, 16)
    return farthest(turned_output(turned(k, NEW + 101), 2147), _by_hand())


@part.claim(
    "cache-untouched",
    equal=0.011086,
    within=5e-7,
    source="W10",
    plain=f"""{_TURNED}\
untouched = turn(k, np.append(n[1:], 2046))
value = np.abs(out(2046, untouched) - out(2046, turn(k, n))).max()
""",
)
def _cache_untouched() -> float:
    return farthest(turned_output(from_cache(turn=0), WINDOW - 1), _by_hand())


@part.claim(
    "added-untouched",
    equal=0.078991,
    within=5e-7,
    source="W10 D13",
    plain=f"""{_ADDED}\
value = np.abs(out(np.append(n[1:], 2046)) - out(n)).max()
""",
)
def _added_untouched() -> float:
    return farthest(added_output(STALE), added_output(NEW))


@part.claim(
    "added-growing",
    equal=0.292617,
    within=5e-7,
    source="W10",
    plain=f"""{_ADDED}\
value = np.abs(out(n + 101) - out(n)).max()
""",
)
def _added_growing() -> float:
    return farthest(added_output(NEW + 101), added_output(NEW))


@part.claim(
    "added-everything",
    equal=4092,
    source="W10",
    plain=f"""{_TOKENS.replace("(8) / 8", "(32) / 32")}\
z = np.exp(1j * n[:, None] * w)
step = np.stack([(z[:-1] - z[1:]).imag, (z[:-1] - z[1:]).real], -1).reshape(2046, 64)
both = step @ (np.random.default_rng(0).standard_normal((2, 64, 64)) / 8)
value = np.count_nonzero(np.sqrt((both ** 2).sum(-1)) > 0.1)
""",
)
def _added_everything() -> float:
    before, after = codes_that_move()
    right = np.abs(before - after - np.diff(waved(NEW), axis=0)).max(-1) < 1e-9
    sizes = (np.linalg.norm(c, axis=-1) for c in corrections())
    return float(sum(np.count_nonzero(right & (size > 0.1)) for size in sizes))


@part.claim(
    "added-no-one-map",
    equal=1.682001,
    within=5e-7,
    source="W10 D13",
    plain=f"""{_TOKENS}\
code = np.sin(n[:, None] * np.repeat(w, 2) + np.tile([0, np.pi / 2], 8))
before, after = k[:-1] + code[1:], k[:-1] + code[:-1]
before = np.column_stack([before, np.ones(2046)])
value = np.abs(before @ np.linalg.lstsq(before, after, rcond=None)[0] - after).max()
""",
)
def _added_no_one_map() -> float:
    _, k, _ = tokens(WINDOW, 16)
    code = sinusoid(WINDOW, dim=16)
    before, after = k[:-1] + code[1:], k[:-1] + code[:-1]
    here = np.column_stack([before, np.ones(WINDOW - 1)])
    best = np.linalg.solve(here.T @ here, here.T @ after)  # least squares
    return farthest(here @ best, after)
