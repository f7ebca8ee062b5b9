"""``posenc prove``: run claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json


def prove(
    ids: Annotated[
        list[str] | None,
        typer.Argument(help="Claims, chapters, or package.module:object; all claims by default."),
    ] = None,
    spec: Annotated[
        str | None,
        typer.Option(help="An encoding to try by every law: a name, a JSON object or its file."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A model's config.json: claims about that model.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print the claims as a program of NumPy alone.")
    ] = False,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Run claims.

    Each prints its value, what it should be, how near, and the verdict.

    Example: posenc prove sinusoid.norm distance --plain
    """
    from posenc import claims
    from posenc.tour._claims import claims_of_config, claims_of_spec
    from posenc.tour._render import claim_table, summary

    tongue = language(lang)
    chosen = [c for name in ids or [] if ":" in name for c in claims_of_spec(name)]
    chosen += claims_of_spec(spec) if spec else []
    chosen += claims_of_config(config) if config else []
    chosen += claims.select([name for name in ids or [] if ":" not in name])
    if not (ids or spec or config):
        chosen = claims.all_claims()
    if plain:
        typer.echo(claims.script([c for c in chosen if c.plain], language=tongue), nl=False)
        return
    results = [claims.prove(claim) for claim in chosen]
    if as_json:
        print_json({"claims": [r.to_dict() for r in results], "files": []})
    else:
        out = console()
        out.print(claim_table(results, tongue))
        out.print(summary(results, tongue))
    raise typer.Exit(0 if all(r.ok for r in results) else 1)
