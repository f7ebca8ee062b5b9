"""Chapter 8 on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from posenc.claims._tables import named_missing
from posenc.claims._turned import pair, scores, turned
from posenc.claims._ways import FOUR_WAYS, moved, swapped
from posenc.claims.rotary_faults import lanes_not_put_back, tiled_angles, turned_backwards
from posenc.claims.rotary_layouts import EIGHT, exchanged
from posenc.claims.rotary_scores import PAIRS, with_turned_values
from posenc.claims.rotary_terms import added_score, four_terms, projected_scores
from posenc.errors import EncodingError
from posenc.specs._learned import Learned
from posenc.specs._rope import Rope
from posenc.text import sentence
from posenc.tour._blocks import Block, Context, Grid, Prove, Say


def page(context: Context) -> Iterator[Block]:
    """What added codes lose in a score, what turning keeps, and the ways to get it wrong."""
    yield Say("idea")
    yield from _terms()
    yield from _turning()
    yield from _values()
    yield from _layouts()
    yield from _faults()
    yield Say("four-ways")
    yield _four_ways(context)


def _terms() -> Iterator[Block]:
    yield Say("terms")
    rows = [(*where, *(t := four_terms(*where)), sum(t)) for where in ((5, 2), (10, 7), (100, 97))]
    headings = ("m", "n", "q·k", "q·P(n)", "P(m)·k", "P(m)·P(n)", "Σ")
    yield Grid("four-terms", headings, rows)
    yield Prove(
        [
            "rotary.four-terms",
            "rotary.kept-terms",
            "rotary.crossed-terms",
            "rotary.code-is-absolute",
        ]
    )
    yield Say("projections")
    kept = projected_scores()
    places = (0, 1, 10, 100, 399)
    yield Grid("projected", ("n", "P(n+3)W_Q · P(n)W_K"), [(n, kept[n]) for n in places])
    yield Prove(
        [
            "rotary.projections-destroy",
            "rotary.turn-after-projecting",
            "rotary.turn-before-projecting",
        ]
    )
    yield Say("limits")
    yield Prove(["rotary.added-moves"])


def _turning() -> Iterator[Block]:
    yield Say("turning")
    yield Prove(["rotary.same-frequencies", "rotary.start"])
    q, k = pair()
    rows = [(m, n, m - n, scores(q, k, m, n)[0], added_score(m, n)) for m, n in PAIRS]
    yield Grid("seven-pairs", ("m", "n", "m − n", "R(m)q · R(n)k", "(q+P(m)) · (k+P(n))"), rows)
    yield Prove(["rotary.seven-turned", "rotary.seven-added", "rotary.relative"])
    far = [(n + 3, n, scores(q, k, n + 3, n)[0], added_score(n + 3, n)) for n in _FAR]
    yield Grid("far", ("m", "n", "R(m)q · R(n)k", "(q+P(m)) · (k+P(n))"), far)
    yield Prove(["rotary.a-million"])
    yield Say("by-pair")
    strip = [(m, n, *_by_pair(m, n)) for m, n in ((5, 2), (105, 102), (5, 5))]
    yield Grid("by-pair-strip", ("m", "n", "w₀", "w₁", "w₂", "w₃", "Σ"), strip)
    yield Prove(["rotary.phase-difference"])
    places = (0, 1, 10, 100, 1000)
    sizes = np.linalg.norm(turned(q, places), axis=-1)
    yield Grid("lengths", ("p", "|R(p)q|"), list(zip(places, sizes.tolist(), strict=True)))
    yield Prove(["rotary.lengths", "rotary.length-kept"])


_FAR = (2, 1_002, 1_000_002)


def _by_pair(m: int, n: int) -> tuple[float, ...]:
    """What each pair adds to the turned score, and the sum."""
    q, k = pair()
    products = turned(q, m)[0] * turned(k, n)[0]
    parts = products[:4] + products[4:]
    return (*parts.tolist(), float(parts.sum()))


def _values() -> Iterator[Block]:
    rope, table = Rope(dim=64, layout="half"), Learned(rows=1024, dim=768)
    yield Say("values", {"turned": rope.parameters(), "learned": table.parameters()})
    here, undone = with_turned_values(0), with_turned_values(0, undo=True)
    rows = []
    for start in (1, 10, 100):
        plain = moved(FOUR_WAYS["rope"], 6, start)
        both = np.abs(with_turned_values(start) - here).max()
        back = np.abs(with_turned_values(start, undo=True) - undone).max()
        rows.append((start, plain, float(both), float(back)))
    yield Grid("moved", ("Δp", "q, k", "q, k, v", "q, k, v, −p"), rows)
    yield Prove(
        [
            "rotary.moved-sentence",
            "rotary.turn-values",
            "rotary.values-undone",
            "rotary.equal-tokens",
        ]
    )


def _layouts() -> Iterator[Block]:
    yield Say("layouts")
    rows = []
    for d in (0, 1, 7, 100):
        both, one = (exchanged("interleaved", d, reorder=sides) for sides in ("qk", "q"))
        rows.append((d, exchanged("half", d), exchanged("interleaved", d), both, one))
    headings = ("m − n", "half", "interleaved", "half, Pq · Pk", "half, Pq · k")
    yield Grid("layout-scores", headings, rows)
    yield Prove(
        [
            "rotary.layouts-at-zero",
            "rotary.layouts-at-seven",
            "rotary.layouts-exchange",
            "rotary.layouts-reordered",
            "rotary.one-side-reordered",
            "rotary.order-of-pairs",
            "rotary.one-layout-is-wrong",
        ]
    )
    yield Say("part")
    parts: tuple[tuple[str, dict[str, object]], ...] = (
        ("half 8/8", {}),
        ("interleaved 8/8", {"layout": "interleaved"}),
        ("half 4/8", {"dim": 4, "head_dim": 8}),
        ("interleaved 4/8", {"dim": 4, "head_dim": 8, "layout": "interleaved"}),
        ("interleaved 4/8, back", {"dim": 4, "head_dim": 8, "layout": "interleaved", "at": "back"}),
    )
    example = [("p = 0", *EIGHT.tolist())]
    example += [(name, *turned(EIGHT, 3, **fields)[0].tolist()) for name, fields in parts]
    yield Grid("worked", ("p = 3", *map(str, range(8))), example, digits=4)
    yield Prove(
        [
            "rotary.example-half",
            "rotary.example-interleaved",
            "rotary.example-score",
            "rotary.part-half",
            "rotary.part-interleaved",
            "rotary.part-back",
        ]
    )


def _faults() -> Iterator[Block]:
    yield Say("faults")
    q, k = pair()
    eight, four, one = np.arange(8.0), np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 0.0])
    rows = [
        ("0 1 … 7, p = 0", _row(turned(eight, 0)[0]), _row(lanes_not_put_back(eight, 0))),
        ("|1 2 3 4|, p = 1", _size(turned(four, 1)[0]), _size(tiled_angles(four, 1))),
        ("(1, 0), p = 1", _row(turned(one, 1)[0]), _row(turned_backwards(one, 1))),
        ("q·k, 3, 3", float(scores(q, k, 3, 3)[0]), float(turned(q, 3)[0] @ k)),
        ("q·k, 4, 4", float(scores(q, k, 4, 4)[0]), float(turned(q, 4)[0] @ k)),
    ]
    yield Grid("fault-table", ("", "✓", "✗"), rows)
    yield Prove(
        [
            "rotary.lanes-not-put-back",
            "rotary.tiled-angles",
            "rotary.sign",
            "rotary.other-sign",
            "rotary.other-sign-score",
            "rotary.other-sign-mended",
            "rotary.only-queries",
        ]
    )


def _row(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    return " ".join(f"{v:.4g}" for v in values.tolist())


def _size(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(np.linalg.norm(values))


def _four_ways(context: Context) -> Grid:
    def word(key: str, **slots: object) -> str:
        return sentence("tour/rotary", key, context.language, **slots)

    def tried(measure: Callable[[], float]) -> float | str:
        try:
            return measure()
        except EncodingError as error:  # the learned table has rows for the first eight only
            missing = named_missing(str(error))
            return word("no-rows", first=min(missing), last=max(missing))

    rows = []
    for name, way in FOUR_WAYS.items():
        measures = (partial(swapped, way, 8), partial(swapped, way, 12), partial(moved, way, 8))
        rows.append((word(f"way-{name}"), way.parameters(), *map(tried, measures)))
    headings = ("way", "numbers", "swap-8", "swap-12", "move")
    return Grid("four-ways-table", [word(key) for key in headings], rows)
