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
            help="Claims, chapters by number or name, encodings, or package.module:object that "
            "gives a spec; all claims by default. What is both, as `learned`, is the chapter."
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
    from posenc.specs._plugins import talking_aside
    from posenc.tour._claims import claims_of_config, claims_of_spec
    from posenc.tour._render import claim_table, summary, word

    tongue = language(lang)
    theirs = claims_of_spec(spec) if spec is not None else []
    theirs += claims_of_config(config) if config else []
    own = {claim.id for claim in theirs}
    asked = [name for name in ids or [] if name not in own]
    chosen = [claim for name in asked for claim in _named(name)]
    # Of what a spec or a config states, those that are named, or else all.
    named = own & {*(ids or [])}
    chosen += [claim for claim in theirs if not named or claim.id in named]
    if not ids and spec is None and config is None:
        chosen = claims.all_claims()
    if plain:
        check(not as_json, "--plain", "given without --json", "both")
        without = [claim.id for claim in chosen if not claim.plain]
        hint = "Laws are tried through the library alone."
        check(not without, "--plain", "given for claims of chapters or a config", without, hint)
        typer.echo(claims.script(chosen, language=tongue), nl=False)
        return
    with talking_aside():
        results = [claims.prove(claim) for claim in chosen]
    if as_json:
        print_json({"claims": [r.to_dict() for r in results], "files": []})
    else:
        out = console()
        from rich.padding import Padding

        from posenc.tour._wrap import Wrapped

        for _, group in itertools.groupby(results, lambda result: result.claim.chapter):
            out.print(claim_table(list(group), tongue))
            out.print()
        # In a block of its own, or Rich would join it to a text that breaks in its way.
        out.print(Padding(Wrapped(summary(results, tongue)), 0))
        if len(results) > 1:
            out.print(Padding(Wrapped(word("legend", tongue), style="dim"), 0))
    raise typer.Exit(0 if all(r.ok for r in results) else 1)


def _named(name: str) -> list[Claim]:
    """Claims by id or chapter; for the name of an encoding, what the laws say of it."""
    from posenc import claims
    from posenc.errors import check
    from posenc.registry import encodings
    from posenc.tour._claims import claims_of_spec

    hint = "A law is about an encoding: add --spec NAME."
    check(not name.startswith("law."), "The claim", "one of a chapter", name, hint)
    hint = "Claims about a model are made of its config: add --config FILE."
    of_model = name.partition(".")[0] in ("text", "encoder", "decoder")
    check(not of_model, "The claim", "one of a chapter, or of the config given", name, hint)
    if name.isdecimal():
        last = len(claims.CHAPTERS)
        check(1 <= int(name) <= last, "The chapter", f"between 1 and {last}", int(name))
        name = claims.CHAPTERS[int(name) - 1]
    if ":" in name or (name not in claims.CHAPTERS and name in encodings()):
        return claims_of_spec(name)
    return claims.select([name])
