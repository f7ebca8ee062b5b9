"""``posenc list``: every encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from posenc.cli._options import In, Json, LangOption, language
from posenc.cli._print import console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from posenc.cli._kept import Kept
    from posenc.registry import Entry, Failed
    from posenc.text import Language


def list_encodings(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Those alone whose name, title, paper or users have these words."),
    ] = None,
    laws: Annotated[
        list[In] | None,
        typer.Option(
            help="Hold each to its laws in this library; may be repeated. In JAX it takes minutes."
        ),
    ] = None,
    as_json: Json = False,
    lang: LangOption = None,
) -> None:
    """Every encoding, plug-ins too.

    Its name, year, what it is, who ships it; as JSON its formula, golden case and laws as well.
    With --laws exit 1 if one breaks a law.

    Example: posenc list gemma
    """
    from posenc.registry import encodings, failures
    from posenc.tour._wrap import Wrapped

    entries, failed = encodings(), failures()
    tongue = language(lang)
    if words:
        entries, failed = _about(words, entries), []
    verdicts: dict[str, Kept] = {}
    if laws or as_json:
        from posenc.cli._kept import installed, kept

        libraries = [installed(name.value) for name in dict.fromkeys(laws or [])]
        verdicts = {name: kept(entry, libraries) for name, entry in entries.items()}
    if as_json:
        rows = [_row(entry) | verdicts[name].to_dict() for name, entry in entries.items()]
        print_json([*rows, *({"name": f.name, "error": f.error} for f in failed)])
    else:
        out = console()
        out.print(_table(list(entries.values()), failed, tongue))
        for library in dict.fromkeys(laws or []):
            for line in _verdicts(library.value, verdicts, tongue):
                out.print(Wrapped(line))
    broken = any(faults for found in verdicts.values() for faults in found.broken.values())
    raise typer.Exit(1 if broken else 0)


def _about(words: list[str], entries: dict[str, Entry]) -> dict[str, Entry]:
    """The entries that have every word somewhere, or the sentence that there is none."""
    from posenc.errors import check
    from posenc.registry import says

    found = {n: e for n, e in entries.items() if all(says(e, word) for word in words)}
    hint = "posenc list shows all; names of models are looked for too."
    check(bool(found), "The words", "about an encoding", " ".join(words), hint)
    return found


def _row(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.cls.kind,
        "title": dict(entry.title),
        "year": entry.year,
        "formula": entry.formula,
        "note": dict(entry.note),
        "reference": entry.reference,
        "shipped_by": [*entry.shipped_by],
        "package": entry.package,
        # One file of golden numbers has a case for each of our entries, by its name.
        "golden": f"entries/{entry.name}" if entry.package == "posenc" else None,
    }


def _table(entries: list[Entry], failed: list[Failed], tongue: Language) -> Table:
    from posenc.text import sentence
    from posenc.tour._style import table
    from posenc.tour._wrap import Wrapped

    headings = (sentence("cli", key, tongue) for key in ("name", "year", "what", "shipped by"))
    shown = table(*headings, whole=2)
    for entry in entries:
        title = entry.title[tongue]
        if entry.package != "posenc":
            title = sentence("cli", "plugin", tongue, title=title, package=entry.package)
        shown.add_row(entry.name, str(entry.year), Wrapped(title), ", ".join(entry.shipped_by))
    for broken in failed:
        shown.add_row(broken.name, "", sentence("cli", "broken", tongue, error=broken.error), "")
    return shown


def _verdicts(library: str, kept: dict[str, Kept], tongue: Language) -> list[str]:
    """One sentence for what holds in a library, and one for each law that does not."""
    from posenc.text import sentence

    faults = [
        sentence("cli", "breaks", tongue, library=library, name=name, law=law, fault=fault)
        for name, found in kept.items()
        for law, fault in found.broken.get(library, {}).items()
    ]
    whole = [found for found in kept.values() if found.broken.get(library) == {}]
    tries = sum(len(found.laws) for found in whole)
    held = sentence("cli", "kept", tongue, library=library, count=len(whole), tries=tries)
    return [*faults, held]
