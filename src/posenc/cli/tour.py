"""``posenc tour``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
        str | None,
        typer.Option(
            help="Write the page of posenc explore and every figure into this directory, in both"
            " languages unless --lang."
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="FILE:KEY of a safetensors file: measure that table.")
    ] = None,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Show and prove how positions work.

    With a config, the chapters on that model come right after the first; config.json of
    Llama-like families, BLOOM, MPT and T5 is read so far. With --table, a learned table of your
    own is measured instead. Exit 1 if a claim does not agree with its verdict or the config has
    an error.

    Example: posenc tour config.json --lang zh
    """
    from posenc import inspect
    from posenc.claims import CHAPTERS
    from posenc.errors import check
    from posenc.tour._blocks import Context
    from posenc.tour._render import said, summary, word
    from posenc.tour._tour import tour as run
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

    if out is not None:
        folder = Path(out)
        free = bool(out.strip()) and (not folder.exists() or folder.is_dir())
        check(free, "--out", "a folder, or the name of a new one", out)
    reading = None if config is None else inspect.read(config)
    page = None if as_json else console()
    outcome = run(Context(tongue, words_of(text), reading), chapter=chapter, page=page)
    files: list[Path] = []
    if out is not None:
        from posenc.tour import _pictures

        languages = LANGUAGES if lang is None else (tongue,)
        files, lines = _pictures.draw(Path(out), reading, languages=languages, told_in=tongue)
        files.append(_pictures.page(Path(out), config, None if lang is None else tongue))
        lines.append(word("page", tongue, path=files[-1]))
        for line in lines:
            typer.echo(line, err=True)
    if page is None:
        print_json({**outcome.to_dict(), "files": [str(file) for file in files]})
    else:
        page.print()
        page.print(said(summary(outcome.results, tongue)))
        if reading is not None and chapter is None:
            page.print(said(word("again", tongue, source=config)))
    raise typer.Exit(0 if outcome.ok else 1)


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
