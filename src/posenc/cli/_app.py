"""The application: every command by name, in the order in which help lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from posenc.cli.bench import bench
from posenc.cli.compare import compare
from posenc.cli.explore import explore
from posenc.cli.list_ import list_encodings
from posenc.cli.prove import prove
from posenc.cli.schema import schema
from posenc.cli.show import show
from posenc.cli.tour import tour

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Everything that is true about positions in Transformers, as claims that run.",
)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        import posenc

        typer.echo(f"posenc {posenc.__version__}")
        raise typer.Exit(0)


_COMMANDS: dict[str, Callable[..., None]] = {
    "tour": tour,
    "prove": prove,
    "list": list_encodings,
    "show": show,
    "compare": compare,
    "explore": explore,
    "bench": bench,
    "schema": schema,
}

for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)
