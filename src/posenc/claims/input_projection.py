"""Chapter 5: what a linear layer does, and what a projection does."""

from __future__ import annotations

import math

import numpy as np

from posenc.claims._chapter import Part
from posenc.claims._codes import cosine, farthest, sinusoid
from posenc.claims._geometry import axes_at, coordinates, linear, projected, shadow
from posenc.claims._stage import first_layer, gpt2_input
from posenc.claims._tables import numbers_read
from posenc.specs._learned import Learned
from posenc.specs._sinusoidal import Sinusoidal

part = Part("input")

FLOOR = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""The two axes that are left when height is dropped."""

TWINS = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 9.0]])
"""Two points that differ in height alone."""

OBLIQUE = np.array([2.0, 1.0])
"""The vector that is measured along axes at 60 degrees."""


@part.claim(
    "gpt2-formula",
    equal=0,
    verdict="false",
    actual=786_432,
    source="W19 A25 C21 N9",
    plain="""
        d, layers, words = 768, 12, 50257
        block = 4 * d * d + 8 * d * d + 13 * d  # attention, feed-forward, biases and norms
        value = 124_439_808 - words * d - layers * block - 2 * d  # all numbers of GPT-2, less these
    """,
)
def _gpt2_formula() -> float:
    return numbers_read(Learned(rows=1024, dim=768))


@part.claim(
    "layer-begins-linear",
    equal=2,
    within=0.01,
    verdict="false",
    actual=1,
    source="W19 C22",
    plain="""
        r = np.random.default_rng(7)
        x, W = r.normal(0, 0.02, (6, 768)), r.normal(0, 0.02, (768, 2304))
        def layer(x):
            x = x - x.mean(-1, keepdims=True)
            return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + 1e-5) @ W
        value = np.linalg.norm(layer(2 * x)) / np.linalg.norm(layer(x))
    """,
)
def _layer_begins_linear() -> float:
    stage = gpt2_input()
    doubled = first_layer(2 * stage.x, stage.c_attn)
    return float(np.linalg.norm(doubled) / np.linalg.norm(stage.qkv))


@part.claim(
    "c-attn-narrows",
    at_most=768,
    verdict="false",
    actual=2304,
    source="C21 C22 W19 W20",
    plain="""
        r = np.random.default_rng(7)
        x, W = r.normal(size=(6, 768)), r.normal(size=(768, 2304))
        value = np.unique((x @ W)[0]).size
    """,
)
def _c_attn_narrows() -> float:
    return np.unique(gpt2_input().qkv[0]).size


@part.claim(
    "one-matrix",
    at_most=1e-12,
    source="C22",
    plain="""
        r = np.random.default_rng(7)
        x, A, B = r.normal(size=(5, 8)), r.normal(size=(8, 6)), r.normal(size=(6, 4))
        value = np.abs((x @ A) @ B - x @ (A @ B)).max()
    """,
)
def _one_matrix() -> float:
    rng = np.random.default_rng(7)
    x, first, second = rng.normal(size=(5, 8)), rng.normal(size=(8, 6)), rng.normal(size=(6, 4))
    return farthest(linear(linear(x, first), second), x @ (first @ second))


@part.claim(
    "layer-is-projection",
    at_most=0,
    within=0.05,
    verdict="false",
    actual=math.sqrt(2),
    source="W20 C22",
    plain="""
        W = np.random.default_rng(7).normal(size=(256, 256)) / 16
        value = np.linalg.norm(W @ W - W) / np.linalg.norm(W)
    """,
)
def _layer_is_projection() -> float:
    weight = np.random.default_rng(7).normal(size=(256, 256)) / 16
    once = linear(np.eye(256), weight)
    return float(np.linalg.norm(linear(once, weight) - once) / np.linalg.norm(once))


@part.claim(
    "projected-twice",
    at_most=1e-12,
    source="W20 C23",
    plain="""
        Q, _ = np.linalg.qr(np.random.default_rng(7).normal(size=(64, 8)))
        P = Q @ Q.T
        value = max(np.abs(P @ P - P).max(), np.abs(P - P.T).max(), abs(np.trace(P) - 8))
    """,
)
def _projected_twice() -> float:
    axes = np.random.default_rng(7).normal(size=(8, 64))
    once = projected(np.eye(64), axes)
    twice = projected(once, axes)
    return max(farthest(twice, once), farthest(once, once.T), abs(float(np.trace(once)) - 8))


@part.claim(
    "drop-height",
    at_most=1e-12,
    source="C26 C23",
    plain="""
        points = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 9.0]])
        value = np.abs(points @ np.diag([1, 1, 0]) - [1, 2, 0]).max()
    """,
)
def _drop_height() -> float:
    return farthest(projected(TWINS, FLOOR), [1, 2, 0])


@part.claim(
    "drop-height-cosine",
    equal=0.077775,
    within=5e-7,
    source="C26",
    plain="""
        a, b = np.array([1.0, 2, 3]), np.array([1.0, 2, 9])
        cos = lambda u, v: u @ v / math.sqrt((u @ u) * (v @ v))
        value = cos(a[:2], b[:2]) - cos(a, b)
    """,
)
def _drop_height_cosine() -> float:
    return cosine(*projected(TWINS, FLOOR)) - cosine(*TWINS)


@part.claim(
    "first-hand-alone",
    equal=6.029e-5,
    within=5e-9,
    source="C23 C24 N5",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        gaps = 2 * np.abs(np.sin(710 * w / 2))
        value = gaps[0] if abs(np.linalg.norm(gaps) - 7.296668) < 1e-6 else -1
    """,
)
def _first_hand_alone() -> float:
    a, b = sinusoid([0, 710])
    far = abs(np.linalg.norm(a - b) - 7.296668) < 1e-6
    return float(np.linalg.norm(projected(a - b, np.eye(64)[:2]))) if far else -1


@part.claim(
    "basis-then-drop",
    at_most=1e-12,
    verdict="only if",
    source="C24",
    plain="""
        x, u = np.random.default_rng(7).normal(size=(2, 1024))
        u = u / np.linalg.norm(u)
        turned = x - 2 * (x @ u) * u
        W = (np.eye(1024) - 2 * np.outer(u, u))[:, :64]
        kept = np.abs(turned[:64] - x @ W).max()
        value = max(kept, abs(np.linalg.norm(turned) - np.linalg.norm(x)))
    """,
)
def _basis_then_drop() -> float:
    x = np.random.default_rng(7).normal(size=(5, 1024))
    basis = Sinusoidal(dim=1024).shift(1)
    turned = linear(x, basis)
    lengths = np.linalg.norm(turned, axis=-1) - np.linalg.norm(x, axis=-1)
    return max(farthest(linear(x, basis[:, :64]), turned[:, :64]), farthest(lengths, 0))


@part.claim(
    "oblique-coordinates",
    at_most=5e-7,
    source="C25 N9",
    plain="""
        h = math.pi / 3
        b = 1 / math.sin(h)
        a = 2 - b * math.cos(h)
        value = max(abs(a - 1.422650), abs(b - 1.154701))
    """,
)
def _oblique_coordinates() -> float:
    return farthest(coordinates(OBLIQUE, axes_at(60)), [1.422650, 1.154701])


@part.claim(
    "oblique-is-shadow",
    equal=2,
    within=5e-7,
    verdict="false",
    actual=1.422650,
    source="C25 W20 N9",
    plain="""
        axes = np.array([[1, 0], [math.cos(math.pi / 3), math.sin(math.pi / 3)]])
        value = np.linalg.inv(axes.T)[0] @ [2, 1]
    """,
)
def _oblique_is_shadow() -> float:
    return float(coordinates(OBLIQUE, axes_at(60))[0])


@part.claim(
    "right-angles-agree",
    at_most=1e-12,
    verdict="only if",
    source="C25 W20 N9",
    plain="""
        axes = np.array([[math.cos(0.4), math.sin(0.4)], [-math.sin(0.4), math.cos(0.4)]])
        v = np.array([2.0, 1.0])
        value = np.abs(np.linalg.solve(axes.T, v) - axes @ v).max()
    """,
)
def _right_angles_agree() -> float:
    axes = axes_at(90)
    shadows = np.array([shadow(OBLIQUE, axis) for axis in axes])
    return max(farthest(coordinates(OBLIQUE, axes), shadows), farthest(shadows, OBLIQUE))
