"""What a field may hold, stated as data: checked at construction, read by schema and tests."""

from __future__ import annotations

import dataclasses
import itertools
import math
import numbers
from dataclasses import dataclass
from typing import Any

from posenc.errors import EncodingTypeError, check, check_index, check_known

REQUIRED: Any = dataclasses.MISSING


@dataclass(frozen=True)
class Rule:
    """One field's constraint; ``read`` returns the value in its plain Python form."""

    optional: bool = dataclasses.field(default=False, kw_only=True)

    def read(self, where: str, value: Any) -> Any:
        if value is None and self.optional:
            return None
        return self.value(where, value)

    def value(self, where: str, value: Any) -> Any:
        raise TypeError(f"{type(self).__name__} must define value()")


@dataclass(frozen=True)
class Number(Rule):
    """A finite real number; integers and NumPy scalars become float."""

    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None

    def value(self, where: str, value: Any) -> float:
        if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
            value = value.item()  # a number in an array's clothes
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        check(real, where, "a number", value, error=EncodingTypeError)
        plain = _as_float(value) + 0.0  # a negative zero would be an equal spec of unequal JSON
        check(math.isfinite(plain), where, "finite", value)
        for ok, word, bound in (
            (self.at_least is None or plain >= self.at_least, "at least", self.at_least),
            (self.above is None or plain > self.above, "above", self.above),
            (self.at_most is None or plain <= self.at_most, "at most", self.at_most),
        ):
            check(ok, where, f"{word} {_told(bound)}", value)
        return plain


@dataclass(frozen=True)
class Whole(Rule):
    """An integer within bounds; NumPy integers become int, floats are refused."""

    at_least: int = 0
    at_most: int = 2**62
    even: bool = False

    def value(self, where: str, value: Any) -> int:
        plain = check_index(where, value)
        check(plain >= self.at_least, where, f"at least {self.at_least}", value)
        check(plain <= self.at_most, where, f"at most {self.at_most}", value)
        check(not self.even or plain % 2 == 0, where, "even", value, "Channels turn in pairs.")
        return plain


@dataclass(frozen=True)
class Choice(Rule):
    """One of a few words."""

    options: tuple[str, ...]

    def value(self, where: str, value: Any) -> str:
        listed = " or ".join(map(repr, self.options))
        check_known(value, self.options, where, listed)
        return str(value)


@dataclass(frozen=True)
class Flag(Rule):
    """True or False, and nothing that merely behaves like one."""

    def value(self, where: str, value: Any) -> bool:
        named = type(value).__name__ in {"bool", "bool_"}
        check(named, where, "True or False", value, error=EncodingTypeError)
        return bool(value)


@dataclass(frozen=True)
class Numbers(Rule):
    """A sequence of numbers; becomes a tuple of floats, or of ints by a rule for those."""

    each: Number | Whole
    at_least: int = 1
    at_most: int = 2**20

    def value(self, where: str, value: Any) -> tuple[Any, ...]:
        # In order and countable: a set would come in an order of its own.
        listed = isinstance(value, list | tuple | range) or getattr(value, "ndim", 0) == 1
        check(listed, where, "a list of numbers", value, error=EncodingTypeError)
        items = list(itertools.islice(value, self.at_most + 1))
        sized = self.at_least <= len(items) <= self.at_most
        check(sized, where, f"of {self.at_least} to {self.at_most} numbers", len(items))
        return tuple(self.each.read(f"{where}[{i}]", v) for i, v in enumerate(items))


@dataclass(frozen=True)
class Either(Rule):
    """The first rule for words, the second for anything else."""

    word: Choice
    other: Rule

    def value(self, where: str, value: Any) -> Any:
        return (self.word if isinstance(value, str) else self.other).read(where, value)


@dataclass(frozen=True)
class Part(Rule):
    """A nested record of one family, such as a scaling rule.

    ``family`` is its base class, or a record class itself.
    """

    family: type[Any]

    def value(self, where: str, value: Any) -> Any:
        if isinstance(value, self.family):
            return value
        noun = self.family.__name__.lower()
        given = value.__name__ if isinstance(value, type) else value
        alone = dataclasses.is_dataclass(self.family)  # a record that may be had as it is
        members: list[type[Any]] = [self.family] if alone else self.family.__subclasses__()
        kinds = ", ".join(sorted(member.__name__ for member in members))
        hint = f"Pass an instance of one of: {kinds}."
        error = EncodingTypeError
        return check(False, where, f"a {noun}", given, hint, error=error)


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _told(bound: float | None) -> str:
    return str(int(bound)) if bound is not None and bound == int(bound) else str(bound)


def checked_length(where: str, length: Any) -> int | None:
    """A number of tokens, or None."""
    return None if length is None else Whole().read(where, length)


def field(rule: Rule, default: Any = REQUIRED) -> Any:
    """A dataclass field that carries its rule."""
    return dataclasses.field(default=default, metadata={"rule": rule})


def number(default: Any = REQUIRED, **bounds: Any) -> Any:
    """A field for a finite number; bounds as in ``Number``."""
    return field(Number(**bounds), default)


def whole(default: Any = REQUIRED, **bounds: Any) -> Any:
    """A field for an integer; bounds as in ``Whole``."""
    return field(Whole(**bounds), default)


def width(default: Any = REQUIRED, **bounds: Any) -> Any:
    """A field for a number of channels; the ceiling refuses a slip before memory is taken."""
    return field(Whole(**{"at_least": 1, "at_most": 2**20, **bounds}), default)


def choice(*options: str, default: Any = REQUIRED) -> Any:
    """A field for one of a few words."""
    return field(Choice(options), default)


def flag(default: Any = REQUIRED) -> Any:
    """A field for True or False."""
    return field(Flag(), default)
