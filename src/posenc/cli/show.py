"""``posenc show NAME``: one encoding."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, number, print_json, table


def show(
    name: Annotated[str, typer.Argument(help="A name of posenc list, or package.module:object.")],
    dim: Annotated[int, typer.Option(help="Channels.")] = 64,
    length: Annotated[int, typer.Option(help="Positions to look at.")] = 512,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print a BibTeX entry.")] = False,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """One encoding.

    Formula, reference, fields, frequencies, properties.

    Example: posenc show rope-yarn
    """
    from posenc.properties import measure, subject
    from posenc.registry import encodings

    entry = encodings().get(name)
    tongue = language(lang)
    if bibtex:
        from posenc.cli._bibtex import bibtex_of
        from posenc.registry import entry as required

        typer.echo(bibtex_of(required(name)))
        return
    case = subject(name, dim=dim, length=length)
    card = measure(name, dim=dim, length=length)
    spec = case.spec.to_dict() if case.spec else None
    freqs = _frequencies(case.spec)
    if as_json:
        data: dict[str, Any] = {"name": name, "spec": spec, "parameters": case.parameters}
        if entry:
            data |= {"title": dict(entry.title), "year": entry.year, "formula": entry.formula}
            data |= {"reference": entry.reference, "shipped_by": [*entry.shipped_by]}
        print_json({**data, "freqs": freqs, **card.to_dict()})
        return
    out = console()
    if entry:
        out.print(f"{entry.name}: {entry.title[tongue]} ({entry.year})")
        out.print(f"  {entry.formula}")
        out.print(f"  {entry.reference}")
    if spec:
        out.print(f"  {case.spec!r}")
    if freqs:
        from math import tau

        waves = [tau / f if f else float("inf") for f in freqs]
        shown = table("pair", "radians / position", "positions / turn")
        for i in sorted(
            {0, 1, 2, len(freqs) // 2, len(freqs) - 2, len(freqs) - 1} & {*range(len(freqs))}
        ):
            shown.add_row(str(i), number(freqs[i]), number(waves[i]))
        out.print(shown)
    out.print(scorecard_table([card], tongue))


def _frequencies(spec: Any) -> list[float] | None:
    found = getattr(spec, "frequencies", None)
    return [float(f) for f in found()] if found else None


def scorecard_table(cards: list[Any], tongue: str) -> Any:
    """Properties down, encodings across; a mark and the number."""
    from posenc.text import load

    titles = load("properties")
    shown = table("", *(card.name for card in cards))
    for i, row in enumerate(cards[0].rows):
        cells = [_cell(card.rows[i]) for card in cards]
        shown.add_row(titles[row.name][tongue], *cells)
    return shown


def _cell(row: Any) -> str:
    if row.holds is None:
        return "-"
    return f"{'yes' if row.holds else 'no'}  {number(row.value, 3)}"
