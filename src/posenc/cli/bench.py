"""``posenc bench``: speed and memory, beside every installed peer and the machine's limit."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json

THREADS = 2
"""Processors that each process may run on; bounds are stated for two."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posenc.bench import Case


def bench(
    case: Annotated[
        list[str] | None, typer.Option(help="A case; may be given again. All by default.")
    ] = None,
    memory: Annotated[
        bool, typer.Option("--memory", help="Peak memory above what the work is given, too.")
    ] = False,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Try every case on tiny sizes; no number means a thing.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Draw how cost grows into this file: png, svg or pdf.")
    ] = None,
    list_cases: Annotated[
        bool, typer.Option("--list", help="Say what each case measures, and run none.")
    ] = False,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Speed beside every installed peer and the machine's own limit.

    Each peer has a process of its own; all take their turns, and what is said are ratios
    within this run. Close everything else: the load is printed. All cases take some half an
    hour. Exit 1 if a peer answers otherwise than posenc, or a side fails; never because
    something is slow.

    Example: posenc bench --case decode --case rotate-fresh
    """
    from posenc.bench import CASES, chosen, machine, run
    from posenc.bench._machine import processors

    cases = chosen(case)
    if out is not None:
        _check_picture(out, cases)
    tongue = language(lang)
    if list_cases:
        from posenc.text import sentence

        named = {one.name: sentence("cases", one.name, tongue) for one in cases}
        if as_json:
            print_json(named)
        else:
            console().print("\n".join(f"{name}: {said}" for name, said in named.items()))
        return
    about = machine(min(THREADS, len(processors())))
    found = run(cases, threads=about["threads"], smoke=smoke, memory=memory)
    if as_json:
        rows = list(found)
        print_json({"machine": about, "cases": [row.to_dict() for row in rows]})
    else:
        from posenc.cli import _bench_page as page

        to, rows = console(), []
        to.print(page.heading(about, tongue))
        for name, group in groupby(found, lambda row: row.case.name):
            grows = any(CASES[name].points)
            for row in group:
                rows.append(row)
                if not grows:
                    to.print(page.table_of(row, tongue))
            if grows:
                of_case = [row for row in rows if row.case.name == name]
                for unit in dict.fromkeys(row.unit for row in of_case):
                    to.print(page.growth([row for row in of_case if row.unit == unit], tongue))
        to.print(page.summary(rows, tongue, smoke=smoke))
    if out is not None:
        from posenc.bench._picture import draw
        from posenc.text import sentence

        draw(rows, out, language=tongue)
        typer.echo(sentence("bench", "drawn", tongue, path=out), err=True)
    raise typer.Exit(1 if any(row.errors for row in rows) else 0)


def _check_picture(out: Path, cases: Sequence[Case]) -> None:
    """What would fail in the end is refused before half an hour has gone by."""
    from posenc.bench import GROWTH
    from posenc.errors import check
    from posenc.figures._draw import check_available

    formats = ("png", "svg", "pdf")
    named = out.suffix.lstrip(".").lower() in formats and out.parent.is_dir()
    must = f"a {', '.join(formats)} file in a folder that exists"
    check(named, "--out", must, str(out))
    there = out.exists()
    try:
        out.open("ab").close()
    except OSError as error:
        check(False, "--out", "a file that can be written", f"{out}: {error.strerror}")
    if not there:
        out.unlink()
    growing = [case.name for case in GROWTH]
    drawn = any(case.name in growing for case in cases)
    hint = f"Name one of {', '.join(growing)}."
    check(drawn, "--case", "one that grows, to draw it", [case.name for case in cases], hint)
    check_available()
