"""What a chapter of the tour is made of; the renderer knows these and nothing of positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from posenc.claims import Claim
from posenc.inspect import Reading
from posenc.text import Language


@dataclass(frozen=True)
class Say:
    """A short paragraph: a key of ``text/tour/{chapter}.toml``, and values for its slots."""

    key: str
    slots: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Prove:
    """Claims to run and show here, by id; or claims made for the model at hand."""

    claims: Sequence[str | Claim]


@dataclass(frozen=True)
class Grid:
    """A small table: the title is a key, headings and cells are text or numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 6


@dataclass(frozen=True)
class Drawing:
    """Preformatted lines: a heat map in characters, a strip of buckets, a map of shapes."""

    title: str
    lines: str


Block: TypeAlias = Say | Prove | Grid | Drawing


@dataclass(frozen=True)
class Context:
    """What the reader asked for.

    Attributes:
        language: The language of this run.
        words: Tokens of the reader's own text, if given (``--text``).
        reading: What ``posenc.inspect.read`` made of the reader's config, if given.
    """

    language: Language
    words: tuple[str, ...] = ()
    reading: Reading | None = None
