"""Chapter 7 on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from posenc.claims._distance import bias, buckets, first_distances, shaw_rows
from posenc.claims.relative_slopes import slopes
from posenc.figures.text import strip
from posenc.specs._alibi import Alibi
from posenc.specs._t5 import T5Bias
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Drawing, Grid, Prove, Say

_CLIP = 2


def page(context: Context) -> Iterator[Block]:
    """A vector, a slope or a bucket for every distance; and which way each counts."""
    yield Say("idea")
    yield from _shaw()
    yield from _alibi()
    yield from _t5()
    yield from _signs(context)
    yield Say("common")
    yield _proved("moved-together", "bias-not-scaled", "key-alone")
    yield Say("numbers")
    yield Grid("numbers-table", ("", "8 × 64"), _numbers())


def _proved(*names: str) -> Prove:
    return Prove([f"relative.{name}" for name in names])


def _shaw() -> Iterator[Block]:
    yield Say("shaw", {"clip": _CLIP, "rows": 2 * _CLIP + 1})
    keys = np.arange(6)
    found = shaw_rows(np.array([3]), keys, clip=_CLIP)[0]
    rows = zip(keys.tolist(), (keys - 3).tolist(), found.tolist(), strict=True)
    yield Grid("shaw-table", ("n", "n − m", "a[…]"), list(rows))
    yield _proved("shaw-rows", "shaw-clips")


def _alibi() -> Iterator[Block]:
    yield Say("alibi")
    eight, twelve = slopes(8).tolist(), slopes(12).tolist()
    naive = (-bias(Alibi(heads=12, slopes="geometric"), 1, [0])[:, 0, 0]).tolist()
    rows = [(h + 1, *_at(h, eight, twelve, naive)) for h in range(12)]
    yield Grid("slopes", ("h", "H = 8", "H = 12", "2^(-8h/12)"), rows, digits=8)
    sizes = ("eight", "twelve", "six", "three")
    yield _proved(*(f"{size}-slopes" for size in sizes), "one-formula", "starts-at-one")
    yield Say("cache")
    costs = bias(Alibi(heads=8), 7, range(8))[0, 0] + 0.0  # no minus before a zero
    yield Drawing("cache-strip", strip(range(8), [f"{cost:g}" for cost in costs]))
    yield _proved("far-costs", "one-query-many-keys")


def _at(head: int, *lists: Sequence[float]) -> tuple[float | str, ...]:
    return tuple(numbers[head] if head < len(numbers) else "" for numbers in lists)


def _t5() -> Iterator[Block]:
    yield Say("t5")
    for name, bidirectional in (("edges-both", True), ("edges-causal", False)):
        edges = first_distances(bidirectional=bidirectional)
        half = len(edges) // 2
        yield Drawing(name, strip(edges[half:], range(half, len(edges))))
    yield _proved("edges-both-ways", "edges-causal", "reach-both-ways", "reach-causal")
    near = (-128, -91, -90, -64, -46, -16, -12, -8, -2, -1, 0, 1, 2, 8, 16, 64, 91)
    named = buckets(near, bidirectional=True)
    yield Drawing("buckets-strip", strip(near, [f"{name:g}" for name in named]))
    yield _proved("buckets-both-ways", "buckets-causal")


def _signs(context: Context) -> Iterator[Block]:
    yield Say("signs")

    def word(key: str) -> str:
        return sentence("tour/relative", key, context.language)

    rows = []
    for m, n in ((5, 5), (5, 4), (5, 0), (4, 5), (0, 5)):
        one_way, two_ways = Alibi(heads=8), Alibi(heads=8, symmetric=True)
        rows.append(
            (
                *(m, n, n - m),
                int(shaw_rows(np.array([m]), np.array([n]), clip=_CLIP)[0, 0]),
                *(float(bias(spec, m, [n])[0, 0, 0]) for spec in (one_way, two_ways)),
                *(int(buckets([n - m], bidirectional=way)[0]) for way in (True, False)),
            )
        )
    names = ("Shaw", "ALiBi", f"ALiBi {word('symmetric')}", "T5", f"T5 {word('decoder')}")
    yield Grid("signs-table", ("m", "n", "n − m", *names), rows)
    yield _proved("t5-sign", "both-sides", "both-sides-symmetric")


def _numbers() -> list[tuple[str, int]]:
    """Learned numbers of each scheme for 8 heads of 64 channels."""
    return [
        (f"Shaw, k = {_CLIP}", (2 * _CLIP + 1) * 64),
        ("ALiBi", Alibi(heads=8).parameters()),
        ("T5", T5Bias(heads=8, bidirectional=True).parameters()),
    ]
