"""A learned vector per distance that meets the query: Shaw's, and the Music Transformer's."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._relative import from_keys, from_queries
from posenc.scheme import Scheme
from posenc.specs._distances import check_numbers, check_tokens_of, own_row
from posenc.specs._fields import choice, flag, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Shaw(Spec):
    """A learned vector for each distance, added to the key as its query sees it.

        s(m, n) = q_m . (k_n + a[row(n - m)]) / sqrt(head_dim)
        row(r)  = left + clip(r, -left, right)

    With ``clip=False``, ``right=0`` and a table as long as the text it is the Music Transformer's,
    whose "skewing" reads the same numbers off by moving memory about. Shaw's second table, added
    to the values, is no part of this: it acts on the output, for which a layer has no hook; add
    ``weights @ b[row]`` yourself.

    The learned array is ``table``, ``(left + right + 1, head_dim)``, or one for each of the
    ``heads``. Under grouped queries the heads are those of q.

    Attributes:
        head_dim: Channels of a head.
        left: How far back a key has a row of its own.
        right: How far ahead. 0 is for causal attention: later keys, which its mask hides, read
            what the query's own position reads.
        heads: Heads that have a table each; None: all share one.
        clip: Farther keys share the outermost row. Otherwise they are refused, and NaN in compiled
            code, where distances cannot be looked at.
        order: "key-query" numbers rows from the farthest key before the query to the farthest
            after it, "query-key" the other way round, as SpeechT5 and BERT had it. The same
            encoding; it says which row of a checkpoint is which.
        keys: Also add ``k_n . a[row]``: BERT's "relative_key_query".

    References:
        Shaw et al. 2018, arXiv:1803.02155, eqs. 3 and 4; Huang et al. 2018, arXiv:1809.04281,
        section 3.4; Huang et al. 2020, arXiv:2009.13658, method 4.
    """

    head_dim: int = width()
    left: int = whole(at_least=0, at_most=2**20)
    right: int = whole(at_least=0, at_most=2**20)
    heads: int | None = whole(None, at_least=1, at_most=2**14, optional=True)
    clip: bool = flag(True)
    order: str = choice("key-query", "query-key", default="key-query")
    keys: bool = flag(False)

    def check(self) -> None:
        check_numbers(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        each = (self.heads,) if self.heads else ()
        return {"table": (*each, self.left + self.right + 1, self.head_dim)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            check_tokens_of(self, logits, q, k, self.head_dim, self.heads)
            row = own_row(self, q_at, k_at, xp=xp)
            if self.order == "query-key":
                row = self.left + self.right - row
            table = arrays["table"]
            out = logits + from_queries(q, table, row, like=logits, xp=xp)
            return out + from_keys(k, table, row, like=logits, xp=xp) if self.keys else out

        return scheme_of(adjust=adjust, whole=True, xp=xp)
