"""``posenc list``: every encoding."""

from __future__ import annotations

from typing import Any

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json


def list_encodings(as_json: Json = False, lang: LangOption = None) -> None:
    """Every encoding, plug-ins too.

    Its name, year, what it is, who ships it.

    Example: posenc list --json
    """
    from posenc.registry import encodings, failures
    from posenc.text import sentence
    from posenc.tour._style import table
    from posenc.tour._wrap import Wrapped

    entries, failed = encodings(), failures()
    tongue = language(lang)
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "name": entry.name,
                "kind": entry.cls.kind,
                "title": dict(entry.title),
                "year": entry.year,
                "formula": entry.formula,
                "reference": entry.reference,
                "shipped_by": [*entry.shipped_by],
                "package": entry.package,
            }
            for entry in entries.values()
        ]
        print_json([*rows, *({"name": f.name, "error": f.error} for f in failed)])
        return
    headings = (sentence("cli", key, tongue) for key in ("name", "year", "what", "shipped by"))
    shown = table(*headings, whole=2)
    for entry in entries.values():
        title = entry.title[tongue]
        if entry.package != "posenc":
            title = sentence("cli", "plugin", tongue, title=title, package=entry.package)
        shown.add_row(entry.name, str(entry.year), Wrapped(title), ", ".join(entry.shipped_by))
    for broken in failed:
        shown.add_row(broken.name, "", sentence("cli", "broken", tongue, error=broken.error), "")
    console().print(shown)
