"""Chapter 12 on the screen: the textbook's numbers, or those of the reader's own model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc.claims._half import bfloat16, distinct, float16
from posenc.claims._pairs import LLAMA, TEXTBOOK
from posenc.specs._rope import Rope
from posenc.tour._blocks import Block, Context, Grid, Prove, Say
from posenc.tour._errors import cosine_errors, error_table
from posenc.tour._groups import groups


def page(context: Context) -> Iterator[Block]:
    """Positions, frequencies and angles in few bits, and angles counted in turns."""
    if context.reading is not None:
        yield from _model(context)
        yield Say("textbook")
        return
    yield from _half()
    yield from _float32()
    yield from _turns()
    yield Say("llama")
    yield error_table("llama-errors", LLAMA, (8192, 65_536, 131_072))


def _half() -> Iterator[Block]:
    yield Say("half")
    read = (255, 256, 257, 2049, 8190, 8191, 15_962, 32_767)
    rows = [(p, int(bfloat16(p)), int(float16(p))) for p in read]
    yield Grid("read-as", ("p", "bfloat16", "float16"), rows)
    lengths = (256, 1024, 2048, 8192, 32_768)
    counts = [(n, *(distinct(f(np.arange(n))) for f in (bfloat16, float16))) for n in lengths]
    yield Grid("distinct", ("n", "bfloat16", "float16"), counts)
    yield _prove("bf16-positions", "fp16-positions", "bf16-first", "fp16-first", "bf16-15962")
    yield _prove("bf16-cosine", "bf16-neighbours", "bf16-65536", "fp16-32767")
    yield Say("tables")
    yield _prove("fp16-angle", "true-angle", "fp16-table", "bf16-table")
    yield _prove("bf16-frequencies", "fp16-frequencies")
    yield Say("cast-last")
    yield _prove("cast-last", "bf16-keys", "shift", "shift-bf16")


def _float32() -> Iterator[Block]:
    yield Say("float32")
    yield error_table("by-length", TEXTBOOK, (4096, 32_768, 131_072, 262_144, 1_048_576))
    pairs = (0, 1, 2, 4, 8, 16, 32, 63)
    exact, rounded = cosine_errors(TEXTBOOK, 1_000_000)
    rows = [(i, float(rounded[i]), float(exact[i])) for i in pairs]
    yield Grid("by-pair", ("i", "float32", "2⁻⁶⁴"), rows)
    yield _prove("float32-131072", "float32-million", "float32-short", "float32-lengths")
    yield _prove("float32-large-base", "float32-counts")


def _turns() -> Iterator[Block]:
    yield Say("turns")
    w = float(TEXTBOOK.frequencies()[1])
    step = int(TEXTBOOK.constants()["rates"][1])
    rows = [(p, p * w, p * step % 2**64 / 2**64) for p in (1, 8, 131_071, 2**31 - 1)]
    yield Grid("phases", ("p", "p·w₁", "p·w₁ / 2π mod 1"), rows, digits=12)
    yield _prove("exact-131072", "exact-million", "exact-far", "phase-far", "float64-product")
    yield _prove("far-values")


def _model(context: Context) -> Iterator[Block]:
    spoken = False
    for layers in groups(context.reading):
        for spec in layers.specs:
            if isinstance(spec, Rope):
                spoken = True
                length = layers.length or 131_072
                trained = layers.trained or length
                yield Say("model", {**layers.slots(context.language), "length": length})
                lengths = sorted({trained, length, 8 * length})
                yield error_table("model-errors", spec, lengths)
                yield Prove(layers.of(12))
    if not spoken:
        yield Say("model-none")


def _prove(*names: str) -> Prove:
    return Prove([f"precision.{name}" for name in names])
