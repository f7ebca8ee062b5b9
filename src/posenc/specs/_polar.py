"""PoPE: what and where apart, in the length and the angle of each channel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._arrays import adopt, clipped
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._angles import angles
from posenc.functional._ladder import geometric
from posenc.functional._polar import arrows, further
from posenc.functional._relative import per_query_head
from posenc.functional._turns import steps
from posenc.scheme import Scheme
from posenc.specs._fields import number, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Polar(Spec):
    """PoPE: every channel is an arrow, its length from the content, its angle from the position.

        logit = sum_c softplus(q_c) softplus(k_c) cos((m - n) w_c - delta_hc),
        w_c = base^(-c / dim), for a query at m and a key at n

    with a learned phase delta of each head and channel, kept between -2 pi and 0. Since q.k is
    replaced and not turned, this is an ``adjust``: queries and keys keep their width, and a cache
    holds keys as they are.

    Attributes:
        dim: Channels of the head.
        heads: Heads that have a phase: of queries, or of keys where several queries share one.
        base: The ratio that the ladder of frequencies, one for each channel, spans.

    References:
        Gopalakrishnan et al. 2025, arXiv:2509.10534, section 3.
    """

    dim: int = width()
    heads: int = whole(at_least=1, at_most=2**14)
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)

    def frequencies(self, length: int | None = None) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Radians per position of each channel, fastest first; float64, shape (dim,)."""
        return geometric(2 * self.dim, self.base)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"phase": (self.heads, self.dim)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """Zeros: a key is where it stands."""
        return {"phase": np.zeros((self.heads, self.dim), np.float32)}

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        if arithmetic == "exact":
            return steps(self.frequencies())
        return {"rates": self.frequencies().astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        turns = {name: array for name, array in arrays.items() if name != "phase"}

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            cos, sin = angles(positions, **turns, xp=xp, float64=float64)
            return cos[..., None, :, :], sin[..., None, :, :]

        def adjust(
            logits: Array, q: Array, k: Array, q_ready: Any, k_ready: Any, *, xp: Namespace
        ) -> Array:
            sizes, channels = (q.shape[-3], k.shape[-3]), k.shape[-1]
            must = f"of {self.heads} heads, or q where they share one"
            # Not ``in``: a compiler that holds sizes open compares them by what they are.
            known = self.heads == sizes[0] or self.heads == sizes[1]
            check(known, "Polar: k", must, sizes[1])
            check(channels == self.dim, "Polar: k", f"of {self.dim} channels, its dim", channels)
            if self.heads != sizes[1]:
                k = per_query_head(k, sizes[0], xp=xp)
            cos, sin = k_ready
            phase = xp.astype(adopt(arrays["phase"], like=k, xp=xp), cos.dtype, copy=False)
            phase = clipped(phase, -math.tau, 0.0, xp=xp)
            keys = arrows(k, *further(cos, sin, phase[:, None, :], xp=xp), xp=xp)
            queries = arrows(q, *q_ready, xp=xp)
            keys = per_query_head(keys, sizes[0], xp=xp)
            return xp.astype(queries @ xp.matrix_transpose(keys), logits.dtype, copy=False)

        return scheme_of(place=place, adjust=adjust, xp=xp)
