"""``posenc list``: every encoding."""

from __future__ import annotations

from typing import Any

from posenc.cli._options import Json, LangOption, language
from posenc.cli._print import console, print_json, table


def list_encodings(as_json: Json = False, lang: LangOption = None) -> None:
    """Every encoding, plug-ins too.

    Its name, year, what it is, who ships it.

    Example: posenc list --json
    """
    from posenc.registry import encodings, failures

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
            }
            for entry in entries.values()
        ]
        print_json([*rows, *({"name": f.name, "error": f.error} for f in failed)])
        return
    shown = table(
        *(
            {
                "en": ("name", "year", "what", "shipped by"),
                "zh": ("名称", "年份", "说明", "使用者"),
            }[tongue]
        )
    )
    for entry in entries.values():
        shown.add_row(entry.name, str(entry.year), entry.title[tongue], ", ".join(entry.shipped_by))
    for broken in failed:
        shown.add_row(broken.name, "", f"! {broken.error}", "")
    console().print(shown)
