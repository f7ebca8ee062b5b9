"""Records: frozen data that checks and normalises itself, with JSON both ways."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np

from posenc._typing import Arithmetic, Arrays, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.scheme import Scheme
from posenc.specs._fields import Rule


class Record:
    """A frozen dataclass whose fields carry their rules.

    Equal records are equal in every sense: hash, JSON, repr. Subclasses are dataclasses with
    ``frozen=True, kw_only=True`` and fields made by ``posenc.specs._fields``.
    """

    kind: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        cls.kind = re.sub(
            r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__
        ).lower()
        for tell in _listeners:
            tell(cls)

    def __post_init__(self) -> None:
        for name, rule in rules(type(self)).items():
            value = rule.read(f"{type(self).__name__}.{name}", getattr(self, name))
            object.__setattr__(self, name, value)
        self.check()

    def check(self) -> None:
        """Refuse fields that are right alone and wrong together."""

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """The record with these fields; a class whose constructor differs says how."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, every field written, tagged by ``kind``; see ``posenc.from_dict``."""
        fields = {name: _plain(getattr(self, name)) for name in rules(type(self))}
        return {"kind": self.kind, **fields}


_listeners: list[Callable[[type[Record]], None]] = []


def every_record(tell: Callable[[type[Record]], None]) -> None:
    """Call ``tell`` with every class of records: now with those there are, later with each new one.

    A library that has to know a type before it meets a value is told of it so. A new class is
    told before its decorator has made a dataclass of it, and with ``slots=True`` comes twice,
    since that makes another class.
    """
    _listeners.append(tell)
    classes: list[type[Record]] = [Record]
    for cls in classes:
        tell(cls)
        classes += cls.__subclasses__()


_ENDS = 8  # numbers of a list that are shown whole


def brief(record: Record) -> str:
    """The record as one writes it: fields that are as usual left out, long lists by their ends.

    Example:
        >>> from posenc import Rope
        >>> brief(Rope(dim=8, layout="half"))
        "Rope(dim=8, layout='half')"
    """
    fields = []
    for field in dataclasses.fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if value == field.default:
            continue
        named = "" if field.name == "parts" else f"{field.name}="
        fields.append(named + _shown(value))
    return f"{type(record).__name__}({', '.join(fields)})"


def _shown(value: Any) -> str:
    if isinstance(value, Record):
        return brief(value)
    if not isinstance(value, tuple):
        return repr(value)
    if any(isinstance(item, Record) for item in value):
        return ", ".join(map(_shown, value))
    if len(value) > _ENDS:
        return f"({value[0]}, {value[1]}, ..., {value[-1]})"
    return repr(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def rules(cls: type) -> dict[str, Rule]:
    """The rule of every field of a record class, in order."""
    frozen = cls.__hash__ is not None
    check(frozen, cls.__name__, "declared with @dataclass(frozen=True, kw_only=True)", cls)
    fields = dataclasses.fields(cls)
    for f in fields:
        must = "declared with width(), whole(), number(), choice() or flag() of posenc.specs"
        check("rule" in f.metadata, f"{cls.__name__}.{f.name}", must, f.type)
    return {f.name: f.metadata["rule"] for f in fields}


class Spec(Record):
    """A positional encoding as plain data. Subclasses answer ``bind``, and what else they need.

    A new encoding is one such class and one registry entry; modules, commands, laws and pages
    follow from these methods.
    """

    needs_length: ClassVar[bool] = False
    """Whether the rule depends on the length of the run, which callers then must state."""

    relative: ClassVar[bool] = True
    """Whether what it does to logits depends on distances alone; a law holds it to that."""

    exact: ClassVar[bool] = True
    """Whether angles come of frequencies that are known beforehand, so that they are as good far
    out; learned ones are multiplied out, in float32 where there is no more. Laws allow for it."""

    def learned(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every learned array."""
        return {}

    def parameters(self) -> int:
        """How many learned numbers there are."""
        return sum(math.prod(shape) for shape in self.learned().values())

    def init(self, rng: np.random.Generator) -> Arrays:
        """Fresh values for the learned arrays, float32: normal with deviation 0.02, as in BERT."""
        return {
            name: rng.normal(0.0, 0.02, shape).astype(np.float32)
            for name, shape in self.learned().items()
        }

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        """What the fields determine and no cast may touch; NumPy, on the host."""
        return {}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        """The scheme that uses ``arrays``: the constants, and the learned arrays by name."""
        name = type(self).__name__
        raise EncodingTypeError(f"{name} must define bind(); got a class without it.")
