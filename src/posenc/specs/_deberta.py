"""DeBERTa's disentangled attention."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._relative import (
    deberta_bucket_table,
    deberta_rows,
    from_keys,
    from_queries,
)
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._distances import check_numbers, check_tokens_of
from posenc.specs._fields import flag, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Deberta(Spec):
    """Content meets distance from both sides, and the sum is scaled for its three terms.

        s(m, n) = (q_m . k_n + q_m . K[delta] + k_n . Q[delta]) / sqrt(3 head_dim)
        delta   = clip(m - n, -span, span - 1) + span

    ``K`` and ``Q`` are one table of distances after projections as for keys and as for queries.
    The projections stay the model's: the learned arrays ``keys`` and ``queries``, each
    ``(heads, 2 * span, head_dim)``, are the products. Under grouped queries the heads are those
    of q. The scale is ``head_dim ** -0.5`` of ``attend`` times a ``logit_scale`` of
    ``(1 + terms) ** -0.5``.

    The paper writes the last term with ``delta(n, m)``; the authors' code and its ports read
    ``delta(m, n)`` for both, and so do the weights that exist.

    Attributes:
        heads: Attention heads.
        head_dim: Channels of a head.
        span: Rows for each direction: ``max_relative_positions`` of v1 (its
            ``max_position_embeddings`` where that is -1), ``position_buckets`` of v2 and v3.
        max_distance: With it distances above ``span / 2`` share logarithmic buckets, up to this
            one, as in v2 and v3 (their ``max_relative_positions``, or
            ``max_position_embeddings``); None: a row per distance, as in v1. It is never the
            length of the text.
        c2p: Whether the term of queries and distances is there.
        p2c: Whether the term of keys and distances is there.

    References:
        He et al. 2020, arXiv:2006.03654, eqs. 3 and 4; He et al. 2021, arXiv:2111.09543, and the
        code of DeBERTa-v2 for the buckets.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    head_dim: int = width()
    span: int = whole(at_least=1, at_most=2**17)
    max_distance: int | None = whole(None, at_least=4, at_most=2**17, optional=True)
    c2p: bool = flag(True)
    p2c: bool = flag(True)

    def check(self) -> None:
        check(self.c2p or self.p2c, "Deberta.c2p or p2c", "True", (self.c2p, self.p2c))
        if self.max_distance is not None:
            sound = self.span % 2 == 0 and 4 <= self.span <= 1024
            hint = "Half of it is for near distances, half for buckets."
            check(sound, "Deberta.span", "even and from 4 to 1024", self.span, hint)
            least = self.span // 2 + 2
            where = "Deberta.max_distance"
            hint = "Nearer distances have a row each."
            check(self.max_distance >= least, where, f"at least {least}", self.max_distance, hint)
        check_numbers(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        shape = (self.heads, 2 * self.span, self.head_dim)
        sides = (("keys", self.c2p), ("queries", self.p2c))
        return {name: shape for name, there in sides if there}

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        if self.max_distance is None:
            return {}
        return {"bucket": deberta_bucket_table(self.span, self.max_distance)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            check_tokens_of(self, logits, q, k, self.head_dim, self.heads)
            apart = distance(q_at, k_at, xp=xp)
            row = deberta_rows(apart, span=self.span, table=arrays.get("bucket"), xp=xp)
            out = logits
            if self.c2p:
                out = out + from_queries(q, arrays["keys"], row, like=logits, xp=xp)
            if self.p2c:
                out = out + from_keys(k, arrays["queries"], row, like=logits, xp=xp)
            return out

        scale = (1 + self.c2p + self.p2c) ** -0.5
        return scheme_of(adjust=adjust, logit_scale=scale, whole=True, xp=xp)
