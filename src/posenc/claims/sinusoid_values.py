"""Chapter 3: the numbers of the sinusoidal code, how they are laid out and drawn."""

from __future__ import annotations

import numpy as np

from posenc._characters import heat_map
from posenc.claims._chapter import Part
from posenc.claims._codes import farthest, sinusoid
from posenc.errors import EncodingError
from posenc.functional._layouts import pair_order
from posenc.specs._sinusoidal import Sinusoidal

part = Part("sinusoid")

POSITIONS = (0, 1, 2, 3, 10, 50)
CHANNELS = (0, 1, 2, 3, 14, 15)
"""What the printed table of width 16 shows."""

_ANGLES = """\
w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
angle = np.arange(64)[:, None] * w
code = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(64, 64)
"""


@part.claim(
    "values",
    at_most=5e-7,
    source="A12 C7 D6 N2",
    plain="""
        j, p = np.array([0, 1, 2, 3, 14, 15]), np.array([[1], [2], [3], [10], [50]])
        code = np.sin(p / 10000.0 ** (j // 2 * 2 / 16) + j % 2 * np.pi / 2)
        value = np.abs(code - [[0.841471, 0.540302, 0.310984, 0.950415, 0.000316, 1.000000],
                               [0.909297, -0.416147, 0.591127, 0.806578, 0.000632, 1.000000],
                               [0.141120, -0.989992, 0.812649, 0.582754, 0.000949, 1.000000],
                               [-0.544021, -0.839072, -0.020684, -0.999786, 0.003162, 0.999995],
                               [-0.262375, 0.964966, -0.103241, -0.994656, 0.015811, 0.999875]]
                       ).max()
    """,
)
def _values() -> float:
    printed = [
        [0, 1, 0, 1, 0, 1],
        [0.841471, 0.540302, 0.310984, 0.950415, 0.000316, 1.000000],
        [0.909297, -0.416147, 0.591127, 0.806578, 0.000632, 1.000000],
        [0.141120, -0.989992, 0.812649, 0.582754, 0.000949, 1.000000],
        [-0.544021, -0.839072, -0.020684, -0.999786, 0.003162, 0.999995],
        [-0.262375, 0.964966, -0.103241, -0.994656, 0.015811, 0.999875],
    ]
    return farthest(sinusoid(POSITIONS, dim=16)[:, CHANNELS], printed)


@part.claim(
    "wolfram",
    at_most=0.0,
    within=5e-13,
    source="C7 C17 C18 N9",
    plain="""
        p, x = np.arange(1024)[:, None], np.arange(0, 64, 0.25)
        line = np.sin(p / 10000 ** (2 * np.floor(x / 2) / 64) + np.floor(x) % 2 * np.pi / 2)
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        code = np.stack([np.sin(p * w), np.cos(p * w)], axis=-1).reshape(1024, 64)
        value = np.abs(line - code.repeat(4, axis=1)).max()
    """,
)
def _wolfram() -> float:
    p, x = np.arange(1024)[:, None], np.arange(0, 64, 0.25)
    line = np.sin(p / 10000 ** (2 * np.floor(x / 2) / 64) + np.floor(x) % 2 * np.pi / 2)
    return farthest(line, sinusoid(1024)[:, np.floor(x).astype(int)])


@part.claim(
    "pair-circle",
    at_most=0.0,
    within=1e-15,
    source="A12 A14",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        angle = np.arange(1024)[:, None] * w
        value = np.abs(np.sin(angle) ** 2 + np.cos(angle) ** 2 - 1).max()
    """,
)
def _pair_circle() -> float:
    pairs = sinusoid(1024).reshape(1024, 32, 2)
    return farthest((pairs**2).sum(-1), 1.0)


@part.claim(
    "range",
    equal=2.0,
    within=5e-7,
    source="A15 A19 N2",
    plain=f"{_ANGLES}value = code.max() - code.min()",
)
def _range() -> float:
    return float(np.ptp(sinusoid(64)))


@part.claim(
    "first-step",
    at_most=5e-7,
    source="A15 N2",
    plain=f"""{_ANGLES}\
step = np.abs(code[1] - code[0])[[0, 1, 2, 10, 30, 40, 41, 62]]
printed = [0.841471, 0.459698, 0.681561, 0.234921, 0.013335, 0.003162, 0.000005, 0.000133]
value = np.abs(step - printed).max()
""",
)
def _first_step() -> float:
    rows = sinusoid(2)
    printed = [0.841471, 0.459698, 0.681561, 0.234921, 0.013335, 0.003162, 0.000005, 0.000133]
    return farthest(np.abs(rows[1] - rows[0])[[0, 1, 2, 10, 30, 40, 41, 62]], printed)


@part.claim(
    "layouts",
    at_most=0.0,
    within=1e-12,
    source="tensorflow/tensor2tensor#1423",
    plain="""
        angle = np.arange(64)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
        half = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
        woven = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(64, 64)
        order = [*range(0, 64, 2), *range(1, 64, 2)]
        products = np.abs(woven @ woven.T - half @ half.T)
        value = max(np.abs(woven[:, order] - half).max(), products.max())
    """,
)
def _layouts() -> float:
    woven, half = sinusoid(64), sinusoid(64, layout="half")
    moved = farthest(woven[:, pair_order(64, "interleaved", "half")], half)
    same_place = farthest(woven, half) < 1e-12  # then the two would be one
    return max(moved, farthest(woven @ woven.T, half @ half.T), float(same_place))


@part.claim(
    "odd-width",
    equal=8.0,
    within=1e-12,
    source="D2",
    plain="""
        value = 0
        for d in range(1, 17):
            j = np.arange(d)
            angle = np.arange(50)[:, None] / 10000.0 ** (j // 2 * 2 / d)
            code = np.sin(angle + j % 2 * np.pi / 2)
            value += np.ptp((code ** 2).sum(-1)) < 1e-9
    """,
)
def _odd_width() -> float:
    allowed = 0.0
    for width in range(1, 17):
        try:
            row = sinusoid([5], dim=width)[0]
        except EncodingError:
            continue
        allowed += float(row @ row) / (width / 2)  # 1 for a width that is whole pairs
    return allowed


@part.claim(
    "heat-map",
    equal=0.0,
    source="A15 D5 D6 N2",
    plain="""
        j, p = np.arange(16), np.array([[0], [4], [20], [36]])
        code = np.sin(p / 10000.0 ** (j // 2 * 2 / 16) + j % 2 * np.pi / 2)
        drawn = np.array(list(" .:-=+*#%@"))[np.rint((code + 1) / 2 * 9).astype(int)]
        printed = ["=@=@=@=@=@=@=@=@", ".:@**@+@+@+@+@+@"]
        printed += ["@*+@@-#%+@+@+@+@", " = *- @**@+@+@+@"]
        value = (drawn != [list(row) for row in printed]).sum()
    """,
)
def _heat_map() -> float:
    drawn = heat_map(sinusoid(40, dim=16), low=-1, high=1).splitlines()
    printed = {
        0: "=@=@=@=@=@=@=@=@",
        4: ".:@**@+@+@+@+@+@",
        20: "@*+@@-#%+@+@+@+@",
        36: " = *- @**@+@+@+@",
    }
    return sum(a != b for p, row in printed.items() for a, b in zip(drawn[p], row, strict=True))


@part.claim(
    "stripes-left",
    at_least=0.9,
    within=5e-7,
    verdict="false",
    actual=73 / 152,
    source="A16 W14",
    plain=f"""{_ANGLES}\
picture = code.T
stripes = picture[:, 1:] * picture[:, :-1] < 0
value = stripes[:, :32].sum() / stripes.sum()
""",
)
def _stripes_left() -> float:
    stripes = _stripes()
    return float(stripes[:, :32].sum() / stripes.sum())


@part.claim(
    "stripes-top",
    equal=1.0,
    source="A16 W14",
    plain=f"""{_ANGLES}\
picture = code.T
stripes = picture[:, 1:] * picture[:, :-1] < 0
value = stripes[:32].sum() / stripes.sum()
""",
)
def _stripes_top() -> float:
    stripes = _stripes()
    return float(stripes[:32].sum() / stripes.sum())


def _stripes() -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Where the picture of 64 positions, running across, changes its sign."""
    picture = sinusoid(64).T
    return np.asarray(picture[:, 1:] * picture[:, :-1] < 0)


@part.claim(
    "real-positions",
    equal=0.750771,
    within=5e-7,
    source="C17",
    plain="""
        w = 10000.0 ** (-np.arange(0, 64, 2) / 64)
        value = np.sqrt((4 * np.sin(w / 4) ** 2).sum())
    """,
)
def _real_positions() -> float:
    here, between = sinusoid([7.0, 7.5])
    return float(np.linalg.norm(between - here))


@part.claim(
    "exp-of-log",
    at_most=0.0,
    within=3e-15,
    source="arXiv:1706.03762",
    plain="""
        power = 10000.0 ** (-np.arange(0, 768, 2) / 768)
        spelled = np.exp(np.arange(0, 768, 2) * -(math.log(10000.0) / 768))
        value = np.abs(spelled / power - 1).max()
    """,
)
def _exp_of_log() -> float:
    spelled = np.exp(np.arange(0, 768, 2) * -(np.log(10000.0) / 768))
    return farthest(spelled / Sinusoidal(dim=768).frequencies(), 1.0)
