"""``posenc prove``: run claims."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json

if TYPE_CHECKING:
    from posenc.claims import Claim


def prove(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            help="Claims, chapters, encodings, or package.module:object that gives a spec; "
            "all claims by default."
        ),
    ] = None,
    spec: Annotated[
        str | None,
        typer.Option(help="Hold an encoding to every law: a name, a JSON object or its file."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A config.json: claims about that model.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print the claims as a program of NumPy alone.")
    ] = False,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Run claims.

    Each prints its value, what it should be, how near, and the verdict. Exit 1 if one does not
    agree with its verdict. A law is a claim about every encoding.

    Example: posenc prove sinusoid.norm distance --plain
    """
    from posenc import claims
    from posenc.errors import check
    from posenc.tour._claims import claims_of_config, claims_of_spec
    from posenc.tour._render import claim_table, summary, word

    tongue = language(lang)
    chosen = [claim for name in ids or [] for claim in _named(name)]
    chosen += claims_of_spec(spec) if spec is not None else []
    chosen += claims_of_config(config) if config else []
    if not ids and spec is None and config is None:
        chosen = claims.all_claims()
    if plain:
        check(not as_json, "--plain", "given without --json", "both")
        without = [claim.id for claim in chosen if not claim.plain]
        hint = "Laws are tried through the library alone."
        check(not without, "--plain", "given for claims of chapters or a config", without, hint)
        typer.echo(claims.script(chosen, language=tongue), nl=False)
        return
    results = [claims.prove(claim) for claim in chosen]
    if as_json:
        print_json({"claims": [r.to_dict() for r in results], "files": []})
    else:
        out = console()
        from posenc.tour._wrap import Wrapped

        for _, group in itertools.groupby(results, lambda result: result.claim.chapter):
            out.print(claim_table(list(group), tongue))
            out.print()
        out.print(Wrapped(summary(results, tongue)))
        if len(results) > 1:
            out.print(Wrapped(word("legend", tongue)), style="dim")
    raise typer.Exit(0 if all(r.ok for r in results) else 1)


def _named(name: str) -> list[Claim]:
    """Claims by id or chapter; for the name of an encoding, what the laws say of it."""
    from posenc import claims
    from posenc.registry import encodings
    from posenc.tour._claims import claims_of_spec

    if ":" in name or (name not in claims.CHAPTERS and name in encodings()):
        return claims_of_spec(name)
    return claims.select([name])
