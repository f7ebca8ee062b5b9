"""Specs one step away: a single field changed to another value that its rule admits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, TypeVar

from posenc.errors import EncodingError
from posenc.specs._fields import Either, Rule
from posenc.specs._record import Record, rules

R = TypeVar("R", bound=Record)


def siblings(record: R) -> Iterator[R]:
    """Records that differ from ``record`` in one field; values that it refuses are left out.

    Example:
        >>> from posenc import Alibi
        >>> [a.slopes for a in siblings(Alibi(heads=6))][3:5]
        ['geometric', 'reference']
    """
    for name, rule in rules(type(record)).items():
        for value in _others(rule, getattr(record, name)):
            try:
                sibling = _changed(record, name, value)
            except EncodingError:
                continue
            if sibling != record:  # one thing may have two spellings
                yield sibling


def _changed(record: R, name: str, value: Any) -> R:
    if name == "parts":  # a stack takes its parts as they come
        return type(record)(*value)
    return dataclasses.replace(record, **{name: value})  # type: ignore[type-var]


def _others(rule: Rule, value: Any) -> Iterator[Any]:
    word = rule.word if isinstance(rule, Either) else rule
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield from (w for w in getattr(word, "options", ()) if w != value)
    elif isinstance(value, int):
        yield from (2 * value, value // 2, value + 2)
    elif isinstance(value, float):
        yield from (2 * value, value / 2) if value else (1.0,)
    elif isinstance(value, Record):
        yield from siblings(value)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            each = siblings(item) if isinstance(item, Record) else _others(rule, item)
            yield from ((*value[:i], other, *value[i + 1 :]) for other in each)
