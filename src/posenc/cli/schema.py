"""``posenc schema``: the JSON schema of specs."""

from __future__ import annotations

from posenc.cli._app import app
from posenc.cli._print import print_json


@app.command()
def schema() -> None:
    """The JSON schema of every encoding as ``to_dict`` writes it, generated from the specs.

    Example: posenc schema > posenc.schema.json
    """
    from posenc.specs._schema import schema as made

    print_json(made())
