"""Encodings that turn as they should, each with one fault in what is kept of them."""

from __future__ import annotations

import dataclasses
from typing import Any

from posenc import Rope, Scheme

TABLES: dict[int, Any] = {}


class ForgetsItsBase(Rope):
    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in super().to_dict().items() if name != "base"}


def unpickled(cls: type, fields: dict[str, Any]) -> Any:
    return cls(**fields)


class PicklesWithoutItsBase(Rope):
    def __reduce__(self) -> Any:
        names = (field.name for field in dataclasses.fields(self))
        return unpickled, (type(self), {n: getattr(self, n) for n in names if n != "base"})


class CachesByWidth(Rope):
    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return super().bind(TABLES.setdefault(self.dim, arrays), **options)
