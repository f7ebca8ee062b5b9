"""Chapter 8: four faults in turning that ports shipped, and what each one does."""

from __future__ import annotations

import math

import numpy as np

from posenc._facade import rotate, tables
from posenc.claims._chapter import Part
from posenc.claims._codes import Matrix, farthest
from posenc.claims._turned import flat, pair, spun, turned
from posenc.claims.rotary_layouts import EIGHT
from posenc.functional._layouts import split_pairs
from posenc.specs._rope import Rope

part = Part("rotary")

_EIGHT = """\
w = 10000.0 ** (-np.arange(4) / 4)
x = np.arange(1, 9) / 10
"""
_SCORE = f"""{_EIGHT}\
turn = lambda x, p: (x[:4] + 1j * x[4:]) * np.exp(1j * p * w)
score = lambda q, k, m, n: (turn(q, m) * turn(k, n).conj()).real.sum()
"""
_TURN = """\
w = 10000.0 ** (-np.arange(4) / 4)
q, k = np.random.default_rng(0).standard_normal((2, 8))
turn = lambda x, p: (x[:4] + 1j * x[4:]) * np.exp(1j * np.asarray(p)[..., None] * w)
"""


def turned_backwards(x: Matrix, position: int) -> Matrix:
    """Turned by the transpose of the rotation, as a port with the other sign does."""
    cos, sin = tables(Rope(dim=len(x), layout="half"), np.array([position]), float64=True)
    return np.asarray(rotate(x, cos[0], -sin[0], layout="half"))


def tiled_angles(x: Matrix, position: int) -> Matrix:
    """The fault: neighbouring channels are paired, but the angles are laid out as if in halves."""
    cos, sin = tables(Rope(dim=len(x), layout="half"), np.array([position]), float64=True)
    a, b = split_pairs(x, "interleaved")
    across = np.stack([-b, a], axis=-1).ravel()
    return np.asarray(x * np.tile(cos[0], 2) + across * np.tile(sin[0], 2))


def lanes_not_put_back(x: Matrix, position: int) -> Matrix:
    """The fault: even and odd channels are turned and then laid one after the other."""
    cos, sin = tables(Rope(dim=len(x), layout="interleaved"), np.array([position]), float64=True)
    a, b = split_pairs(x, "interleaved")
    return np.concatenate([a * cos[0] - b * sin[0], a * sin[0] + b * cos[0]])


@part.claim(
    "lanes-not-put-back",
    equal=3.0,
    source="vllm-project/vllm-metal#44",
    plain="""
        x = np.arange(8.0)
        z = (x[::2] + 1j * x[1::2]) * np.exp(0j)
        value = np.abs(np.r_[z.real, z.imag] - x).max()
    """,
)
def _lanes_not_put_back() -> float:
    x, order = np.arange(8.0), [0, 2, 4, 6, 1, 3, 5, 7]
    faulty = lanes_not_put_back(x, 0)
    # The rotation itself is right, which is what makes the fault hard to see.
    right = farthest(lanes_not_put_back(x, 3), flat(spun(x[order], 3))) < 1e-12
    if faulty.tolist() != order or not right:
        return math.inf
    return farthest(faulty, turned(x, 0, layout="interleaved"))


@part.claim(
    "tiled-angles",
    equal=4.962817,
    within=5e-7,
    source="facebookresearch/vjepa2#15",
    plain="""
        x, across = np.array([1, 2, 3, 4]), np.array([-2, 1, -4, 3])
        tiled = np.array([1, 0.01, 1, 0.01])
        y = x * np.cos(tiled) + across * np.sin(tiled)
        value = np.sqrt(y @ y)
    """,
)
def _tiled_angles() -> float:
    return float(np.linalg.norm(tiled_angles(np.array([1.0, 2.0, 3.0, 4.0]), 1)))


@part.claim(
    "sign",
    at_most=1e-15,
    source="karpathy/nanochat#489",
    plain="""
        z = (1 + 0j) * np.exp(1j)
        value = max(abs(z.real - math.cos(1)), abs(z.imag - math.sin(1)))
    """,
)
def _sign() -> float:
    return farthest(turned(np.array([1.0, 0.0]), 1)[0], [math.cos(1), math.sin(1)])


@part.claim(
    "other-sign",
    at_most=5e-10,
    source="karpathy/nanochat#489",
    plain=f"""{_EIGHT}\
z = (x[:4] + 1j * x[4:]) * np.exp(-3j * w)
printed = [-0.028439246, 0.368379422, 0.320861860, 0.402398196,
           -0.509108249, 0.514097852, 0.690686374, 0.798796402]
value = np.abs(np.r_[z.real, z.imag] - printed).max()
""",
)
def _other_sign() -> float:
    first = [-0.028439246, 0.368379422, 0.320861860, 0.402398196]
    second = [-0.509108249, 0.514097852, 0.690686374, 0.798796402]
    return farthest(turned_backwards(EIGHT, 3), first + second)


@part.claim(
    "other-sign-score",
    equal=0.827883237,
    within=5e-10,
    verdict="false",
    actual=0.595038960,
    source="karpathy/nanochat#489",
    plain=f"""{_SCORE}\
value = score(x, x[::-1], -7, -3)
""",
)
def _other_sign_score() -> float:
    return float(turned_backwards(EIGHT, 7) @ turned_backwards(EIGHT[::-1], 3))


@part.claim(
    "other-sign-mended",
    equal=0.827883237,
    within=5e-10,
    source="karpathy/nanochat#489",
    plain=f"""{_SCORE}\
flip = np.repeat([1, -1], 4)
value = score(x * flip, x[::-1] * flip, -7, -3)
""",
)
def _other_sign_mended() -> float:
    flip = np.repeat([1.0, -1.0], 4)
    q, k = turned_backwards(EIGHT * flip, 7), turned_backwards(EIGHT[::-1] * flip, 3)
    return float(q @ k)


@part.claim(
    "only-queries",
    equal=0.0,
    within=5e-7,
    verdict="false",
    actual=1.033524,
    source="Tencent-Hunyuan/HunyuanDiT#66",
    plain=f"""{_TURN}\
alone = (turn(q, [3, 4]) * (k[:4] - 1j * k[4:])).real.sum(-1)
value = alone[1] - alone[0]
""",
)
def _only_queries() -> float:
    q, k = pair()
    three, four = turned(q, [3, 4]) @ k
    return float(four - three)
