"""The order of the chapters, and each chapter from its first block to its last claim."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterator

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
    """The blocks of a chapter, and with the last claims those that none of them showed."""
    module = importlib.import_module(f"posenc.tour.chapters.{CHAPTERS[number - 1]}")
    page = list(module.page(context))
    named = [c for block in page if isinstance(block, Prove) for c in block.claims]
    shown = {c if isinstance(c, str) else c.id for c in named}
    page.append(Prove([c for c in chapter(number) if c.id not in shown]))
    for proves, run_of in itertools.groupby(page, lambda block: isinstance(block, Prove)):
        if not proves:
            yield from run_of
            continue
        claims = [c for block in run_of for c in block.claims]
        if claims:
            yield Prove(claims)


def _claim(claim: str | Claim) -> Claim:
    return find(claim) if isinstance(claim, str) else claim
