"""JSON with one line per field and one per row of a table: small files, readable differences."""

import json

from oracle.exact import Data

ORACLE = "tools/golden.py, mpmath 60 digits"


def field(name: str, value: object) -> str:
    """`"name": value`, a table one row a line."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        rows = ",\n    ".join(json.dumps(row, allow_nan=False) for row in value)
        return f'  "{name}": [\n    {rows}\n  ]'
    return f'  "{name}": {json.dumps(value, allow_nan=False)}'


def page(cases: list[Data]) -> str:
    """The text of one file."""
    blocks = (",\n".join(field(name, value) for name, value in case.items()) for case in cases)
    body = ",\n".join("{\n" + block + "\n}" for block in blocks)
    return f'{{"oracle": {json.dumps(ORACLE)}, "cases": [\n{body}\n]}}\n'
