"""Several encodings at once, such as a learned table together with ALiBi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._typing import Arithmetic, Arrays, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.scheme import Scheme, combine
from posenc.specs._fields import Rule, field
from posenc.specs._record import Spec


@dataclass(frozen=True)
class Specs(Rule):
    """One or more specs; becomes a tuple."""

    def value(self, where: str, value: Any) -> tuple[Spec, ...]:
        parts = tuple(value) if isinstance(value, list | tuple) else (value,)
        check(len(parts) >= 1, where, "at least one spec", value)
        for part in parts:
            check(isinstance(part, Spec), where, "specs", part, error=EncodingTypeError)
        return parts


@dataclass(frozen=True, init=False)
class Stack(Spec):
    """The spec whose scheme is the combination of theirs: ``Stack(a, b, ...)``.

    Codes and biases add, logit scales multiply; at most one part may turn queries and keys.
    Names of a part's arrays are prefixed by its number: ``"0.table"``.
    """

    parts: tuple[Spec, ...] = field(Specs())

    def __init__(self, *parts: Spec) -> None:
        object.__setattr__(self, "parts", parts)
        self.__post_init__()

    @classmethod
    def of(cls, values: dict[str, Any]) -> Stack:
        parts = values["parts"]
        return cls(*parts) if isinstance(parts, list | tuple) else cls(parts)

    def __repr__(self) -> str:
        return f"Stack({', '.join(map(repr, self.parts))})"

    @property
    def needs_length(self) -> bool:  # type: ignore[override]
        """Whether any part does."""
        return any(part.needs_length for part in self.parts)

    def check(self) -> None:
        turning = [p for p in self.parts if hasattr(p, "frequencies") and hasattr(p, "axes")]
        check(len(turning) <= 1, "Stack", "given at most one rotary spec", len(turning))

    def learned(self) -> dict[str, tuple[int, ...]]:
        return _prefixed([part.learned() for part in self.parts])

    def init(self, rng: np.random.Generator) -> Arrays:
        return _prefixed([part.init(rng) for part in self.parts])

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return _prefixed(
            [part.constants(length=length, arithmetic=arithmetic) for part in self.parts]
        )

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        schemes = []
        for i, part in enumerate(self.parts):
            own = {n.partition(".")[2]: a for n, a in arrays.items() if n.startswith(f"{i}.")}
            schemes.append(part.bind(own, length=length, xp=xp))
        return combine(*schemes)


def _prefixed(each: list[Any]) -> dict[str, Any]:
    return {f"{i}.{name}": v for i, named in enumerate(each) for name, v in named.items()}
