"""Values out of a config, each with the path it was found at, and a ledger of what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from posenc.errors import EncodingError
from posenc.inspect._codes import CODES
from posenc.inspect._findings import ConfigError, Finding, Severity, refuse, shown
from posenc.inspect._phrases import Phrase, said
from posenc.inspect.reading import Evidence, How
from posenc.specs._fields import Flag, Number, Rule, Whole
from posenc.text import LANGUAGES

T = TypeVar("T")
Reader = Callable[[str, object], T]


@dataclass(frozen=True)
class Section:
    """One JSON object of a config, and its path."""

    values: Mapping[Any, Any]
    path: str = ""

    def where(self, key: str) -> str:
        """The path of one of its keys."""
        return f"{self.path}.{key}" if self.path else key

    def __contains__(self, key: str) -> bool:
        """Whether the key has a value; null is none."""
        return self.values.get(key) is not None

    def unread(self, key: str) -> float | None:
        """The finite number under a key that does not count, or None: no reason to refuse."""
        try:
            plain = number()(key, self.values.get(key))
        except ConfigError:
            return None
        return int(plain) if plain.is_integer() else plain

    def section(self, key: str) -> Section:
        """The object under ``key``; an absent one is empty."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, Mapping):
            refuse("PE111", self.where(key), "an object or null", value)
        return Section(value or {}, self.where(key))


def number(
    *, at_least: float | None = None, above: float | None = None, at_most: float | None = None
) -> Reader[float]:
    """A reader of finite numbers; integers and NumPy scalars are as good as floats."""
    rule = Number(at_least=at_least, above=above, at_most=at_most)
    return lambda where, value: float(_scalar(rule, where, value))


def whole(*, at_least: int = 1, at_most: int = 2**40) -> Reader[int]:
    """A reader of integers, written as such or as 4096.0."""
    rule = Whole(at_least=at_least, at_most=at_most)

    def read(where: str, value: object) -> int:
        exact = isinstance(value, float) and value.is_integer()
        return int(_scalar(rule, where, int(value) if exact else value))  # type: ignore[call-overload]

    return read


def flag(where: str, value: object) -> bool:
    """A reader of true and false."""
    return bool(_scalar(Flag(), where, value))


def factors(count: int) -> Reader[tuple[float, ...]]:
    """A reader of a list with one positive number for each of ``count`` pairs."""
    each = number(above=0)

    def read(where: str, value: object) -> tuple[float, ...]:
        if not isinstance(value, list | tuple):
            refuse("PE111", where, "a list of numbers", value)
        if len(value) != count:
            must = f"of {count} numbers, one for each pair of the {2 * count} channels that turn"
            refuse("PE109", where, must, len(value))
        return tuple(each(f"{where}[{i}]", item) for i, item in enumerate(value))

    return read


def _scalar(rule: Rule, where: str, value: object) -> Any:
    long = isinstance(value, int) and value.bit_length() > 512
    if long or isinstance(value, Mapping | list | tuple):
        refuse("PE111", where, "a single value of a sensible size", value)
    try:
        return rule.read(where, value)
    except EncodingError as error:
        raise ConfigError(str(error), "PE111") from None


class Ledger:
    """What has been read so far: where each value came from, and what is odd about it."""

    def __init__(self, model_type: str) -> None:
        self.model_type = model_type
        self.evidence: list[Evidence] = []
        self.findings: list[Finding] = []

    def note(self, field: str, value: Any, how: How, key: str = "", note: str = "") -> None:
        """Record where a value came from."""
        self.evidence.append(Evidence(field=field, value=value, how=how, key=key, note=note))

    def find(
        self,
        code: str,
        where: str,
        words: str,
        *,
        severity: Severity | None = None,
        **slots: object,
    ) -> None:
        """Record an oddity, in the ``words`` of that name in ``text/findings``."""
        slots = {"where": where, "model_type": self.model_type, **slots}
        told = {
            language: (said(words, language, slots), said(f"{words} hint", language, slots))
            for language in LANGUAGES
        }
        message, hint = told["en"]
        self.findings.append(
            Finding(
                code=code,
                severity=severity or CODES[code].severity,
                where=where,
                message=message,
                hint=hint,
                told=told,
            )
        )

    def optional(
        self, field: str, places: Iterable[tuple[Section, str]], read: Reader[T], *, null: bool
    ) -> T | None:
        """The value at the first of several places; the others are recorded as ignored.

        Args:
            field: What it is to posenc.
            places: Sections and keys, in the order in which the model class looks.
            read: Checks the value and makes it plain.
            null: Whether null is an ordinary way of leaving the key out.
        """
        value: T | None = None
        taken = ""
        for section, key in places:
            where = section.where(key)
            if key not in section:
                if key in section.values and not null:
                    self.find("PE110", where, "null")
                continue
            found = read(where, section.values[key])
            if not taken:
                value, taken = found, where
                self.note(field, value, "given", where)
                continue
            self.note(field, found, "ignored", where, f"{taken} decides")
            if found != value:
                self.disagree(where, found, taken, value)
        return value

    def value(
        self,
        field: str,
        places: Iterable[tuple[Section, str]],
        read: Reader[T],
        *,
        default: T,
        note: str,
        null: bool = False,
    ) -> T:
        """The same, or what the model class takes where no place has a value; ``note`` says why."""
        value = self.optional(field, places, read, null=null)
        if value is not None:
            return value
        self.note(field, default, "defaulted", note=note)
        return default

    def decider(self, field: str, key: str) -> str | Phrase:
        """The path of the key that a value came from, or the default of ``key``."""
        paths = (e.key for e in self.evidence if e.field == field and e.how == "given")
        return next(paths, Phrase("default of", key=key))

    def disagree(self, where: str, found: object, taken: str | Phrase, value: object) -> None:
        """Record that the file says one thing twice, and differently."""
        self.find("PE104", where, "disagree", found=shown(found), taken=taken, value=shown(value))
