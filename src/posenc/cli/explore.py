"""``posenc explore``: the interactive page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from posenc.cli._options import LangOption


def explore(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Encodings to show: names of posenc list, or package.module:object."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A model's config.json, to show its own frequencies.")
    ] = None,
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path(
        "posenc-explorer.html"
    ),
    opened: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    lang: LangOption = None,
) -> None:
    """Write the interactive page, one file that works without a network.

    It opens in the language of the browser, or in --lang; both are in it. At most four encodings
    are shown beside those of the textbook, the groups of layers of a config among them.

    Example: posenc explore rope alibi --open
    """
    from posenc.errors import check
    from posenc.explorer import build

    check(not out.is_dir(), "--out", "a file", str(out), "It is a folder.")
    page = build(*(names or ()), config=config, language=None if lang is None else lang.value)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, encoding="utf-8")
    typer.echo(f"{out} ({len(page.encode()) / 1000:.0f} kB)")
    if opened:
        typer.launch(str(out.resolve()))
