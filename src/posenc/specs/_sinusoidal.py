"""The sinusoidal code, in every convention that shipped models use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import adopt
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._additive import waves
from posenc.functional._ladder import geometric, inclusive
from posenc.functional._turns import turns_per_position
from posenc.kernels import angles
from posenc.scheme import Scheme
from posenc.specs._fields import Number, choice, flag, number, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Sinusoidal(Spec):
    """Sines and cosines of the position at geometrically spaced frequencies.

        PE(p)[2i] = sin(p w_i),  PE(p)[2i + 1] = cos(p w_i),  w_i = base^(-2i / dim)

    Attributes:
        dim: Channels.
        base: The ratio that the ladder of frequencies spans.
        ladder: "paper" has w_i = base^(-2i/dim); "tensor2tensor" (also fairseq, Whisper) ends at
            exactly 1 / base.
        layout: Sine and cosine "interleaved", or each kind in one "half".
        first: Which of the two comes first.
        odd: What an odd ``dim`` means: "refuse"; "cut" drops the last cosine; "ceil" is the code
            of dim + 1, cut; "zero" pads the code of dim - 1.
        scale: Multiplies the whole code.
        trained: Whether ``scale`` is a learned number that starts from this one.

    References:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5; tensor2tensor's common_attention.py;
        Li et al. 2018, arXiv:1809.08895, section 3.2, for the learned scale.
    """

    dim: int = width()
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    ladder: str = choice("paper", "tensor2tensor", default="paper")
    layout: Layout = choice("half", "interleaved", default="interleaved")
    first: str = choice("sin", "cos", default="sin")
    odd: str = choice("refuse", "zero", "cut", "ceil", default="refuse")
    scale: float = number(1.0, at_least=-1e6, at_most=1e6)
    trained: bool = flag(False)

    def check(self) -> None:
        even = self.dim % 2 == 0
        hint = "Say what an odd width means: odd='cut', 'ceil' or 'zero'."
        check(even or self.odd != "refuse", "Sinusoidal.dim", "even", self.dim, hint)
        check(self.dim >= 2 or self.odd != "zero", "Sinusoidal.dim", "at least 2", self.dim)

    def frequencies(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per position of each pair, fastest first; float64."""
        whole = {"refuse": self.dim, "cut": self.dim, "zero": self.dim // 2 * 2}
        span = whole.get(self.odd, self.dim + self.dim % 2)
        pairs = (span + 1) // 2
        if self.ladder == "paper":
            return geometric(span, self.base, pairs=pairs)
        return inclusive(pairs, self.base)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"scale": (1,)} if self.trained else {}

    def init(self, rng: np.random.Generator) -> Arrays:
        """``scale`` as it is given, float32."""
        return {name: np.full(n, self.scale, np.float32) for name, n in self.learned().items()}

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        freqs = self.frequencies()
        exact = arithmetic == "exact"
        return {"rates": turns_per_position(freqs) if exact else freqs.astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            return angles(positions, arrays["rates"], xp=xp, float64=float64)

        def embed(ready: tuple[Array, Array], *, xp: Namespace) -> Array:
            sin_first = self.first == "sin"
            code = waves(*ready, layout=self.layout, sin_first=sin_first, dim=self.dim, xp=xp)
            if self.trained:
                return code * xp.astype(adopt(arrays["scale"], like=code, xp=xp), code.dtype)
            return code if self.scale == 1 else code * self.scale

        return scheme_of(place=place, embed=embed, xp=xp)

    def shift(self, k: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The matrix M with ``M @ PE(p) == PE(p + k)`` for every p; float64, (dim, dim).

        A block per pair that turns it by k w_i: orthogonal, of determinant 1, independent of p.

        Raises:
            EncodingError: For an odd ``dim``, whose last sine has no cosine to turn with.
        """
        check(self.dim % 2 == 0, "Sinusoidal.shift(): dim", "even", self.dim)
        k = Number(at_least=-(2**62), at_most=2**62).read("Sinusoidal.shift(): k", k)
        rates = turns_per_position(self.frequencies())
        cos, sin = angles(np.asarray([k]), rates, xp=np, float64=True)
        # Columns of the identity in this layout: where each pair keeps its sine and its cosine.
        place = np.arange(self.dim)
        s, c = place.reshape(-1, 2).T if self.layout == "interleaved" else place.reshape(2, -1)
        if self.first == "cos":
            s, c = c, s
        matrix = np.zeros((self.dim, self.dim))
        matrix[s, s], matrix[s, c] = cos[0], sin[0]
        matrix[c, s], matrix[c, c] = -sin[0], cos[0]
        return matrix
