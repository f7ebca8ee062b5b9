"""``posenc schema``: the JSON schema of specs."""

from __future__ import annotations

from posenc.cli._print import print_json


def schema() -> None:
    """The JSON schema of encodings.

    What ``to_dict`` writes and ``from_dict`` reads.

    Example: posenc schema > posenc.schema.json
    """
    from posenc.registry import encodings
    from posenc.specs._schema import schema as made

    encodings()  # plug-ins have kinds too
    print_json(made())
