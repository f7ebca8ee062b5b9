"""The order of the chapters, and each chapter from its first block to its last claim."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence

from posenc.claims import CHAPTERS, Claim, Result, chapter, find, prove
from posenc.tour._blocks import Block, Context, Prove

Shown = Callable[[int, Block, list[Result]], None]


def order(number: int | None, *, with_model: bool) -> list[int]:
    """Which chapters, in which order: a model's own come right after the first."""
    if number is not None:
        return [number]
    plain = range(1, len(CHAPTERS) + 1)
    if not with_model:
        return [*plain]
    return [1, 11, 12, *(n for n in plain if n not in (1, 11, 12))]


def run(number: int, context: Context, show: Shown | None = None) -> list[Result]:
    """Run one chapter; ``show`` is called with each block and its results as they come."""
    results: list[Result] = []
    for block in blocks(number, context):
        proved = [prove(_claim(c)) for c in block.claims] if isinstance(block, Prove) else []
        results += proved
        if show:
            show(number, block, proved)
    return results


def blocks(number: int, context: Context) -> Iterator[Block]:
    """The blocks of a chapter, and after them the claims that none of them showed."""
    module = importlib.import_module(f"posenc.tour.chapters.{CHAPTERS[number - 1]}")
    shown: set[str] = set()
    for block in module.page(context):
        if isinstance(block, Prove):
            shown |= {c if isinstance(c, str) else c.id for c in block.claims}
        yield block
    rest: Sequence[Claim] = [c for c in chapter(number) if c.id not in shown]
    if rest:
        yield Prove(rest)


def _claim(claim: str | Claim) -> Claim:
    return find(claim) if isinstance(claim, str) else claim
