"""Chapter 4 on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc.claims._codes import sinusoid
from posenc.claims.distance_products import OFFSETS, STARTS, first_rise, products
from posenc.claims.distance_shift import map_miss, shift_miss, sines, wrong_exponent
from posenc.figures.text import heat_map
from posenc.specs._sinusoidal import Sinusoidal
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say

_DERIVATION = """\
sin (p + k)w  =  sin pw cos kw + cos pw sin kw
cos (p + k)w  =  cos pw cos kw - sin pw sin kw

| sin (p + k)w |     |  cos kw   sin kw |   | sin pw |
|              |  =  |                  |   |        |
| cos (p + k)w |     | -sin kw   cos kw |   | cos pw |

   P(p + k)       =         M_k                P(p)
"""

_WINDOW = (1, 768, range(0, 2047, 31))


def page(context: Context) -> Iterator[Block]:
    """Dot products over the distance, the rotation that moves a code, and two ways to lose it."""
    yield from _products()
    yield from _not_monotone()
    yield from _nearest()
    yield from _derivation()
    yield from _shift()
    yield from _without_cosines()
    yield from _wrong_exponent()
    yield Say("absolute-relative")
    yield Say("after-projections")
    yield Prove(["distance.absolute", "naive.three-and-thirty", "distance.phase"])


def _proved(*names: str) -> Prove:
    return Prove([f"distance.{name}" for name in names])


def _products() -> Iterator[Block]:
    yield Say("question")
    rows = [(p, *products(65, start=p)[list(OFFSETS)].tolist()) for p in STARTS]
    yield Grid("table", ("p", *(f"k = {k}" for k in OFFSETS)), rows)
    yield _proved("products", "sum-of-cosines")
    codes = sinusoid(24)
    yield Drawing("toeplitz", heat_map((codes @ codes.T).repeat(2, axis=1)))


def _not_monotone() -> Iterator[Block]:
    yield Say("not-monotone")
    yield Drawing("curve", _plot(products(64) / 32))
    widths = (16, 64, 128, 256, 512, 768)
    rises = [first_rise(d) for d in widths]
    near = [products(64, d) / (d / 2) for d in widths]
    rows = [
        (d, k, float(c[k]), float(c[k + 1])) for d, k, c in zip(widths, rises, near, strict=True)
    ]
    yield Grid("rises", ("d", "k", "cos, k", "cos, k + 1"), rows)
    yield _proved("falls", "sixteen-thirty-two", "five-six", "first-rise")
    yield _proved("minimum", "minimum-place")


def _plot(curve: np.ndarray[tuple[int, ...], np.dtype[np.float64]], height: int = 12) -> str:
    """A curve as characters: a column for each value, the largest on the top line."""
    low, high = float(curve.min()), float(curve.max())
    levels = np.rint((curve - low) / (high - low) * (height - 1)).astype(int)
    lines = []
    for level in range(height - 1, -1, -1):
        value = low + (high - low) * level / (height - 1)
        lines.append(f"{value:6.2f}  " + "".join("*" if at == level else " " for at in levels))
    return "\n".join(lines)


def _nearest() -> Iterator[Block]:
    yield Say("nearest")
    rows = sinusoid(4096)
    gap = np.linalg.norm(rows[1:] - rows[0], axis=-1)
    order = gap.argsort()[:6]
    yield Grid("closest", ("k", "|PE(p) − PE(p + k)|"), [(int(k) + 1, gap[k]) for k in order])
    yield _proved("nearest", "next-nearest")


def _derivation() -> Iterator[Block]:
    yield Say("wish")
    yield Drawing("derivation", _DERIVATION)
    yield Say("reading")
    yield _proved("angle-sum")


def _shift() -> Iterator[Block]:
    yield Say("matrix")
    matrix = Sinusoidal(dim=16).shift(1)
    yield Drawing("blocks", heat_map(abs(matrix).repeat(2, axis=1), low=0, high=1))
    corner = [[f"{number:.4f}" for number in row] for row in matrix[:4, :4].tolist()]
    yield Grid("corner", ("sin w₀", "cos w₀", "sin w₁", "cos w₁"), corner)
    checked = ((1, 16, range(90)), (5, 16, range(90)), (1, 64, range(1024)), _WINDOW)
    rows = [(k, d, f"{p[0]}, {p[1]} … {p[-1]}", shift_miss(k, d, p)) for k, d, p in checked]
    yield Grid("residuals", ("k", "d", "p", "|M_k PE(p) − PE(p + k)|"), rows)
    yield _proved("shift", "shift-in-window", "blocks", "orthogonal", "determinant")


def _without_cosines() -> Iterator[Block]:
    yield Say("sines")
    both, only = sinusoid(1024), sines(1024)
    rows = [
        (p, *(float(np.linalg.norm(c[p])) for c in (both, only))) for p in (0, 1, 10, 100, 1000)
    ]
    yield Grid("sizes", ("p", "|sin, cos|", "|sin|"), rows)
    misses = [(k, shift_miss(k, 64, range(1100)), map_miss(sines(1100), k)) for k in (1, 7)]
    yield Grid("maps", ("k", "sin, cos", "sin"), misses, digits=4)
    yield _proved("sines-norm", "sines-map", "sines-from-zero")


def _wrong_exponent() -> Iterator[Block]:
    yield Say("exponent")
    right, wrong = sinusoid(1024), wrong_exponent(1024)
    rows = []
    for p in (0, 1, 10, 100, 1000):
        sizes = (float(np.linalg.norm(code[p])) for code in (right, wrong))
        rows.append((p, *sizes, *(float(code[p] @ code[p + 7]) for code in (right, wrong))))
    headings = ("p", "|PE(p)| ✓", "✗", "PE(p)·PE(p + 7) ✓", "✗")
    yield Grid("slip", headings, rows)
    yield _proved("wrong-exponent-norm", "wrong-exponent-products")
