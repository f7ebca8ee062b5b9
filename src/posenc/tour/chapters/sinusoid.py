"""Chapter 3 on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from posenc.claims._codes import code, sinusoid
from posenc.claims._half import distinct
from posenc.claims.sinusoid_bases import BASES, first_below_half, most_alike, still_pairs
from posenc.claims.sinusoid_clock import hand_count, reading, told_apart
from posenc.claims.sinusoid_periods import apart, miss, periods, turned
from posenc.claims.sinusoid_steps import WIDTHS, neighbours, properties, step_shares
from posenc.claims.sinusoid_values import CHANNELS, POSITIONS
from posenc.claims.sinusoid_waves import doubling, impulse, phasors
from posenc.figures.text import heat_map
from posenc.specs._naive import Binary
from posenc.specs._sinusoidal import Sinusoidal
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say

_FORMULA = """\
PE(p)[2i]     = sin(p w_i)
PE(p)[2i + 1] = cos(p w_i)          w_i = 10000^(-2i / d)
"""


def page(context: Context) -> Iterator[Block]:
    """The numbers, their pictures and periods, the clock, the base, and what Fourier says."""
    yield from _numbers()
    yield from _bridge()
    yield from _turns(context)
    yield from _distances()
    yield from _steps(context)
    yield from _clock(context)
    yield from _properties(context)
    yield from _bases(context)
    yield from _fourier()
    yield Say("practice")
    yield _proved("layouts", "odd-width", "real-positions", "exp-of-log")


def _proved(*names: str) -> Prove:
    return Prove([f"sinusoid.{name}" for name in names])


def _word(key: str, context: Context, **slots: object) -> str:
    return sentence("tour/sinusoid", key, context.language, **slots)


def _labelled(labels: list[str], lines: str) -> str:
    """Lines of a drawing, each with its label before it."""
    width = max(map(len, labels))
    pairs = zip(labels, lines.split("\n"), strict=True)
    return "\n".join(f"{label:>{width}}  {line}" for label, line in pairs)


def _numbers() -> Iterator[Block]:
    yield Drawing("formula", _FORMULA)
    yield Say("names")
    yield Say("row")
    table = sinusoid(POSITIONS, dim=16)[:, CHANNELS]
    rows = [(p, *row) for p, row in zip(POSITIONS, table.tolist(), strict=True)]
    yield Grid("table", ("p", *map(str, CHANNELS)), rows)
    yield _proved("values", "wolfram", "pair-circle")
    yield Drawing("picture", heat_map(sinusoid(40, dim=16), low=-1, high=1))
    dims = [0, 10, 30]
    curves = heat_map(sinusoid(64)[:, dims].T, low=-1, high=1)
    yield Drawing("curves", _labelled([str(d) for d in dims], curves))
    yield Say("caption")
    yield _proved("heat-map", "stripes-left", "stripes-top", "range")
    moving = [20, 21, 22, 23]
    bars = heat_map(sinusoid(moving), low=-1, high=1)
    yield Drawing("bars", _labelled([f"p = {p}" for p in moving], bars))
    yield _proved("first-step", "restless-left", "coarse-fine")


def _bridge() -> Iterator[Block]:
    yield Say("bridge")
    shown = range(1, 5)
    bits = code(Binary(bits=10), 64).T * 2 - 1
    waves = doubling(np.arange(64) + 0.5)[:, 0::2].T
    lines = np.stack([line for j in shown for line in (bits[j], -waves[j])])
    labels = [f"{2 ** (j + 1)} {kind}" for j in shown for kind in ("bit", "sin")]
    yield Drawing("bits-and-waves", _labelled(labels, heat_map(lines, low=-1, high=1)))
    yield Prove(["naive.bridge"])


def _turns(context: Context) -> Iterator[Block]:
    yield Say("turns")
    ladder, short, long = periods(64), turned(63), turned(1023)
    rows = [(2 * i, i, ladder[i], short[i], long[i]) for i in (0, 1, 5, 15, 20, 31)]
    headings = (_word("channel", context), "i", "2π/w", "0 … 63", "0 … 1023")
    yield Grid("turns-made", headings, rows)
    yield _proved("turns", "slow-turn", "slow-angle", "unfinished")
    table = []
    for dim in (8, *WIDTHS):
        ladder, other = periods(dim), periods(dim, ladder="tensor2tensor")
        table.append((dim, *ladder[:3].tolist(), ladder[-1], ladder[1] / ladder[0], other[-1]))
    yield Grid("ladders", ("d", "i = 0", "1", "2", "d/2 − 1", "×", "t2t"), table, digits=3)
    yield _proved("periods", "periods-64", "periods-768", "ratios")
    yield _proved("longest-period", "longest-periods", "tensor2tensor", "ladders-differ")


def _distances() -> Iterator[Block]:
    yield Say("distances")
    asked = np.array([1, 6, 7, 100, 1000, 47_117, 61_342, 100_000])
    rows = [
        (int(k), f"{narrow:.1%}", f"{wide:.1%}")
        for k, narrow, wide in zip(asked, miss(asked, 64), miss(asked, 768), strict=True)
    ]
    yield Grid("nearest", ("k", "d = 64", "d = 768"), rows)
    yield _proved("nearest-period", "nearest-period-inside", "nearest-period-elsewhere")
    yield Say("six")
    asked = np.array([1, 2, 3, 6, 44, 710, 312_689])
    with_pi = np.linalg.norm(sinusoid(math.pi * asked, dim=2) - sinusoid([0], dim=2), axis=-1)
    pairs = zip(asked.tolist(), apart(asked).tolist(), with_pi.tolist(), strict=True)
    yield Grid("first-pair", ("k", "w = 1", "w = π"), [(k, a, round(b, 9)) for k, a, b in pairs])
    yield Say("no-pi")
    yield _proved("distance-six", "caught-distance", "never-repeats", "with-pi")


def _steps(context: Context) -> Iterator[Block]:
    yield Say("norm")
    rows = []
    for dim in WIDTHS:
        size = float(np.linalg.norm(sinusoid([70], dim)))
        near, step = neighbours(dim)
        rows.append((dim, size, near, step, f"{step / size:.1%}"))
    yield Grid("sizes", ("d", "|PE|", "cos", "|Δ|", "|Δ| / |PE|"), rows)
    yield _proved("norm", "norms", "norm-nearly", "neighbour-cosine", "neighbours", "step-share")
    yield Prove(["sinusoid.neighbour-tells", "naive.neighbours"])
    moves = np.diff(sinusoid(51), axis=0)
    single = [(p, abs(float(moves[p, 0])), float(np.hypot(*moves[p, :2]))) for p in (0, 1, 2, 49)]
    parts = (_word(key, context, number=0) for key in ("channel-number", "pair-number"))
    yield Grid("one-step", ("p", *(f"|Δ| {part}" for part in parts)), single)
    yield _proved("channel-step", "pair-step")
    shares = step_shares(20).reshape(4, 8).sum(-1)
    yield Grid(
        "shares", ("i = 0 … 7", "8 … 15", "16 … 23", "24 … 31"), [[f"{s:.4%}" for s in shares]]
    )


def _clock(context: Context) -> Iterator[Block]:
    yield Say("clock", {"channels": 64, "hands": hand_count(64)})
    asked = [0, 7, 1000, 47_117, 47_118]
    read = reading(sinusoid(asked)).tolist()
    yield Grid("slowest", ("p", "p′"), list(zip(asked, read, strict=True)))
    yield Say("range-resolution")
    rows = []
    parts = {"fastest": slice(0, 2), "slowest-hand": slice(62, 64), "all-hands": slice(None)}
    for name, channels in parts.items():
        step = float(np.linalg.norm(np.diff(sinusoid(2)[:, channels], axis=0)))
        whole = distinct(sinusoid(1024)[:, channels])
        rows.append((_word(name, context), step, whole, told_apart(1024, channels)))
    yield Grid("told-apart", ("", "|Δ|", "float64", "bfloat16"), rows)
    yield Prove(["sinusoid.hands", "sinusoid.hand-angle", "blind.which-number"])
    yield _proved("slowest-hand-halved", "fastest-hand-halved", "all-hands-halved")


def _properties(context: Context) -> Iterator[Block]:
    yield Say("properties")
    rows = sinusoid(1024)
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=-1)
    measured = {
        "bounded": f"|PE| ≤ {np.abs(rows).max():.6f}",
        "smooth": f"|Δ| = {steps.min():.6f} … {steps.max():.6f}",
        "parameters": str(Sinusoidal(dim=64).parameters()),
        "any-length": f"PE(10⁶) = {sinusoid([10**6])[0, 0]:.6f} …",
        "precomputable": "",
    }
    has = properties()
    table = [
        (_word(name, context), "✓" if has[name] else "✗", number)
        for name, number in measured.items()
    ]
    yield Grid("scorecard", ("", "", ""), table)
    yield _proved("five-properties")
    yield Say("far")
    yield _proved("far", "far-looks-near")


def _bases(context: Context) -> Iterator[Block]:
    yield Say("why-10000")
    rows = []
    for base in sorted({1.01, *BASES, 1e3, 1e5, 5e6}):
        ladder = periods(64, base=base)
        half = first_below_half(base)
        name = f"{base:.10g}"
        rows.append((name, ladder[-1], still_pairs(base), half, *most_alike(base)))
    headings = (_word("base", context), "2π/w", "< 0.1 rad", "cos < 0.5", "k", "|Δ|")
    yield Grid("bases", headings, rows, digits=3)
    yield Say("a-choice")
    yield _proved("still-pairs", "below-half", "base-near-one")


def _fourier() -> Iterator[Block]:
    yield Say("fourier")
    p, bins = 3, 1024 // 2 ** np.arange(1, 11)
    spectrum, pairs = np.fft.fft(impulse(p))[bins], phasors(doubling([p])[0])
    rows = [
        (int(1024 // bins[i]), *(f"{z[i].real:+.6f} {z[i].imag:+.6f}i" for z in (spectrum, pairs)))
        for i in (1, 2, 3, 5, 9)
    ]
    yield Grid("impulse", ("2π/w", "FFT", "cos − i sin"), rows)
    yield Say("shift-theorem")
    yield _proved("impulse", "impulse-fft", "shift-theorem", "sum-of-waves")
