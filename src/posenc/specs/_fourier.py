"""Fourier features: waves of every coordinate, at frequencies that the fields fix."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional import _ladder
from posenc.functional._fourier import ORDERS, ordered, points_of
from posenc.functional._turns import steps
from posenc.kernels import angles
from posenc.scheme import Scheme
from posenc.specs._fields import Number, Numbers, choice, field, flag, number, whole, width
from posenc.specs._record import Spec

_UNITS = {"radians": 1.0, "half-turns": math.pi, "turns": math.tau}
_LEAST, _MOST = 1e-9, 2.0**24


@dataclass(frozen=True)
class _OneOrEach(Numbers):
    """A number for each coordinate, or one for all."""

    def value(self, where: str, value: Any) -> tuple[Any, ...]:
        one = isinstance(value, numbers.Real) or getattr(value, "ndim", None) == 0
        return super().value(where, [value] if one else value)


@dataclass(frozen=True, kw_only=True)
class Fourier(Spec):
    """Sines and cosines of real coordinates, at bands of frequencies between two given ones.

        angle = unit * w_k * x[a],  w from start to stop,  unit = 1, pi or 2 pi

    Of points in space, pixels, boxes; with one coordinate, of time. The code of integers is exact
    too, but says little where bands are whole turns: coordinates from -1 to 1, or from 0 to 1, are
    what they are made for.

    Attributes:
        bands: Frequencies of each coordinate.
        coordinates: How many numbers a position has; several are on its last axis.
        start: The first frequency, in units per coordinate.
        stop: Where they end; a number, or one for each coordinate. Below ``start`` they fall.
            None doubles them from band to band.
        spacing: "geometric" in equal ratios and "linear" in equal steps, both to ``stop`` itself;
            "open" in equal ratios, of which one more would lead to ``stop``.
        unit: What frequencies are counted in: "radians", "half-turns" (times pi) or "turns"
            (times 2 pi).
        order: What changes slowest along the channels, what fastest.
        first: Which of the two waves comes first.
        identity: Whether the coordinates themselves come before the waves.

    References:
        Mildenhall et al. 2020, arXiv:2003.08934, eq. 4, and its code; Jaegle et al. 2021,
        arXiv:2103.03206, section 3.2; ``get_fourier_embeds_from_boundingbox`` of diffusers.
    """

    bands: int = width(at_most=2**16)
    coordinates: int = whole(1, at_least=1, at_most=8)
    start: float = number(1.0, at_least=_LEAST, at_most=_MOST)
    stop: tuple[float, ...] | None = field(
        _OneOrEach(Number(at_least=_LEAST, at_most=_MOST), 1, 8, optional=True), None
    )
    spacing: str = choice("geometric", "open", "linear", default="geometric")
    unit: str = choice("radians", "half-turns", "turns", default="radians")
    order: str = choice(*ORDERS, default="wave-coordinate-band")
    first: str = choice("sin", "cos", default="sin")
    identity: bool = flag(False)

    def check(self) -> None:
        if self.stop is None:
            must = "'geometric' where each band doubles the one before"
            check(self.spacing == "geometric", "Fourier.spacing", must, self.spacing)
            must = f"few enough to double from {self.start} to at most {_MOST:.0f}"
            fits = math.log2(self.start) + self.bands - 1 <= math.log2(_MOST)
            check(fits, "Fourier.bands", must, self.bands)
            return
        must = f"one number, or {self.coordinates}, one a coordinate"
        check(len(self.stop) in (1, self.coordinates), "Fourier.stop", must, self.stop)
        if len({*self.stop}) == 1:  # one spelling for one thing
            object.__setattr__(self, "stop", self.stop[:1])

    @property
    def dim(self) -> int:
        """Channels of the code."""
        return self.coordinates * (2 * self.bands + self.identity)

    def frequencies(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per unit of each coordinate and band, the bands of a coordinate together."""
        if self.stop is None:
            each = [_ladder.octaves(self.bands, self.start)] * self.coordinates
        else:
            stops = self.stop * (self.coordinates // len(self.stop))
            each = [_ladder.between(self.bands, self.start, s, spacing=self.spacing) for s in stops]
        return np.concatenate(each) * _UNITS[self.unit]

    def axis(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The coordinate that each frequency reads."""
        return np.repeat(np.arange(self.coordinates), self.bands)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        reads = {} if self.coordinates == 1 else {"axis": self.axis().astype(np.int32)}
        freqs = self.frequencies()
        if arithmetic == "exact":
            return {**steps(freqs), **reads}
        return {"rates": freqs.astype(np.float32), **reads}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            waves = angles(positions, **arrays, xp=xp, float64=float64)
            sin_first, count = self.first == "sin", self.coordinates
            code = ordered(*waves, coordinates=count, order=self.order, sin_first=sin_first, xp=xp)
            if not self.identity:
                return code
            points = points_of(positions, coordinates=count, real=code.dtype, xp=xp)
            return xp.concat([points, code], axis=-1)

        return scheme_of(
            place=place, embed=lambda code, *, xp: code, coordinates=self.coordinates, xp=xp
        )
