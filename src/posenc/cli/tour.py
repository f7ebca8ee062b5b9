"""``posenc tour``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json
from posenc.text import LANGUAGES, Language


def tour(
    config: Annotated[
        Path | None, typer.Argument(help="A model's config.json: tell how it encodes positions.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="A sentence of your own for chapter 1.")] = None,
    chapter: Annotated[int | None, typer.Option(help="One chapter alone, 1 to 12.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write every figure into this directory, in both languages unless --lang."
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="FILE:KEY of a safetensors file: measure that table.")
    ] = None,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Show and prove how positions work.

    With a config, chapters on that model come first; config.json of Llama-like families, BLOOM,
    MPT and T5 is read so far. With --table, a learned table of your own is measured instead.
    Exit 1 if a claim does not agree with its verdict or the config has an error.

    Example: posenc tour config.json --lang zh
    """
    from posenc.claims import CHAPTERS
    from posenc.errors import check
    from posenc.text import sentence
    from posenc.tour._blocks import Block, Context
    from posenc.tour._render import heading, render, said, summary, word
    from posenc.tour._run import order, run
    from posenc.tour._words import words_of

    known = chapter is None or 1 <= chapter <= len(CHAPTERS)
    check(known, "--chapter", f"between 1 and {len(CHAPTERS)}", chapter)
    tongue = language(lang)
    if table is not None:
        others = {"CONFIG": config, "--text": text, "--chapter": chapter, "--out": out}
        given = [name for name, value in others.items() if value is not None]
        check(not given, "--table", "given alone", given)
        _measure(table, tongue, as_json=as_json)
        return
    read = text is None or chapter in (None, 1)
    check(read, "--text", "given with --chapter 1 or none", chapter, "Chapter 1 alone reads it.")
    context = Context(tongue, words_of(text), _read(config))
    page = console()
    results: list[Any] = []
    opened: list[int] = []

    def show(number: int, block: Block, proved: list[Any]) -> None:
        name = CHAPTERS[number - 1]
        if number not in opened:
            opened.append(number)
            heading(page, number, sentence(f"tour/{name}", "title", tongue))
        page.print(render(block, proved, name, tongue))

    if not as_json:
        page.print(said(word("opening", tongue)))
        page.print(said(word("legend", tongue)))
        if context.reading is not None:
            _open(page, context, config)
    for number in order(chapter, with_model=config is not None):
        results += run(number, context, None if as_json else show)
    results = [*{r.claim.id: r for r in results}.values()]  # chapters quote one another's claims
    files = _draw(out, context, only=None if lang is None else tongue)
    findings = [] if context.reading is None else list(context.reading.findings)
    if as_json:
        data: dict[str, Any] = {"claims": [r.to_dict() for r in results]}
        data["files"] = [str(file) for file in files]
        if context.reading is not None:
            data["findings"] = [finding.to_dict() for finding in findings]
        print_json(data)
    else:
        page.print()
        page.print(said(summary(results, tongue)))
    fine = all(r.ok for r in results) and not any(f.severity == "error" for f in findings)
    raise typer.Exit(0 if fine else 1)


def _open(page: Any, context: Any, config: Path | None) -> None:
    """What was read, what is odd about it, and that the model comes first."""
    from posenc.inspect import CODES
    from posenc.tour._render import said, word

    tongue = context.language
    parts = "; ".join(
        f"{part.name}, {group.spec.kind} ({len(group.layers)})"
        for part in context.reading.parts
        for group in part.groups
    )
    page.print(said(word("model", tongue, source=config, parts=parts)))
    for finding in context.reading.findings:
        told = finding.to_dict()
        if tongue == "zh":  # the sentence with the file's own numbers is English; its title is not
            told |= {"severity": word(finding.severity, tongue)}
            told["message"] = f"{CODES[finding.code].title[tongue]}。{finding.message}"
        page.print(said(word("finding", tongue, **told)))
    page.print(said(word("first", tongue)))


def _measure(target: str, tongue: Language, *, as_json: bool) -> None:
    """A learned table of the reader's own, in place of the chapters."""
    from posenc.tour._render import render
    from posenc.tour._table import measured, table_page
    from posenc.tour._table_file import read_table

    if as_json:
        print_json({"table": measured(read_table(target)).to_dict(), "claims": [], "files": []})
        return
    page = console()
    for block in table_page(target, language=tongue):
        page.print(render(block, [], "learned", tongue))


def _read(config: Path | None) -> Any:
    if config is None:
        return None
    from posenc.inspect import read

    return read(config)


def _model(reading: Any) -> dict[str, Any]:
    """What the figure of wavelengths shows: the first rotary group of a model, if there is one."""
    groups = [group for part in reading.parts for group in part.groups] if reading else []
    rotary = [group for group in groups if group.layout is not None]
    if not rotary:
        return {}
    return {"spec": rotary[0].spec, "trained_length": rotary[0].trained_length}


def _draw(out: Path | None, context: Any, *, only: Language | None) -> list[Path]:
    """Every figure, in both languages or one, or a line that says why there is none."""
    if out is None:
        return []
    from posenc import figures
    from posenc.tour._render import word

    tongue = context.language
    if not figures.available():
        typer.echo(word("no pictures", tongue), err=True)
        return []
    languages = (only,) if only else LANGUAGES
    files = figures.save_all(out, languages=languages, **_model(context.reading))
    for line in (*files.notes, None):
        told = line[tongue] if line else word("files", tongue, count=len(files), directory=out)
        typer.echo(told, err=True)
    return list(files)
