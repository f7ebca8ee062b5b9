"""The sinusoidal code of several coordinates: images, video, volumes, boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._angles import angles
from posenc.functional._grid import side_by_side
from posenc.functional._ladder import geometric, inclusive
from posenc.functional._turns import steps
from posenc.scheme import Scheme
from posenc.specs._fields import Number, Numbers, Whole, choice, field, number, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class GridSinusoidal(Spec):
    """The sinusoidal code of every coordinate of a position, one after the other.

        PE(p) = [PE_0(p_0), PE_1(p_1), ...]
        PE_a(c) = [sin(c s_a w), cos(c s_a w)],  w_i = base^(-2i / dims_a)

    Which coordinate is the first is said by the positions, as by
    ``posenc.positions.grid(h=..., w=..., order="wh")``: models differ in it, and a square grid
    hides the mistake.

    Attributes:
        dims: Channels of each coordinate, in the order of the coordinates; even.
        dim: Channels of the code; None: all of those.
        rest: What another ``dim`` than their sum means: "refuse"; "cut" drops the last channels;
            "zero" has zeros after them.
        base: The ratio that a ladder of frequencies spans.
        bases: The same for each coordinate, where they differ.
        scales: What each coordinate is multiplied by first; None: 1. DETR and boxes have 2 pi, on
            coordinates from 0 to 1; images larger than those in training have a fraction.
        ladder: "paper" has w_i = base^(-2i/d) of the d channels of a coordinate; "tensor2tensor"
            ends at exactly 1 / base.
        layout: Of a coordinate's channels: sine and cosine "interleaved", or each kind in one
            "half".
        halves: With layout "half", whether the kinds are apart within each "axis", or in "all"
            channels: the sines of every coordinate and then the cosines (timm).
        first: Which of the two comes first.

    References:
        He et al. 2021, arXiv:2111.06377, and its util/pos_embed.py; Carion et al. 2020,
        arXiv:2005.12872, appendix; tensor2tensor's ``get_timing_signal_nd`` and
        ``positional_encodings``.
    """

    dims: tuple[int, ...] = field(Numbers(Whole(at_least=2, at_most=2**20, even=True), 2, 8))
    dim: int | None = width(None, optional=True)
    rest: str = choice("refuse", "cut", "zero", default="refuse")
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    bases: tuple[float, ...] | None = field(
        Numbers(Number(at_least=1.01, at_most=1e12), 2, 8, optional=True), None
    )
    scales: tuple[float, ...] | None = field(
        Numbers(Number(above=0, at_most=1e6), 2, 8, optional=True), None
    )
    ladder: str = choice("paper", "tensor2tensor", default="paper")
    layout: Layout = choice("half", "interleaved", default="half")
    halves: str = choice("axis", "all", default="axis")
    first: str = choice("sin", "cos", default="sin")

    def check(self) -> None:
        self._check_dim()
        for name in ("bases", "scales"):
            given = getattr(self, name)
            one_each = given is None or len(given) == len(self.dims)
            must = f"{len(self.dims)} numbers, one a coordinate"
            check(one_each, f"GridSinusoidal.{name}", must, given and len(given))
        halved = self.layout == "half" or self.halves == "axis"
        check(halved, "GridSinusoidal.halves", "'axis' with layout 'interleaved'", self.halves)
        # One spelling for one thing.
        if self.bases:
            object.__setattr__(self, "base", self.bases[0])
            if len({*self.bases}) == 1:
                object.__setattr__(self, "bases", None)
        if self.scales and {*self.scales} == {1.0}:
            object.__setattr__(self, "scales", None)

    def _check_dim(self) -> None:
        total = sum(self.dims)
        if self.dim in (None, total):
            object.__setattr__(self, "dim", None)
            object.__setattr__(self, "rest", "refuse")
            return
        where, dim = "GridSinusoidal.dim", self.dim or 0
        hint = "Say what is done with the rest: rest='cut' or 'zero'."
        must = f"{total}, as dims have in all"
        check(self.rest != "refuse", where, must, dim, hint)
        if self.rest == "zero":
            check(dim > total, where, f"at least {total}, to have zeros after dims", dim)
            return
        check(dim < total, where, f"at most {total}, to be cut out of dims", dim)
        before = total - self.dims[-1]
        hint = "The last coordinate would be told by no channel."
        check(dim > before, where, f"above {before}", dim, hint)

    @property
    def coordinates(self) -> int:
        """How many numbers a position has."""
        return len(self.dims)

    def frequencies(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per unit of its coordinate, for each pair of channels; float64.

        In the order of ``axis()``: the coordinates one after the other, each fastest first.
        """
        bases = self.bases or (self.base,) * len(self.dims)
        scales = self.scales or (1.0,) * len(self.dims)
        each = zip(self.dims, bases, scales, strict=True)
        return np.concatenate([scale * self._ladder(d, base) for d, base, scale in each])

    def _ladder(self, dim: int, base: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return geometric(dim, base) if self.ladder == "paper" else inclusive(dim // 2, base)

    def axis(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The coordinate that each pair of channels reads."""
        return np.repeat(np.arange(len(self.dims)), [d // 2 for d in self.dims])

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        freqs, reads = self.frequencies(), {"axis": self.axis().astype(np.int32)}
        exact = arithmetic == "exact"
        return {**(steps(freqs) if exact else {"rates": freqs.astype(np.float32)}), **reads}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            return angles(positions, **arrays, xp=xp, float64=float64)

        def embed(ready: tuple[Array, Array], *, xp: Namespace) -> Array:
            return side_by_side(
                *ready,
                dims=self.dims if self.halves == "axis" else (sum(self.dims),),
                layout=self.layout,
                sin_first=self.first == "sin",
                dim=self.dim or sum(self.dims),
                xp=xp,
            )

        return scheme_of(place=place, embed=embed, coordinates=len(self.dims), xp=xp)
