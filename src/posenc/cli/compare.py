"""``posenc compare NAME...``: properties side by side."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json


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
    length: Annotated[int, typer.Option(help="Positions to look at, 16 to 8192.")] = 512,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Properties of encodings side by side.

    Ten properties, also of an encoding of your own: a spec, or a function that turns positions
    (n,) into codes (n, dim), as package.module:object.

    Example: posenc compare sinusoidal learned rope alibi --format markdown
    """
    from posenc.cli._scorecard import drawn, legend, shown, written
    from posenc.errors import check
    from posenc.properties import measure
    from posenc.specs._plugins import talking_aside
    from posenc.tour._render import said

    text = format_ is Format.text
    check(text or not as_json, "--format", "left out with --json", format_.value)
    with talking_aside():
        cards = [measure(name, dim=dim, length=length) for name in names]
    tongue = language(lang)
    if as_json:
        print_json([card.to_dict() for card in cards])
    elif text:
        out = console()
        out.print(shown(cards, tongue))
        out.print()
        out.print(legend(tongue))
        if note := drawn(cards, tongue):
            out.print(said(note))
    else:
        typer.echo(written(cards, format_.value, tongue), nl=False)
