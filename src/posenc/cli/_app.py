"""The application and its options, shared by all commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from posenc.text import Language, preferred_language

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Everything that is true about positions in Transformers, as claims that run.",
)


class Lang(StrEnum):
    """The languages of the output."""

    en = "en"
    zh = "zh"


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
LangOption: TypeAlias = Annotated[
    Lang | None, typer.Option("--lang", help="en or zh; by default the locale's.")
]


def language(lang: Lang | None) -> Language:
    """The language of this run."""
    if lang is None:
        return preferred_language()
    return "zh" if lang is Lang.zh else "en"


@app.callback(invoke_without_command=True)
def _version(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        import posenc

        typer.echo(f"posenc {posenc.__version__}")
        raise typer.Exit(0)


from posenc.cli import compare, list, prove, schema, show, tour  # noqa: E402, F401
