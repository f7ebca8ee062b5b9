"""xPos: rotation, and on top of it a decay of scores with distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import dtype_name, is_host
from posenc._hooks import scheme_of
from posenc._tokens import over_heads
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._ladder import geometric, rounded
from posenc.functional._turns import steps
from posenc.functional._xpos import bounded, growth, zetas
from posenc.kernels import angles, rotate
from posenc.scheme import Scheme
from posenc.specs._fields import field, number, whole, width
from posenc.specs._record import Spec
from posenc.specs._rope import LayoutRule

_DOUBLINGS = {"float16": 8}  # of a channel, or halvings: half of the exponent is for the tokens
_ELSEWHERE = 64


@dataclass(frozen=True, kw_only=True)
class XPos(Spec):
    """Rotary encoding whose scores also shrink with distance, slow pairs least.

        query: turned by p w_i, times z_i^((p - centre) / scale_base)
        key:   turned by p w_i, times z_i^((centre - p) / scale_base)
        z_i = (2i / dim + gamma) / (1 + gamma)

    so that a pair's part of a score is z_i^(distance / scale_base) of what it is under rotation.
    It is made for causal attention: towards later keys scores grow.

    Factors cancel in scores alone. A query far from the centre is small and its key large, so
    positions are bounded: within 64 doublings of the fastest pair, which is 18 130 tokens
    from the centre at the usual numbers; of float16 tokens within 8, 2 266 tokens.

    Attributes:
        dim: Channels of the head; all turn.
        layout: "half" or "interleaved"; see ``Rope``.
        centre: The position whose factors are 1, such as half of the longest text. Scores do not
            depend on it.
        base: The ratio that the ladder of frequencies spans.
        scale_base: Tokens in which a pair shrinks by z_i.
        gamma: How far z of the fastest pair is from 0.

    References:
        Sun et al. 2022, arXiv:2212.10554, section 3.2 and algorithm 1.
    """

    dim: int = width(at_least=2, even=True)
    layout: Layout = field(LayoutRule())
    centre: int = whole(at_least=-(2**30), at_most=2**30)
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    scale_base: float = number(512.0, at_least=1, at_most=1e6)
    gamma: float = number(0.4, at_least=1e-3, at_most=1e3)

    def frequencies(self, length: int | None = None) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per position of each pair, fastest first; float64, shape (dim / 2,)."""
        return geometric(self.dim, self.base)

    def decay(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What a pair's part of a score is multiplied by per token of distance, its logarithm."""
        return np.asarray(np.log(zetas(self.dim, self.gamma)) / self.scale_base)

    def reach(self, doublings: int = _ELSEWHERE) -> int:
        """Tokens from the centre at which the fastest pair has doubled or halved so often."""
        return math.floor(doublings * math.log(2) / -float(self.decay()[0]))

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        if arithmetic == "exact":
            turns = steps(self.frequencies())
        else:
            turns = {"rates": rounded(self.dim, self.base).astype(np.float32)}
        return {**turns, "decay": self.decay().astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        turns = {name: array for name, array in arrays.items() if name != "decay"}

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, ...]:
            cos, sin = angles(positions, **turns, xp=xp, float64=float64)
            apart = positions - self.centre
            decay = self.decay() if is_host(xp) else arrays["decay"]
            scale = growth(apart, decay, xp=xp, float64=float64)
            return (
                cos,
                sin,
                bounded(scale, apart, self.reach(), what=f"{self.centre}", xp=xp),
                apart,
            )

        def turn(
            x: Array, ready: tuple[Array, ...], sign: int, xp: Namespace, head_axis: int | None
        ) -> Array:
            channels = x.shape[-1]
            check(channels == self.dim, "XPos: x", f"of {self.dim} channels, its dim", channels)
            cos, sin, scale, apart = ready
            kind = dtype_name(x)
            if kind in _DOUBLINGS:
                what = f"{self.centre} in {kind}"
                scale = bounded(scale, apart, self.reach(_DOUBLINGS[kind]), what=what, xp=xp)
            scale = scale if sign > 0 else 1 / scale
            cos, sin = (over_heads(t * scale, head_axis=head_axis, xp=xp) for t in (cos, sin))
            return rotate(x, cos, sin, layout=self.layout, xp=xp)

        def query(x: Array, ready: Any, *, xp: Namespace, head_axis: int | None) -> Array:
            return turn(x, ready, 1, xp, head_axis)

        def key(x: Array, ready: Any, *, xp: Namespace, head_axis: int | None) -> Array:
            return turn(x, ready, -1, xp, head_axis)

        return scheme_of(place=place, query=query, key=key, xp=xp)
