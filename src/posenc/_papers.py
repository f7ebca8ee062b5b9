"""Where each encoding was published, for citations."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from posenc.errors import check


@cache
def _papers() -> dict[str, list[Any]]:
    """First author, title, year and arXiv number, by the key that entries name."""
    return tomllib.loads((files("posenc") / "papers.toml").read_text("utf-8"))


def bibtex_of(name: str, paper: str, *, reference: str) -> str:
    """The publication of an encoding as a BibTeX entry.

    Args:
        name: The encoding.
        paper: Its key here; empty if it has none.
        reference: What is said instead.

    Raises:
        EncodingError: If it has no publication that is known here.
    """
    known = _papers()
    hint = f"Its reference is: {reference}."
    check(paper in known, f"{name}: a citation", "of a publication", paper or None, hint)
    author, title, year, arxiv = known[paper]
    lines = (
        f"  author = {{{author} and others}}",
        f"  title = {{{{{title}}}}}",
        f"  year = {{{year}}}",
        f"  eprint = {{{arxiv}}}",
        "  archivePrefix = {arXiv}",
    )
    return f"@misc{{{paper},\n" + ",\n".join(lines) + "\n}"
