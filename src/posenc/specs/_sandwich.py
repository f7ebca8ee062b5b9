"""Sandwich: the inner products of sinusoidal codes as a bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import adopt, is_host, undisturbed
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.functional._curves import sandwich, sandwich_scales
from posenc.functional._turns import turns_per_position
from posenc.kernels import angles
from posenc.scheme import Scheme
from posenc.specs._fields import number, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Sandwich(Spec):
    """What sinusoidal codes say of the distance between two tokens, and nothing else of them.

        (sum_{j=1}^{d/2} cos((m - n) base^(-2j/d)) - d/2) / (8 h / H)

    The sum starts at j = 1, where a sinusoidal code starts at 0, and is 0 at the token itself. It
    is the product of two codes: in float32 each cosine is right to about 5e-7.

    Attributes:
        heads: Attention heads.
        dim: Channels of the codes: those of a head in NeMo, 128 in the paper.
        base: Ratio of the geometric ladder of frequencies.

    References:
        Chi et al. 2022, arXiv:2212.10356, section 5; NeMo, ``SandwichRelativePositionEmbedding``.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    dim: int = width(even=True, at_least=2)
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)

    def frequencies(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per step of distance of each cosine; float64."""
        return np.asarray(self.base ** -(np.arange(2, self.dim + 1, 2) / self.dim))

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        freqs = self.frequencies()
        exact = arithmetic == "exact"
        rates = turns_per_position(freqs) if exact else freqs.astype(np.float32)
        return {"rates": rates, "scales": sandwich_scales(self.heads).astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            # On the host float64 costs nothing, and a sum of many products of rounded waves would
            # be some last bits off where it should be 0.
            return angles(positions, arrays["rates"], xp=xp, float64=float64 or is_host(xp))

        def bias(q: tuple[Array, Array], k: tuple[Array, Array], *, xp: Namespace) -> Array:
            scales = adopt(arrays["scales"], like=q[0], xp=xp)
            with undisturbed(q[0]):
                return sandwich(q, k, xp.astype(scales, q[0].dtype), xp=xp)

        return scheme_of(place=place, bias=bias, xp=xp)
