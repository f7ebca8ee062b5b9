"""Transformer-XL's relative attention, and that of XLNet and of Conformers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._relative import from_queries, in_kind, per_query_head
from posenc.scheme import Scheme
from posenc.specs._distances import check_numbers, check_tokens_of, own_row
from posenc.specs._fields import flag, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class TransformerXL(Spec):
    """Content and distance each meet the query, and each a learned vector in its place.

        s(m, n) = ((q_m + u) . k_n + (q_m + v) . R[m - n]) / sqrt(head_dim)

    ``R`` is a code of the distance after the layer's own projection. The projection stays the
    model's: the learned array ``table``, ``(heads, left + right + 1, head_dim)``, is its product,
    for the distances that ``distances()`` lists in the order of the rows:

        code  = bind(Sinusoidal(dim=D, layout="half")).embed(spec.distances())
        table = (code @ W_R).reshape(-1, heads, head_dim).transpose(1, 0, 2)

    Conformers take the code in the "interleaved" layout. The rows descend from the farthest key
    before the query to the farthest after it, as in all of them, and are read off by number:
    "rel_shift" does the same by moving memory about, and leaves garbage where a causal mask has
    to hide it. Enformer's basis functions are another code to put in ``table``.

    Funnel's are the same numbers in both of its forms, with pooled tokens at the position of the
    first of each two. Its class token has no term of distance: under ``clip``, with the outermost
    rows of ``table`` zero, it is at 2**20 as a query and at -2**20 as a key.

    The arrays ``u`` and ``v`` are ``(heads, head_dim)``; under grouped queries the heads are those
    of q. The segment term of XLNet and Funnel depends on no position and is left to the model.

    Attributes:
        heads: Attention heads.
        head_dim: Channels of a head.
        left: How far back a key has a row.
        right: How far ahead. 0 is for causal attention: later keys, which its mask hides, read
            what the query's own position reads.
        clip: Farther keys share the outermost row, which is what ``clamp_len`` makes of the code.
            Otherwise they are refused, and NaN in compiled code.

    References:
        Dai et al. 2019, arXiv:1901.02860, section 3.3 and appendix B; Yang et al. 2019,
        arXiv:1906.08237; Dai et al. 2020, arXiv:2006.03236, appendix A.2; Gulati
        et al. 2020, arXiv:2005.08100.
    """

    heads: int = whole(at_least=1, at_most=2**14)
    head_dim: int = width()
    left: int = whole(at_least=0, at_most=2**20)
    right: int = whole(at_least=0, at_most=2**20)
    clip: bool = flag(False)

    def check(self) -> None:
        check_numbers(self)

    def distances(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Query position minus key position that each row of the table stands for, descending."""
        return np.arange(self.left, -self.right - 1, -1)

    def learned(self) -> dict[str, tuple[int, ...]]:
        bias = (self.heads, self.head_dim)
        table = (self.heads, self.left + self.right + 1, self.head_dim)
        return {"u": bias, "v": bias, "table": table}

    def init(self, rng: np.random.Generator) -> Arrays:
        """Normal with deviation 0.02: ``u``, ``v``, and the W_R that sinusoids are put through."""
        bias = (self.heads, self.head_dim)
        u, v = (rng.normal(0.0, 0.02, bias).astype(np.float32) for _ in range(2))
        pairs = math.ceil(self.heads * self.head_dim / 2)
        angles = self.distances()[:, None] * 10_000.0 ** (-np.arange(pairs) / pairs)
        code = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).astype(np.float32)
        projection = rng.normal(0.0, 0.02, (self.heads, 2 * pairs, self.head_dim))
        return {"u": u, "v": v, "table": code @ projection.astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            check_tokens_of(self, logits, q, k, self.head_dim, self.heads)
            row = own_row(self, q_at, k_at, xp=xp)
            q, k = (in_kind(x, logits, xp=xp) for x in (q, k))
            u, v = (in_kind(arrays[n], logits, xp=xp)[:, None, :] for n in ("u", "v"))
            keys = per_query_head(k, self.heads, xp=xp)
            content = u @ xp.matrix_transpose(keys)
            return logits + content + from_queries(q + v, arrays["table"], row, like=logits, xp=xp)

        return scheme_of(adjust=adjust, whole=True, xp=xp)
