"""A vector per distance along each axis of a grid: MViTv2, ViTDet, SAM."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._relative import from_queries
from posenc.scheme import Scheme
from posenc.specs._distances import check_numbers, check_tokens_of, row_for
from posenc.specs._fields import Numbers, Whole, field, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Decomposed(Spec):
    """A learned vector for each distance along each axis, which meets the query as it is.

        s(m, n) = q_m . k_n / sqrt(head_dim) + sum over axes a of q_m . R_a[m_a - n_a + size_a - 1]

    The query in the sum is not scaled. Logits here are, after this term, so it is given the
    inverse of the usual scale: leave ``scale`` of ``attend`` at ``head_dim ** -0.5``.

    The learned arrays are ``axis0``, ``axis1``, ..., each ``(2 * size - 1, head_dim)`` and shared
    by all heads; axis 0 is the first coordinate of a position: it takes ``rel_pos_h`` where
    positions are ``positions.grid(h=..., w=..., order="hw")``.

    Where keys are pooled by r along an axis, MViTv2 and ViTDet mean key i to be at r i + r - 1 on
    the grid of the queries; where queries are pooled, query i is at r i and keys stay.

    Attributes:
        head_dim: Channels of a head.
        sizes: How many cells the grid has along each axis, the larger of queries and keys.

    References:
        Li et al. 2021, arXiv:2112.01526, eq. 4, and its code; Li et al. 2022, arXiv:2203.16527;
        Kirillov et al. 2023, arXiv:2304.02643.
    """

    head_dim: int = width()
    sizes: tuple[int, ...] = field(Numbers(Whole(at_least=1, at_most=2**16), 2, 8))

    def check(self) -> None:
        check_numbers(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {f"axis{a}": (2 * size - 1, self.head_dim) for a, size in enumerate(self.sizes)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            check_tokens_of(self, logits, q, k, self.head_dim)
            out = logits
            for a, size in enumerate(self.sizes):
                far = size - 1
                at = q_at[..., a], k_at[..., a]
                row = row_for(self, *at, left=far, right=far, clip=False, hidden=False, xp=xp)
                row = 2 * far - row  # numbered by query minus key
                term = from_queries(q, arrays[f"axis{a}"], row, like=logits, xp=xp)
                out = out + term * self.head_dim**0.5
            return out

        return scheme_of(adjust=adjust, whole=True, coordinates=len(self.sizes), xp=xp)
