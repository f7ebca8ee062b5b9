"""Chapter 2 on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from posenc.claims._codes import Matrix, code, cosine, farthest, sinusoid
from posenc.claims._models import X, attention, layer_norm, rms_norm, shift_error
from posenc.claims.naive_bits import bit_waves, flip_periods, flips
from posenc.claims.naive_integer import CAT, DOG, at, counted, degrees, fraction
from posenc.figures.text import heat_map
from posenc.specs._naive import Binary, Gray, Integer
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say
from posenc.tour.chapters._scorecard import scorecard


def page(context: Context) -> Iterator[Block]:
    """Integer, fraction, binary, Gray, directions, one-hot: what each lacks, in numbers."""
    yield Say("idea")
    yield from _integer(context)
    yield from _norms(context)
    yield from _fraction()
    yield from _binary(context)
    yield from _gray(context)
    yield Say("directions")
    yield _prove("directions", "directions-largest", "one-hot", "neighbours")
    yield from _sines(context)
    yield Say("discrete")
    yield _prove("lookup", "discrete")
    yield Say("scorecard")
    yield scorecard(context.language)


def _prove(*names: str) -> Prove:
    return Prove([f"naive.{name}" for name in names])


def _word(key: str, context: Context) -> str:
    return sentence("tour/naive", key, context.language)


def _integer(context: Context) -> Iterator[Block]:
    yield Say("integer")
    rows = [
        (p, _vector(at(CAT, p)), _vector(at(DOG, p)), cosine(at(CAT, p), at(DOG, p)), degrees(p))
        for p in (0, 1, 10, 100, 300, 500)
    ]
    headings = ("p", _word("cat", context), _word("dog", context), "cos", "°")
    yield Grid("pets", headings, rows, digits=9)
    yield Drawing("drowned", _bars({"word": 0.23, "position": _size(500)}, context))
    yield _prove("last-position", "cat-and-dog", "likeness", "angles")
    yield _prove("outweighs", "outweighs-picture", "integer-norm")


def _vector(row: Matrix) -> str:
    return " ".join(f"{number:.1f}" for number in row)


def _size(position: int) -> float:
    return float(code(Integer(dim=1), [position])[0, 0])


def _bars(sizes: dict[str, float], context: Context, width: int = 60) -> str:
    """A bar per size, to scale."""
    most = max(sizes.values())
    bars = [f"{size:>6g} |{'#' * round(width * size / most)}" for size in sizes.values()]
    return "\n".join(f"{bar} {_word(key, context)}" for key, bar in zip(sizes, bars, strict=True))


def _norms(context: Context) -> Iterator[Block]:
    yield Say("norms")
    ways = {"bare": lambda x: x, "LayerNorm": layer_norm, "RMSNorm": rms_norm}
    rows = []
    for name, norm in ways.items():
        placed, alone = norm(counted(X, 300)), norm(X)
        change = farthest(attention(placed), attention(alone))
        label = _word(name, context) if name == "bare" else name
        rows.append((label, change, cosine(alone[0], alone[2]), cosine(placed[0], placed[2])))
    headings = ("", _word("change", context), _word("before", context), _word("after", context))
    yield Grid("behind-norms", headings, rows, digits=7)
    yield _prove("saturated", "layer-norm", "always-drowns", "rms-norm")


def _fraction() -> Iterator[Block]:
    yield Say("fraction")
    rows = [(p, *(fraction(p, length) for length in (21, 101, 1001))) for p in (1, 10, 20)]
    yield Grid("fractions", ("p", "L = 21", "L = 101", "L = 1001"), rows)
    yield _prove("fraction", "same-fraction")


def _binary(context: Context) -> Iterator[Block]:
    yield Say("binary")
    digits = code(Binary(bits=4), 16)
    changed = ["", *flips(digits).astype(int).tolist()]
    rows = [(p, *row, n) for p, (row, n) in enumerate(_zipped(digits, changed))]
    marks = [f"{_word('bit', context)} {j}" for j in range(4)]
    yield Grid("sixteen", ("p", *marks, _word("flipped", context)), rows)
    periods = flip_periods(digits)
    yield Grid("periods", ("", *marks), [(_word("every", context), *periods)])
    yield _prove("sixteen-rows", "flip-periods", "flips", "seven-to-eight")
    yield Say("bridge")
    yield Drawing("squares", heat_map(digits.T.repeat(4, 1), ramp=" @"))
    yield Drawing("smoothed", heat_map(-_fine_waves(), low=-1, high=1))
    yield _prove("bridge")
    yield Say("staircase")
    yield _prove("cliff", "far-and-alike", "mean-flips", "near-code-near-place", "staircase")


def _zipped(rows: Matrix, last: Sequence[object]) -> list[tuple[list[int], object]]:
    return list(zip(rows.astype(int).tolist(), last, strict=True))


def _fine_waves() -> Matrix:
    """The sines behind four bits of 16 positions, drawn four times as fine as ``bit_waves``."""
    return bit_waves(64, 6)[:, 2:].T


def _gray(context: Context) -> Iterator[Block]:
    yield Say("gray")
    codes = {
        _word("Binary", context): code(Binary(bits=10), 1024),
        _word("Gray", context): code(Gray(bits=10), 1024),
    }
    rows = [(name, float(flips(c).max()), shift_error(c)) for name, c in codes.items()]
    rows.append((_word("Sinusoidal", context), math.nan, shift_error(sinusoid(1024))))
    headings = ("", _word("most", context), _word("miss", context))
    yield Grid("shifts", headings, rows)
    yield _prove("gray", "gray-strangers", "shift-binary", "shift-gray", "shift-binary-10")
    yield _prove("shift-gray-10", "shift-sinusoid")


def _sines(context: Context) -> Iterator[Block]:
    yield Say("wishes")
    rows = []
    for dim in (64, 768):
        one, other = sinusoid([7, 8], dim=dim)
        step, size = np.linalg.norm(other - one), np.linalg.norm(one)
        rows.append((dim, float(size), float(step), f"{100 * step / size:.1f} %"))
    yield Grid("steps", ("d", _word("size", context), _word("step", context), "%"), rows)
    yield _prove("three-and-thirty", "closest")
    yield Prove(["sinusoid.neighbours", "sinusoid.step-share"])
    code_size = float(np.linalg.norm(sinusoid([7], dim=768)))
    word_size = 0.02 * 768**0.5
    sizes = {"code": f"{code_size:.1f}", "word": f"{word_size:.2f}"}
    yield Say("bounded", {**sizes, "ratio": f"{code_size / word_size:.0f}"})
    yield _prove("bounded")
