"""Waves at frequencies that are drawn or learned: random Fourier features, Time2Vec."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt, is_host
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._additive import waves
from posenc.functional._fourier import points_of, shifted, swung, turned
from posenc.scheme import Scheme
from posenc.specs._fields import choice, flag, number, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class RandomFourier(Spec):
    """Sines and cosines of random directions in the space of coordinates.

        [sin(2 pi x W), cos(2 pi x W)],  W normal with deviation sigma

    ``frequencies`` is W, turns per unit, ``(coordinates, dim / 2)``: the checkpoint's
    ``positional_embedding`` or ``positional_encoding_gaussian_matrix`` (SAM), ``W`` or ``weight``
    (score models). A model that takes the logarithm of a noise level first has logarithms for
    positions: ``embed(log(sigma))``. Pixels of SAM are ``(p + 0.5) / size``, from 0 to 1.

    Angles are products in floating point, not exact. In float32 what is off grows with the turns
    x W of each coordinate, by 4e-7 a turn; on the host it is 3e-7 up to 1e7 turns.

    Attributes:
        dim: Channels.
        coordinates: How many numbers a position has; several are on its last axis.
        sigma: The deviation that W is drawn with: how fine a detail shows.
        waves: "sin-cos" or "cos-sin", one half each; "cos" is cos(2 pi (x W + b)) alone, with
            ``phases`` b beside a W of ``dim`` columns.
        centered: Coordinates from 0 to 1 are spread to -1 to 1 first, as SAM does.
        trained: Whether W (and b) are learned and not only kept; that alone tells
            ``parameters()``.

    References:
        Tancik et al. 2020, arXiv:2006.10739; Song et al. 2020, arXiv:2011.13456, and its code;
        ``PositionEmbeddingRandom`` of segment-anything; Abramson et al. 2024, AlphaFold 3,
        supplement, algorithm 22.
    """

    dim: int = width(at_least=2, even=True)
    coordinates: int = whole(1, at_least=1, at_most=8)
    sigma: float = number(1.0, above=0.0, at_most=1e6)
    waves: str = choice("sin-cos", "cos-sin", "cos", default="sin-cos")
    centered: bool = flag(False)
    trained: bool = flag(False)

    def learned(self) -> dict[str, tuple[int, ...]]:
        if self.waves == "cos":
            return {"frequencies": (self.coordinates, self.dim), "phases": (self.dim,)}
        return {"frequencies": (self.coordinates, self.dim // 2)}

    def parameters(self) -> int:
        """None unless trained: the arrays are given like learned ones, and only kept."""
        return super().parameters() if self.trained else 0

    def init(self, rng: np.random.Generator) -> Arrays:
        """Normal draws, float32: frequencies with deviation ``sigma``, phases with 1."""
        spread = {"frequencies": self.sigma, "phases": 1.0}
        return {
            name: rng.normal(0.0, spread[name], shape).astype(np.float32)
            for name, shape in self.learned().items()
        }

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        frequencies, phases = arrays["frequencies"], arrays.get("phases")

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            wide = xp.float64 if float64 or is_host(xp) else xp.float32
            points = points_of(positions, coordinates=self.coordinates, real=wide, xp=xp)
            if self.centered:
                points = 2 * points - 1
            return turned(points, frequencies, xp=xp, float64=float64)

        def embed(ready: tuple[Array, Array], *, xp: Namespace) -> Array:
            if phases is not None:
                return shifted(*ready, phases * math.tau, xp=xp)[0]
            sin_first = self.waves == "sin-cos"
            return waves(*ready, layout="half", sin_first=sin_first, dim=self.dim, xp=xp)

        return scheme_of(place=place, embed=embed, coordinates=self.coordinates, xp=xp)


@dataclass(frozen=True, kw_only=True)
class Time2Vec(Spec):
    """One linear function of time and waves of learned frequency and phase.

        PE(t)[0] = w_0 t + b_0,  PE(t)[i] = sin(w_i t + b_i)

    ``frequencies`` w is in radians per unit of time. Angles are products in floating point, not
    exact. In float32 what is off grows with them, by 1.2e-7 of their size; on the host it is 3e-7
    up to 1e7 radians.

    Attributes:
        dim: Channels, of which the first is the linear one.

    References:
        Kazemi et al. 2019, arXiv:1907.05321, eq. 1.
    """

    dim: int = width(at_least=2)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"frequencies": (self.dim,), "phases": (self.dim,)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """Normal draws of deviation 1, float32; the paper names none."""
        return {
            name: rng.normal(0.0, 1.0, shape).astype(np.float32)
            for name, shape in self.learned().items()
        }

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        frequencies, phases = arrays["frequencies"], arrays["phases"]

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array, Array]:
            wide = xp.float64 if float64 or is_host(xp) else xp.float32
            times = points_of(positions, coordinates=1, real=wide, xp=xp)
            return swung(times, frequencies, xp=xp, float64=float64)

        def embed(ready: tuple[Array, Array, Array], *, xp: Namespace) -> Array:
            angle, cos, sin = ready
            first = xp.astype(adopt(phases, like=angle, xp=xp)[:1], angle.dtype, copy=False)
            _, sines = shifted(cos, sin, phases, xp=xp)
            return xp.concat([angle[..., :1] + first, sines[..., 1:]], axis=-1)

        return scheme_of(place=place, embed=embed, xp=xp)
