"""ALiBi: a penalty that grows with distance, at a slope of its own in each head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._bias import alibi, alibi_slopes
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import Choice, Either, Number, Numbers, field, flag, whole
from posenc.specs._record import Spec

_SLOPES = Either(
    Choice(("reference", "geometric")), Numbers(Number(at_least=-1e6, at_most=1e6), at_most=2**14)
)


@dataclass(frozen=True, kw_only=True)
class Alibi(Spec):
    """Attention with linear biases: ``-m_h * (query - key)`` on the logits of head h.

    Attributes:
        heads: Attention heads of the whole model. A tensor-parallel rank takes its slice of the
            slopes of all heads, given as numbers.
        slopes: "reference" (the authors' rule, also BLOOM and MPT), "geometric" (2^(-8h/H) for
            every H, as some ports have it; the same for powers of two), or the numbers.
        symmetric: Penalise distance in both directions, for encoders.

    References:
        Press et al. 2021, arXiv:2108.12409, section 3.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    slopes: str | tuple[float, ...] = field(_SLOPES, "reference")
    symmetric: bool = flag(False)

    def check(self) -> None:
        if not isinstance(self.slopes, str):
            given = len(self.slopes)
            check(
                given == self.heads, "Alibi.slopes", f"of {self.heads} numbers, one a head", given
            )

    def head_slopes(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The slope of each head; float64."""
        if isinstance(self.slopes, str):
            return alibi_slopes(self.heads, self.slopes)
        return np.asarray(self.slopes)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return {"slopes": self.head_slopes().astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            reach = distance(q_positions, k_positions, xp=xp)
            return alibi(reach, arrays["slopes"], symmetric=self.symmetric, xp=xp)

        return scheme_of(bias=bias, xp=xp)
