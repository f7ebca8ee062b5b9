"""The first ideas everyone has, each failing in its own way: counters, bits, one-hot rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._arrays import is_concrete
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._additive import bits, gray, rows
from posenc.scheme import Scheme
from posenc.specs._fields import whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Integer(Spec):
    """The position itself in every channel: its size grows without bound."""

    dim: int = width()

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return scheme_of(place=_real, embed=_filled(self.dim, 1.0), xp=xp)


@dataclass(frozen=True, kw_only=True)
class NormalizedInteger(Spec):
    """The position over the last one, in every channel: one step means less in a longer text.

    p / (L - 1), and 0 for a text of one token
    """

    dim: int = width()
    needs_length = True

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        check(length is not None, "NormalizedInteger", "bound to a length", length, "Pass length=.")
        return scheme_of(place=_real, embed=_filled(self.dim, max((length or 1) - 1, 1)), xp=xp)


@dataclass(frozen=True, kw_only=True)
class Binary(Spec):
    """The binary digits of the position, least significant first: unique, but with cliffs.

    7 and 8 differ in four bits, 0 and 8 in one.
    """

    bits: int = whole(at_least=1, at_most=31)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return _digits(self.bits, lambda p: p, xp)


@dataclass(frozen=True, kw_only=True)
class Gray(Spec):
    """The binary digits of p xor (p >> 1): neighbours differ in one bit, strangers may too."""

    bits: int = whole(at_least=1, at_most=31)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return _digits(self.bits, gray, xp)


@dataclass(frozen=True, kw_only=True)
class OneHot(Spec):
    """A channel per position: unique, and every two positions equally far apart."""

    rows: int = whole(at_least=1, at_most=2**15)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return {"table": np.eye(self.rows, dtype=np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return table_scheme(arrays["table"], offset=0, xp=xp)


@dataclass(frozen=True, kw_only=True)
class RandomDirections(Spec):
    """A fixed random unit vector per position, spread evenly: unique, and blind to nearness."""

    rows: int = whole(at_least=1, at_most=2**24)
    dim: int = width()

    def check(self) -> None:
        check_table(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"table": (self.rows, self.dim)}

    def parameters(self) -> int:
        """None: the table is drawn once and never trained."""
        return 0

    def init(self, rng: np.random.Generator) -> Arrays:
        """Directions drawn evenly from the sphere, float32; nothing learns them."""
        drawn = rng.normal(size=(self.rows, self.dim))
        unit = drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)
        return {"table": unit.astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return table_scheme(arrays["table"], offset=0, xp=xp)


def check_table(spec: Integer | RandomDirections | Spec) -> None:
    """Refuse a table that no memory holds."""
    count, dim = spec.learned()["table"]
    where = f"{type(spec).__name__}.rows"
    check(count * dim <= 2**31, where, f"at most {2**31 // dim} for dim {dim}", count)


def table_scheme(table: Array, *, offset: int, xp: Namespace | str | None) -> Scheme:
    """The scheme that adds row ``position + offset`` of ``table``."""
    count = table.shape[0]

    def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
        check_range(positions, -offset, count - 1 - offset, "the rows of the table", xp)
        return positions + offset

    def embed(indices: Array, *, xp: Namespace) -> Array:
        return rows(table, indices, xp=xp)

    return scheme_of(place=place, embed=embed, whole=True, xp=xp)


def check_range(positions: Array, low: int, high: int, what: str, xp: Namespace) -> None:
    """Name the positions outside ``low..high``, where values can be looked at."""
    if not is_concrete(positions) or 0 in positions.shape:
        return
    least, most = int(xp.min(positions)), int(xp.max(positions))
    if low <= least and most <= high:
        return
    ends = [(max(least, high + 1), most)] if most > high else []
    ends += [(least, min(most, low - 1))] if least < low else []
    missing = " and ".join(str(a) if a == b else f"{a}..{b}" for a, b in ends)
    check(
        False,
        "embed(): positions",
        f"between {low} and {high}, {what}",
        least if least == most else f"{least}..{most}",
        f"There is nothing for {missing}: use more rows, or an encoding given by a formula.",
    )


def _real(positions: Array, *, xp: Namespace, float64: bool) -> Array:
    return xp.astype(positions, xp.float64 if float64 else xp.float32)


def _filled(dim: int, over: float):  # type: ignore[no-untyped-def]
    def embed(values: Array, *, xp: Namespace) -> Array:
        return xp.broadcast_to((values / over)[..., None], (*values.shape, dim))

    return embed


def _digits(count: int, code, xp: Namespace | str | None) -> Scheme:  # type: ignore[no-untyped-def]
    def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
        check_range(positions, 0, 2**count - 1, f"what {count} bits can count", xp)
        digits = xp.astype(bits(code(positions), count=count, xp=xp), xp.float32)
        known = (positions >= 0) & (positions < 2**count)
        return xp.where(known[..., None], digits, xp.full_like(digits, float("nan")))

    def embed(digits: Array, *, xp: Namespace) -> Array:
        return digits

    return scheme_of(place=place, embed=embed, whole=True, xp=xp)
