"""What is odd about a config: data with a stable code, or a refusal that carries one."""

from __future__ import annotations

import reprlib
from dataclasses import asdict, dataclass
from typing import Any, Literal, NoReturn

from posenc.errors import ReadError

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
    """

    code: str
    severity: Severity
    where: str
    message: str
    hint: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain JSON data."""
        return asdict(self)


class Refusal(ReadError):
    """A config of which no spec can be made; ``code`` is the finding's."""

    code: str = ""


def refuse(code: str, where: str, must: str, got: object, hint: str = "") -> NoReturn:
    """Raise a ``Refusal`` in the house's one format."""
    refusal = Refusal(f"{where} must be {must}; got {shown(got)}. {hint}".rstrip())
    refusal.code = code
    raise refusal


_short = reprlib.Repr()
_short.maxlevel, _short.maxlist, _short.maxtuple, _short.maxdict = 1, 4, 4, 3
_short.maxstring = _short.maxother = _WIDTH = 60


def shown(value: object) -> str:
    """A value as a sentence quotes it: on one line and short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 512:
        return f"an integer of {value.bit_length()} bits"  # Python refuses to print the longest
    text = _short.repr(value)
    return text if len(text) <= _WIDTH + 2 else f"{text[: _WIDTH - 1]}..."
