"""The whole tour: what was read, the chapters in order, and how it came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from posenc.claims import CHAPTERS, Result
from posenc.explorer._view import views_of
from posenc.inspect import Finding, Reading
from posenc.specs._record import brief
from posenc.text import Language, sentence
from posenc.tour._blocks import Block, Context
from posenc.tour._render import heading, render, said, word
from posenc.tour._run import order, run

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Outcome:
    """How a tour came out.

    Attributes:
        results: Every claim once, in the order of the chapters.
        reading: What was read of the model's config; None without a model.
    """

    results: Sequence[Result]
    reading: Reading | None

    @property
    def ok(self) -> bool:
        """Whether every claim agrees with its verdict and no finding is an error."""
        findings = () if self.reading is None else self.reading.findings
        wrong = any(finding.severity == "error" for finding in findings)
        return not wrong and all(result.ok for result in self.results)

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain JSON data."""
        data: dict[str, Any] = {"claims": [result.to_dict() for result in self.results]}
        if self.reading is not None:
            read = self.reading.to_dict()
            data |= {"parts": read["parts"], "findings": read["findings"]}
        return data


def tour(context: Context, *, chapter: int | None = None, page: Console | None = None) -> Outcome:
    """Run every chapter, or one; with a ``page``, show each block there as it comes."""
    opened: set[int] = set()

    def show(number: int, block: Block, proved: list[Result]) -> None:
        if page is None:
            return
        name = CHAPTERS[number - 1]
        if number not in opened:
            opened.add(number)
            heading(page, number, sentence(f"tour/{name}", "title", context.language))
        page.print(render(block, proved, name, context.language))

    if page is not None:
        for paragraph in _opening(context, alone=chapter is not None):
            page.print(said(paragraph))
    reading = context.reading
    proved: dict[str, Result] = {}  # chapters quote one another's claims
    for number in order(chapter, with_model=reading is not None):
        proved |= {result.claim.id: result for result in run(number, context, show)}
        if page is not None and (views := views_of(CHAPTERS[number - 1])):
            titles = (sentence(f"explorer/{view}", "title", context.language) for view in views)
            page.print(said(word("views", context.language, views="; ".join(titles))))
    return Outcome([*proved.values()], reading)


def _opening(context: Context, *, alone: bool) -> Iterator[str]:
    """What this is; with a model, what was read, what is odd about it, and when it comes."""
    language, reading = context.language, context.reading
    yield word("opening", language)
    yield word("legend", language)
    if reading is None:
        return
    yield word("model", language, source=reading.source)
    for part in reading.parts:
        for group in part.groups:
            slots = {"part": part.name, "count": len(group.layers), "spec": brief(group.spec)}
            yield word("group", language, **slots)
    for finding in reading.findings:
        yield _told(finding, language)
    if not alone:
        yield word("first", language)


def _told(finding: Finding, language: Language) -> str:
    message, hint = finding.told[language]
    severity = word(finding.severity, language)
    told = {"severity": severity, "message": message, "hint": hint}
    return word("finding", language, **{**finding.to_dict(), **told})
