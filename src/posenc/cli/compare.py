"""``posenc compare NAME...``: properties side by side."""

from __future__ import annotations

import csv
import io
from enum import StrEnum
from typing import Annotated, Any

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, number, print_json
from posenc.cli.show import scorecard_table


class Format(StrEnum):
    """How a comparison is written."""

    text = "text"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"


def compare(
    names: Annotated[
        list[str], typer.Argument(help="Names of posenc list, or package.module:object.")
    ],
    format_: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.text,
    dim: Annotated[int, typer.Option(help="Channels.")] = 64,
    length: Annotated[int, typer.Option(help="Positions to look at.")] = 512,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Properties of encodings side by side.

    Ten measured properties, also of an encoding of your own.

    Example: posenc compare sinusoidal learned rope alibi --format markdown
    """
    from posenc.properties import measure
    from posenc.text import load

    cards = [measure(name, dim=dim, length=length) for name in names]
    tongue = language(lang)
    if as_json:
        print_json([card.to_dict() for card in cards])
        return
    if format_ is Format.text:
        console().print(scorecard_table(cards, tongue))
        return
    titles = load("properties")
    rows = [
        [titles[row.name][tongue], *(_plain(card.rows[i]) for card in cards)]
        for i, row in enumerate(cards[0].rows)
    ]
    typer.echo(_WRITERS[format_](["", *(card.name for card in cards)], rows), nl=False)


def _plain(row: Any) -> str:
    if row.holds is None:
        return "-"
    return f"{'yes' if row.holds else 'no'} ({number(row.value, 3)})"


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _latex(head: list[str], rows: list[list[str]]) -> str:
    body = " \\\\\n".join(" & ".join(_escaped(cell) for cell in line) for line in [head, *rows])
    body = body.replace(" \\\\\n", " \\\\\n\\midrule\n", 1)
    columns = "l" * len(head)
    return (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{body} \\\\\n\\bottomrule\n\\end{{tabular}}\n"
    )


def _escaped(text: str) -> str:
    return text.replace("_", "\\_").replace("%", "\\%").replace("&", "\\&")


def _csv(head: list[str], rows: list[list[str]]) -> str:
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows([head, *rows])
    return page.getvalue()


_WRITERS = {Format.markdown: _markdown, Format.latex: _latex, Format.csv: _csv}
