"""KERPLE: a learned kernel of the distance in each head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt, widened
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._curves import kerple, within
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import choice, whole
from posenc.specs._record import Spec

_LEAST = 0.01  # below it the reference keeps neither number


@dataclass(frozen=True, kw_only=True)
class Kerple(Spec):
    """A conditionally positive definite kernel of the distance, two learned numbers a head.

        log:    -p ln(1 + a abs(m - n))
        power:  -a abs(m - n)^p

    The learned arrays are ``p`` and ``a``, ``(heads,)`` each. They count as at least 0.01, and
    ``p`` of the power as at most 2, as the reference clamps them at every step of training.

    Attributes:
        heads: Attention heads.
        form: "log", which the paper recommends, or "power".

    References:
        Chi et al. 2022, arXiv:2205.09921, section 4; the authors' ``ParallelKerpleLog`` and
        ``ParallelKerplePower``.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    form: str = choice("log", "power", default="log")

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"p": (self.heads,), "a": (self.heads,)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """``p`` drawn evenly from 0 to 2, ``a`` from 0 to 1, as the reference does; float32."""
        tops = {"p": 2.0, "a": 1.0}
        return {n: rng.uniform(0, top, self.heads).astype(np.float32) for n, top in tops.items()}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        tops = {"p": 2.0 if self.form == "power" else None, "a": None}

        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            kept = {}
            for name, top in tops.items():
                given = widened(adopt(arrays[name], like=q_positions, xp=xp), xp)
                kept[name] = within(given, _LEAST, top, xp=xp)
            reach = distance(q_positions, k_positions, xp=xp)
            return kerple(reach, kept["p"], kept["a"], form=self.form, xp=xp)

        return scheme_of(bias=bias, xp=xp)
