"""A BibTeX entry from what the registry knows of a paper."""

from __future__ import annotations

import re

from posenc.registry import Entry


def bibtex_of(entry: Entry) -> str:
    """The entry as ``@misc``; the title is the encoding's, since papers are not stored here."""
    authors, _, _ = entry.reference.partition(f" {entry.year}")
    named = " et al." in authors or bool(re.fullmatch(r"[A-Z][\w-]+", authors))
    who = authors.replace(" et al.", " and others") if named else "posenc"
    found = re.search(r"arXiv:(\d{4}\.\d{4,5})", entry.reference)
    lines = [
        f"  author = {{{who}}}",
        f"  year = {{{entry.year}}}",
        f"  title = {{{{{entry.title['en']}}}}}",
    ]
    if found:
        lines += [f"  eprint = {{{found[1]}}}", "  archivePrefix = {arXiv}"]
    lines.append(f"  note = {{{entry.reference}}}")
    key = (
        f"{re.sub(r'[^a-z]', '', who.split()[0].lower())}{entry.year}{entry.name.replace('-', '')}"
    )
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}"
