"""No positional encoding, which is a competitor like any other."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._hooks import scheme_of
from posenc._typing import Arrays, Namespace
from posenc.scheme import Scheme
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class NoPE(Spec):
    """No positions at all: attention sees a set, or with a causal mask the length of a prefix.

    References:
        Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466.
    """

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return scheme_of(xp=xp)
