"""Blocks on a terminal: Rich tables and text, nothing about positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from posenc.claims import Claim, Result
from posenc.text import Language, sentence
from posenc.tour._blocks import Block, Drawing, Grid, Prove, Say
from posenc.tour._style import number, short, spaced, table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_STYLES = {"holds": "green", "false": "red", "only if": "yellow"}


def word(key: str, language: Language, **slots: object) -> str:
    """A word of the frame: headings, verdicts, the summary."""
    return sentence("tour/frame", key, language, **slots)


def render(block: Block, results: Sequence[Result], chapter: str, language: Language) -> Any:
    """What to print for a block; ``results`` are those of its claims."""
    if isinstance(block, Say):
        return said(sentence(f"tour/{chapter}", block.key, language, **block.slots))
    if isinstance(block, Prove):
        return spaced(claim_table(results, language))
    title = sentence(f"tour/{chapter}", block.title, language)
    return grid(block, title) if isinstance(block, Grid) else drawing(block, title)


def said(text: str) -> RenderableType:
    """A paragraph."""
    from posenc.tour._wrap import Wrapped

    return spaced(Wrapped(text))


def grid(block: Grid, title: str) -> RenderableType:
    """A small table of live numbers."""
    from rich.console import Group

    from posenc.tour._fitted import Fitted
    from posenc.tour._wrap import Wrapped

    rows = [[_cell(cell, block.digits) for cell in row] for row in block.rows]
    return spaced(Group(Wrapped(title, style="italic"), Fitted(block.headings, rows)))


def drawing(block: Drawing, title: str) -> RenderableType:
    """Preformatted lines, never wrapped."""
    from rich.console import Group
    from rich.text import Text

    lines = Text(block.lines.rstrip("\n") + "\n", no_wrap=True, overflow="ignore")
    return Group(Text(title, style="italic"), lines)


def claim_table(results: Sequence[Result], language: Language) -> Table:
    """Each claim: whether it is ok, what it says, the live number beside the expected one."""
    from rich.text import Text

    from posenc.tour._wrap import Wrapped

    shown = table("", *(word(k, language) for k in ("claim", "value", "expected", "verdict")))
    shown.columns[1].ratio = 1
    for column in shown.columns[2:4]:
        column.no_wrap = True
    for result in results:
        claim = result.claim
        text = claim.statement[language]
        if result.error:
            text += f" [{result.error}]"
        verdict = word(claim.verdict, language)
        mark = "✓" if result.ok else "✗"
        style = _STYLES[claim.verdict] if result.ok else "bold red"
        shown.add_row(
            Text(mark, style="green" if result.ok else "bold red"),
            Wrapped(f"{text} ").append(claim.id, style="dim"),
            number(result.value),
            _due(claim),
            Text(verdict, style=style),
        )
    return shown


def _due(claim: Claim) -> str:
    """What the statement says the value is; a bound is told with its tolerance in it."""
    if claim.relation == "at_most":
        return f"<= {number(claim.expected + claim.tolerance)}"
    if claim.relation == "at_least":
        return f">= {number(claim.expected - claim.tolerance)}"
    near = f" ± {short(claim.tolerance)}" if claim.tolerance else ""
    return f"= {number(claim.expected)}{near}"


def summary(results: Sequence[Result], language: Language) -> str:
    """How many claims agree with their verdicts."""
    ok = sum(r.ok for r in results)
    false = sum(r.ok and r.claim.verdict == "false" for r in results)
    key = "summary" if false else "summary without false"
    return word(key, language, ok=ok, count=len(results), false=false)


def heading(console: Console, number: int, title: str) -> None:
    """The line above a chapter."""
    console.print()
    console.rule(f"{number}  {title}", align="left", style="dim")
    console.print()


def _cell(cell: Any, digits: int) -> str:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return str(cell)
    return number(cell, digits)
