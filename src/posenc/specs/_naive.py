"""The first ideas everyone has, each failing in its own way: counters, bits, one-hot rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._additive import bits, gray
from posenc.scheme import Scheme
from posenc.specs._fields import whole, width
from posenc.specs._record import Spec
from posenc.specs._table import check_range


@dataclass(frozen=True, kw_only=True)
class Integer(Spec):
    """The position itself in every channel: its size grows without bound.

        PE(p)[c] = p

    Attributes:
        dim: Channels.
    """

    dim: int = width()

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return scheme_of(place=_real, embed=_filled(self.dim, 1.0), xp=xp)


@dataclass(frozen=True, kw_only=True)
class NormalizedInteger(Spec):
    """The position over the last one, in every channel: one step means less in a longer text.

        PE(p)[c] = p / (L - 1), and 0 for a text of one token

    Attributes:
        dim: Channels.
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

        PE(p)[j] = floor(p / 2^j) mod 2

    7 and 8 differ in four digits, 0 and 8 in one.

    Attributes:
        bits: Digits, and channels; 2^bits positions can be told apart.
    """

    bits: int = whole(at_least=1, at_most=30)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return _digits(self.bits, lambda p: p, xp)


@dataclass(frozen=True, kw_only=True)
class Gray(Spec):
    """The binary digits of p xor (p >> 1): neighbours differ in one digit, strangers may too.

    Attributes:
        bits: Digits, and channels; 2^bits positions can be told apart.

    References:
        Gray 1953, US patent 2632058.
    """

    bits: int = whole(at_least=1, at_most=30)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return _digits(self.bits, gray, xp)


@dataclass(frozen=True, kw_only=True)
class OneHot(Spec):
    """A channel per position: unique, and every two positions equally far apart.

        PE(p)[c] = 1 if c == p else 0

    Attributes:
        rows: Positions, and channels.
    """

    rows: int = whole(at_least=1, at_most=2**20)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return {"channels": np.arange(self.rows, dtype=np.int32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            check_range(positions, 0, self.rows - 1, f"one of its {self.rows} channels")
            channels = adopt(arrays["channels"], like=positions, xp=xp)
            hit = positions[..., None] == xp.astype(channels, positions.dtype)
            return _known(positions, xp.astype(hit, xp.float32), self.rows, xp=xp)

        return scheme_of(place=place, embed=_as_placed, whole=True, xp=xp)


def _real(positions: Array, *, xp: Namespace, float64: bool) -> Array:
    return xp.astype(positions, xp.float64 if float64 else xp.float32)


def _as_placed(code: Array, *, xp: Namespace) -> Array:
    return code


def _known(positions: Array, code: Array, count: int, *, xp: Namespace) -> Array:
    """NaN where no code exists: compiled code cannot refuse, and a wrong code would be fluent."""
    known = (positions >= 0) & (positions < count)
    return xp.where(known[..., None], code, xp.full_like(code, float("nan")))


def _filled(dim: int, over: float) -> Callable[..., Array]:
    def embed(values: Array, *, xp: Namespace) -> Array:
        # The sum is a new array; a broadcast one is a view that cannot be written.
        return xp.broadcast_to((values / over)[..., None], (*values.shape, dim)) + 0.0

    return embed


def _digits(count: int, code: Callable[[Array], Array], xp: Namespace | str | None) -> Scheme:
    def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
        check_range(positions, 0, 2**count - 1, f"what {count} bits can count")
        digits = xp.astype(bits(code(positions), count=count, xp=xp), xp.float32)
        return _known(positions, digits, 2**count, xp=xp)

    return scheme_of(place=place, embed=_as_placed, whole=True, xp=xp)
