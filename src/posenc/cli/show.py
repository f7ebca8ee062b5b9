"""``posenc show NAME``: one encoding."""

from __future__ import annotations

from math import inf, tau
from typing import TYPE_CHECKING, Annotated, Any

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from posenc.text import Language


def show(
    name: Annotated[str, typer.Argument(help="A name of posenc list, or package.module:object.")],
    dim: Annotated[int, typer.Option(help="Channels.")] = 64,
    length: Annotated[int, typer.Option(help="Positions to look at, 16 to 8192.")] = 512,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print a BibTeX entry.")] = False,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """One encoding.

    Formula, reference, fields, frequencies, properties.

    Example: posenc show rope-yarn
    """
    from rich.padding import Padding

    from posenc.cli._scorecard import drawn, legend, shown
    from posenc.errors import check
    from posenc.properties import measure, subject
    from posenc.registry import entry
    from posenc.specs._plugins import talking_aside
    from posenc.specs._record import brief
    from posenc.text import sentence
    from posenc.tour._render import said
    from posenc.tour._wrap import Wrapped

    tongue = language(lang)
    if bibtex:
        from posenc._papers import bibtex_of

        check(not as_json, "--bibtex", "given without --json", "both")
        cited = entry(name)
        typer.echo(bibtex_of(name, cited.paper, reference=cited.reference))
        return
    described = name.lstrip().startswith("{") or ":" in name
    listed = None if described else entry(name)
    with talking_aside():
        case = subject(name, dim=dim, length=length)
        card = measure(case, dim=dim, length=length)
    found = getattr(case.spec, "frequencies", None)
    freqs = [float(f) for f in found()] if found else None
    if as_json:
        data: dict[str, Any] = {
            "name": name,
            "spec": case.spec.to_dict() if case.spec else None,
            "parameters": case.parameters,
        }
        if listed:
            data |= {"title": dict(listed.title), "year": listed.year, "formula": listed.formula}
            data |= {
                "note": dict(listed.note),
                "reference": listed.reference,
                "shipped_by": [*listed.shipped_by],
            }
        print_json({**data, "freqs": freqs, **card.to_dict()})
        return
    out = console()
    if listed is None:
        out.print(name)
    else:
        out.print(f"{listed.name}: {listed.title[tongue]} ({listed.year})")
        out.print(f"  {listed.formula}")
        if listed.note:
            out.print(Padding(Wrapped(listed.note[tongue]), (0, 0, 0, 2)))
        out.print(f"  {listed.reference}")
        if listed.shipped_by:
            users = sentence("cli", "shipped by", tongue)
            out.print(f"  {users}: {', '.join(listed.shipped_by)}")
    if case.spec:
        out.print(f"  {brief(case.spec)}")
    if freqs:
        out.print()
        out.print(_ladder(freqs, tongue))
    out.print()
    out.print(shown([card], tongue))
    out.print()
    out.print(legend(tongue))
    if note := drawn([card], tongue):
        out.print(said(note))


def _ladder(freqs: list[float], tongue: Language) -> Table:
    """The ends and the middle of the frequencies."""
    from posenc.text import sentence
    from posenc.tour._style import number, table

    last = len(freqs) - 1
    made = table(*(sentence("cli", key, tongue) for key in ("pair", "rate", "period")))
    for i in sorted({0, 1, 2, last // 2, last - 1, last} & {*range(len(freqs))}):
        made.add_row(str(i), number(freqs[i]), number(tau / freqs[i] if freqs[i] else inf))
    return made
