"""Blocks on a terminal: Rich tables and text, nothing about positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from posenc.claims import Result
from posenc.text import Language, sentence
from posenc.tour._blocks import Block, Drawing, Grid, Prove, Say

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_RELATIONS = {"equal": "=", "at_most": "<=", "at_least": ">="}
_STYLES = {"holds": "green", "false": "red", "only if": "yellow"}


def word(key: str, language: Language, **slots: object) -> str:
    """A word of the frame: headings, verdicts, the summary."""
    return sentence("tour/frame", key, language, **slots)


def render(block: Block, results: Sequence[Result], chapter: str, language: Language) -> Any:
    """What to print for a block; ``results`` are those of its claims."""
    if isinstance(block, Say):
        return said(sentence(f"tour/{chapter}", block.key, language, **block.slots))
    if isinstance(block, Prove):
        return _spaced(claim_table(results, language))
    title = sentence(f"tour/{chapter}", block.title, language)
    return grid(block, title) if isinstance(block, Grid) else drawing(block, title)


def said(text: str) -> RenderableType:
    """A paragraph."""
    from posenc.tour._wrap import Wrapped

    return _spaced(Wrapped(text))


def grid(block: Grid, title: str) -> RenderableType:
    """A small table of live numbers."""
    from rich.console import Group

    from posenc.tour._wrap import Wrapped

    shown = _table(*block.headings)
    for row in block.rows:
        shown.add_row(*(_cell(cell, block.digits) for cell in row))
    return _spaced(Group(Wrapped(title, style="italic"), shown))


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

    shown = _table("", *(word(k, language) for k in ("claim", "value", "expected", "verdict")))
    shown.columns[1].ratio = 1
    for column in shown.columns[2:4]:
        column.no_wrap = True
    for result in results:
        claim = result.claim
        relation = f"{_RELATIONS[claim.relation]} {_number(claim.expected)}"
        if claim.tolerance:
            relation += f" ± {_number(claim.tolerance)}"
        text = claim.statement[language]
        if result.error:
            text += f" [{result.error}]"
        verdict = word(claim.verdict, language)
        mark = "✓" if result.ok else "✗"
        style = _STYLES[claim.verdict] if result.ok else "bold red"
        shown.add_row(
            Text(mark, style="green" if result.ok else "bold red"),
            Wrapped(f"{text} ").append(claim.id, style="dim"),
            _number(result.value),
            relation,
            Text(verdict, style=style),
        )
    return shown


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


def _spaced(block: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(block, (0, 0, 1, 0))


def _table(*headings: str) -> Table:
    from rich import box
    from rich.table import Table

    made = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    for heading_ in headings:
        made.add_column(heading_, overflow="fold")
    return made


def _cell(cell: Any, digits: int) -> str:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return str(cell)
    return _number(cell, digits)


def _short(tolerance: float) -> str:
    return re.sub(r"e([+-])0*", r"e\1", f"{tolerance:.2g}")


def _number(value: float, digits: int = 6) -> str:
    """Few signs: integers as such, small leftovers in powers of ten."""
    if value != value:  # NaN
        return "-"
    if value == int(value) if abs(value) < 1e15 else False:
        return str(int(value))
    if 1e-4 <= abs(value) < 1e9:
        return f"{value:.{digits}f}".rstrip("0").rstrip(".")
    # What is left of an equality is told by its size; a small quantity keeps its digits.
    shown = f"{value:.2g}" if abs(value) < 1e-9 else f"{value:.{digits + 1}g}"
    return re.sub(r"e([+-])0*", r"e\1", shown).replace("e+", "e")
