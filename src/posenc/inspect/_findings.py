"""What is odd about a config: data with a stable code, or a refusal that carries one."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from posenc.errors import ReadError
from posenc.text import Language

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One oddity of a config.

    Attributes:
        code: Stable and never reused; ``posenc.inspect.CODES`` explains it.
        severity: "error" if engines read the config differently, "warning" if it is probably not
            meant, "note" if it is good to know.
        where: The path of the key, such as ``rope_scaling.factr``.
        message: A sentence.
        hint: A sentence that says what to do, or nothing.
        told: Message and hint in every language.
    """

    code: str
    severity: Severity
    where: str
    message: str
    hint: str = ""
    told: Mapping[Language, tuple[str, str]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain JSON data, in English."""
        named = {"code": self.code, "severity": self.severity, "where": self.where}
        return {**named, "message": self.message, "hint": self.hint}


class ConfigError(ReadError):
    """A config of which no spec can be made; ``code`` is the finding's."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


def refuse(code: str, where: str, must: str, got: object, hint: str = "") -> NoReturn:
    """Raise a ``ConfigError`` in the house's one format."""
    raise ConfigError(f"{where} must be {must}; got {shown(got)}. {hint}".rstrip(), code)


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxdict = 1, 4, 4, 3
        self.maxstring = self.maxother = _WIDTH

    def repr_int(self, x: int, level: int) -> str:
        long = x.bit_length() > 512  # Python itself refuses to print the longest
        return f"an integer of {x.bit_length()} bits" if long else repr(x)


_WIDTH = 60
_SHORT = _Short()


def shown(value: object) -> str:
    """A value as a sentence quotes it: on one line and short, whatever it is."""
    text = _SHORT.repr(value)
    return text if len(text) <= _WIDTH + 2 else f"{text[: _WIDTH - 1]}..."


def spelled(key: object) -> str:
    """A key as a path spells it: bare, unless it is too odd for that."""
    plain = isinstance(key, str) and key.isprintable() and len(key) <= _WIDTH
    return str(key) if plain else shown(key)


def closest(word: str, known: Iterable[str], *, at_least: float) -> str | None:
    """The known word most like this one, if it is ``at_least`` so like it (1 is equal)."""
    if len(word) > _WIDTH:  # the comparison is quadratic
        return None
    return next(iter(difflib.get_close_matches(word, sorted(known), 1, at_least)), None)
