"""TUPE: positions attend to positions, apart from words."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._arrays import swapped
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._additive import rows
from posenc.functional._relative import in_kind
from posenc.scheme import Scheme
from posenc.specs._distances import check_numbers, check_tokens_of
from posenc.specs._fields import flag, whole, width
from posenc.specs._record import Spec
from posenc.specs._table import check_range


@dataclass(frozen=True, kw_only=True)
class Tupe(Spec):
    """Untied absolute positions: their own queries and keys, summed with those of words.

        s(m, n) = (q_m . k_n + a_m . b_n) / sqrt(2 head_dim)

    ``a`` and ``b`` are one table of positions after two projections, which stay the model's: the
    learned arrays ``queries`` and ``keys``, ``(heads, rows, head_dim)``, are the products. With
    ``untied``, position 0 is a token for the whole text: what it gives to others, and what others
    give to it, are two learned numbers a head in place of the second term, ``cls`` of shape
    ``(2, heads)``. They are added as they are, for the usual scale of ``head_dim ** -0.5``.

    Attributes:
        heads: Attention heads.
        head_dim: Channels of a head.
        rows: Positions that have a row.
        untied: Whether position 0 is untied from the rest.

    References:
        Ke et al. 2020, arXiv:2006.15595, eqs. 7 and 9.
    """

    relative = False

    heads: int = whole(at_least=1, at_most=2**14)
    head_dim: int = width()
    rows: int = whole(at_least=1, at_most=2**20)
    untied: bool = flag(True)

    def check(self) -> None:
        check_numbers(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        shape = (self.heads, self.rows, self.head_dim)
        return {"queries": shape, "keys": shape} | ({"cls": (2, self.heads)} if self.untied else {})

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def place(positions: Array, *, xp: Namespace, float64: bool) -> Array:
            what = "the rows of the table"
            check_range(positions, 0, self.rows - 1, what, where="Tupe: positions")
            return positions

        def of_each(name: str, at: Array, like: Array, xp: Namespace) -> Array:
            """Rows ``(*batch, heads, n, head_dim)``."""
            table = swapped(in_kind(arrays[name], like, xp=xp), 0, 1, xp=xp)
            return swapped(rows(table, at, xp=xp), -2, -3, xp=xp)

        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            check_tokens_of(self, logits, q, k, self.head_dim, self.heads)
            keys = xp.matrix_transpose(of_each("keys", k_at, logits, xp))
            term = of_each("queries", q_at, logits, xp) @ keys
            if self.untied:
                theta = in_kind(arrays["cls"], logits, xp=xp)[:, :, None, None]
                theta = theta * (2 * self.head_dim) ** 0.5  # logits are scaled after this
                given, taken = (xp.broadcast_to(theta[i, ...], term.shape) for i in (0, 1))
                first_q, first_k = q_at[..., None, :, None] == 0, k_at[..., None, None, :] == 0
                term = xp.where(first_q, given, xp.where(first_k, taken, term))
            return logits + term

        return scheme_of(place=place, adjust=adjust, logit_scale=2**-0.5, whole=True, xp=xp)
