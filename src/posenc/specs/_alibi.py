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
from posenc.specs._fields import (
    Choice,
    Either,
    Number,
    Numbers,
    Whole,
    field,
    flag,
    number,
    whole,
)
from posenc.specs._record import Spec

_SLOPES = Either(
    Choice(("reference", "geometric")), Numbers(Number(at_least=-1e6, at_most=1e6), at_most=2**14)
)


@dataclass(frozen=True, kw_only=True)
class Alibi(Spec):
    """Attention with linear biases: ``-m_h * (query - key)`` on the logits of head h.

    Attributes:
        heads: Attention heads of the whole model.
        slopes: "reference" (the authors' rule, also BLOOM and MPT), "geometric" (2^(-8h/H) for
            every H, as some ports have it; the same for powers of two), or the numbers.
        symmetric: Penalise distance in both directions, for encoders.
        bias_max: The exponent of the flattest slope, 2^-bias_max; MPT's ``alibi_bias_max``.
        head_dim: Falcon adds the bias before it scales logits: it is told the channels of a head,
            and the slopes are divided by their root. None: added after, as everyone else does.

    Where a library has 32-bit integers alone (JAX as it comes), distances of 2^31 and more count
    as 2^31 - 1, here and in every encoding that reads distances.

    A tensor-parallel rank holds some of the heads, and takes their slopes from those of all; made
    for its own number they would be others:

        mine = Alibi(heads=12).head_slopes()[4:8]
        spec = Alibi(heads=4, slopes=mine)

    References:
        Press et al. 2021, arXiv:2108.12409, section 3; transformers, ``build_mpt_alibi_tensor``
        and ``FalconAttention``.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    slopes: str | tuple[float, ...] = field(_SLOPES, "reference")
    symmetric: bool = flag(False)
    bias_max: float = number(8.0, above=0, at_most=64)
    head_dim: int | None = field(Whole(at_least=1, at_most=2**20, optional=True), None)

    def check(self) -> None:
        if isinstance(self.slopes, str):
            return
        given = len(self.slopes)
        check(given == self.heads, "Alibi.slopes", f"of {self.heads} numbers, one a head", given)
        hint = "It says how slopes are made, and these are given."
        check(self.bias_max == 8, "Alibi.bias_max", "left out", self.bias_max, hint)

    def head_slopes(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What each head loses per step, Falcon's scaling included; float64."""
        if isinstance(self.slopes, str):
            slopes = alibi_slopes(self.heads, self.slopes, bias_max=self.bias_max)
        else:
            slopes = np.asarray(self.slopes)
        return slopes if self.head_dim is None else slopes / np.sqrt(self.head_dim)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return {"slopes": self.head_slopes().astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            reach = distance(q_positions, k_positions, xp=xp)
            return alibi(reach, arrays["slopes"], symmetric=self.symmetric, xp=xp)

        return scheme_of(bias=bias, xp=xp)
