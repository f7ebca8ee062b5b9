"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from posenc.text import Language, preferred_language


class Lang(StrEnum):
    """The languages of the output."""

    en = "en"
    zh = "zh"


class In(StrEnum):
    """The libraries that laws are tried in."""

    numpy = "numpy"
    torch = "torch"
    jax = "jax"
    strict = "array-api-strict"


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
LangOption: TypeAlias = Annotated[
    Lang | None, typer.Option("--lang", help="en or zh; by default the locale's.")
]


def language(lang: Lang | None) -> Language:
    """The language of this run."""
    if lang is None:
        return preferred_language()
    return "zh" if lang is Lang.zh else "en"
