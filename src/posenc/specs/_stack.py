"""Several encodings at once, such as a learned table together with ALiBi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._typing import Arithmetic, Arrays, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.scheme import HOOKS, Scheme, combine
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

    Attributes:
        parts: Specs, at least one.
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
        check(_depth(self) <= 8, "Stack", "nested at most 8 deep", _depth(self), "Give all parts.")
        schemes = [_sketch(part) for part in self.parts]
        turning = sum(bool(s.query or s.key or s.adjust) for s in schemes)
        check(turning <= 1, "Stack", "given at most one part that turns queries and keys", turning)
        acting = {s.coordinates for s in schemes if any(getattr(s, hook) for hook in HOOKS)}
        must = "of parts whose positions have as many coordinates"
        check(len(acting) <= 1, "Stack", must, sorted(acting))
        start = np.zeros((1,) if acting <= {1} else (1, *acting), np.int64)
        codes = {s.embed(start).shape[-1] for s in schemes if s.embed}
        check(len(codes) <= 1, "Stack", "of codes of one width", sorted(codes))
        heads = {s.bias(start, start).shape[-3] for s in schemes if s.bias}
        check(len(heads) <= 1, "Stack", "of biases for as many heads", sorted(heads))

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


def _depth(spec: Spec) -> int:
    return 1 + max(map(_depth, spec.parts)) if isinstance(spec, Stack) else 0


def _sketch(part: Spec) -> Scheme:
    """A part's scheme on arrays of zeros that take no memory: which hooks, which widths."""
    zeros = {n: np.broadcast_to(np.float32(0), shape) for n, shape in part.learned().items()}
    return part.bind({**part.constants(length=1), **zeros}, length=1)


def _prefixed(each: list[Any]) -> dict[str, Any]:
    return {f"{i}.{name}": v for i, named in enumerate(each) for name, v in named.items()}
