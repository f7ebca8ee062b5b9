"""Chapter 5 on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from posenc.claims._codes import Matrix, cosine, sinusoid
from posenc.claims._geometry import axes_at, coordinates, projected, shadow
from posenc.claims._stage import HEADS, TOKENS, VOCABULARY, Stage, gpt2_input, heads
from posenc.claims.input_projection import FLOOR, OBLIQUE, TWINS
from posenc.claims.input_sum import word_share, words
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say
from posenc.tour.chapters._places import map_of_places, table_of_places

_POINTS = {"A": (2, 2), "B": (9, 5), "C": (16, 3), "D": (9, 1)}
"""Points of a plane, two of them one above the other."""


def page(context: Context) -> Iterator[Block]:
    """From a token to the first attention: what is added, how large it is, what projects it."""
    yield Say("sum")
    yield _proved("sum-moves")
    stage = gpt2_input()
    yield from _gpt2(stage)
    yield from _formula()
    yield from _projection(context)
    yield from _concatenation(stage, context)
    yield from _scale(context)
    yield Say("places")
    yield Drawing("places-map", map_of_places(context.language))
    yield Grid("places-table", *table_of_places(context.language))


def _proved(*names: str) -> Prove:
    return Prove([f"input.{name}" for name in names])


def _gpt2(stage: Stage) -> Iterator[Block]:
    yield Say("gpt2")
    yield Drawing("gpt2-stage", stage_map(stage))
    yield _proved("gpt2-formula", "layer-begins-linear", "c-attn-narrows")


def stage_map(stage: Stage) -> str:
    """GPT-2's input stage, every shape read from the array itself."""
    parts = [heads(part) for part in np.split(stage.qkv, 3, axis=-1)]
    shapes = " ".join(f"{name} {part.shape}" for name, part in zip("qkv", parts, strict=True))
    lines = (
        f"t = 0..{VOCABULARY - 1}                      p = 0..{len(stage.wpe) - 1}",
        f"   {(len(TOKENS),)!s:<33}{(len(TOKENS),)!s}",
        "     |                                |",
        f"  wte {stage.wte.shape!s:<27} wpe {stage.wpe.shape}",
        "     |                                |",
        f"  {stage.words.shape!s:<14}------>  +  <------ {stage.places.shape}",
        "                         |",
        f"                         x {stage.x.shape}",
        "                         |",
        f"                       ln_1 {stage.normed.shape}",
        "                         |",
        f"                      c_attn {stage.c_attn.shape}",
        "                         |",
        f"                     q | k | v {stage.qkv.shape}",
        "                         |",
        f"  {shapes}   {HEADS} × {parts[0].shape[-1]} = {HEADS * parts[0].shape[-1]}",
    )
    return "\n".join(lines)


def _formula() -> Iterator[Block]:
    yield Say("formula")
    here, next_ = sinusoid([500, 501], dim=768).reshape(2, 384, 2)
    steps = np.linalg.norm(next_ - here, axis=-1)
    turns = 2 * np.arcsin(steps / 2)  # a chord of the unit circle, as the angle it spans
    pairs = (0, 1, 10, 100, 200, 383)
    rows = [(i, f"{2 * i}, {2 * i + 1}", math.tau / turns[i], steps[i]) for i in pairs]
    yield Grid("pairs", ("i", "2i, 2i+1", "2π / w", "|Δ|"), rows)
    yield Prove(["sinusoid.pair-circle", "input.left-restless", "input.not-sacred"])


def _projection(context: Context) -> Iterator[Block]:
    yield Say("linear")
    yield _proved("one-matrix", "layer-is-projection", "projected-twice")
    yield Say("dropping")
    yield Drawing("shadows", shadows())
    kept = projected(TWINS, FLOOR)
    rows = [(*map(_point, pair), _apart(pair), cosine(*pair)) for pair in (TWINS, kept)]
    headings = ("a", "b", "|a − b|", "cos(a, b)")
    yield Grid("height", headings, rows)
    yield _proved("drop-height", "drop-height-cosine", "first-hand-alone", "basis-then-drop")
    yield Say("oblique")
    yield Grid("oblique-table", _words(context, "angle", "coordinates", "projections"), _oblique())
    yield _proved("oblique-coordinates", "oblique-is-shadow", "right-angles-agree")


def shadows(points: dict[str, tuple[int, int]] | None = None) -> str:
    """Points above a line, and their shadows beneath it: where two coincide stands a star."""
    points = points or _POINTS
    places = np.array([*points.values()], dtype=np.float64)
    feet = projected(places, [(1.0, 0.0)])[:, 0]
    height, width = int(places[:, 1].max()), int(places[:, 0].max()) + 2
    lines = [[" "] * width for _ in range(height)]
    ground = [" "] * width
    for name, (x, y), foot in zip(points, points.values(), feet, strict=True):
        lines[height - y][x] = name
        column = round(float(foot))
        ground[column] = name if ground[column] == " " else "*"
    drawn = [f"|{''.join(line)}".rstrip() for line in lines]
    return "\n".join([*drawn, "+" + "-" * width, f" {''.join(ground)}".rstrip()])


def _oblique() -> list[tuple[str, str, str]]:
    rows = []
    for degrees in (60, 90):
        axes = axes_at(degrees)
        feet = [shadow(OBLIQUE, axis) for axis in axes]
        rows.append((f"{degrees}°", _point(coordinates(OBLIQUE, axes), 6), _point(feet, 6)))
    return rows


def _concatenation(stage: Stage, context: Context) -> Iterator[Block]:
    yield Say("concat")
    width, out = stage.c_attn.shape
    rows = [("e + p", width, width * out), ("[e; p]", 2 * width, 2 * width * out)]
    yield Grid("concat-table", ("", *_words(context, "channels", "weights")), rows)
    yield _proved("concat-is-two-projections", "add-shares-projection")
    yield Say("apart")
    yield _proved("almost-square", "squarer-when-wide", "read-from-the-sum")


def _scale(context: Context) -> Iterator[Block]:
    yield Say("scale")
    size = float(np.linalg.norm(sinusoid([100])))
    rows = []
    for name, deviation in (("0.02", 0.02), ("0.02 √d", 0.02 * math.sqrt(64)), ("1", 1.0)):
        drawn = words(256, deviation=deviation)
        length = float(np.linalg.norm(drawn, axis=-1).mean())
        rows.append((name, length, size, size / length, word_share(deviation)))
    headings = ("e", "|e|", "|PE|", "|PE| / |e|", "cos(e, e + PE)")
    yield Grid("scale-table", headings, rows, digits=4)
    shares = ("word-share", "word-share-scaled", "word-share-unit")
    yield _proved("never-drowned", "size-constant", *shares)


def _words(context: Context, *keys: str) -> tuple[str, ...]:
    return tuple(sentence("tour/input", key, context.language) for key in keys)


def _point(values: Matrix | list[float], digits: int = 0) -> str:
    return f"({', '.join(f'{value:.{digits}f}' for value in values)})"


def _apart(pair: Matrix) -> float:
    return float(np.linalg.norm(pair[0] - pair[1]))
