"""CoPE: the position of a key is how many keys since then the query has counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._arrays import adopt, is_concrete, is_float64, to_host
from posenc._hooks import scheme_of
from posenc._typing import Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._contextual import between_rows, gated_positions
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import number, whole, width
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Cope(Spec):
    """Contextual position encoding: gates count the keys that matter to the query.

        g[m, n] = sigmoid(scale q_m . k_n)          for keys up to the query, 0 after it
        p[m, n] = g[m, n] + ... + g[m, m]           at most rows - 1
        logits  = q_m . (k_n + e[p[m, n]])          e read between its rows on straight lines

    What stands after a query, and between it and a key, is told by positions. A mask is not known
    here. So texts packed into one row do not fit: positions that go back and come twice are
    refused, or give NaN where values cannot be looked at. And pads count for the last token if
    they follow it: pad on the left.

    Attributes:
        dim: Channels of a head.
        rows: Positions that are told apart, whatever the text counts to.
        heads: Of a table for each head; None: they share one.
        scale: Of the logits inside the gates. The equations have 1; the authors' code and
            x-transformers gate with logits already multiplied by ``dim ** -0.5``, and add
            ``q . e`` after that: pass that scale, and their table times ``dim ** 0.5``.

    References:
        Golovneva et al. 2024, arXiv:2405.18719, eqs. 3 to 6 and appendix B.
    """

    dim: int = width()
    rows: int = whole(64, at_least=2, at_most=2**16)
    heads: int | None = whole(None, at_least=1, at_most=2**14, optional=True)
    scale: float = number(1.0, at_least=0.0, at_most=1024.0)

    def check(self) -> None:
        count = self.rows * self.dim * (self.heads or 1)
        most = 2**28 // (count // self.rows)
        check(count <= 2**28, "Cope.rows", f"at most {most} at this width", self.rows)

    def learned(self) -> dict[str, tuple[int, ...]]:
        lead = () if self.heads is None else (self.heads,)
        return {"table": (*lead, self.rows, self.dim)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """Zeros, as the authors and x-transformers begin."""
        return {name: np.zeros(shape, np.float32) for name, shape in self.learned().items()}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def adjust(
            logits: Array, q: Array, k: Array, q_at: Array, k_at: Array, *, xp: Namespace
        ) -> Array:
            self._check_tokens(q)
            one_text = _one_text(k_at, xp=xp)
            _check_one_text(one_text)
            wide = xp.float64 if is_float64(q) else xp.float32
            products = xp.astype(logits, wide, copy=False)
            after = distance(q_at, k_at, xp=xp)[..., None, :, :] < 0
            gates = 1 / (1 + xp.exp(-self.scale * products))
            gates = xp.where(after, xp.zeros_like(gates), gates)
            counted = gated_positions(gates, k_at, most=self.rows - 1, xp=xp)
            table = xp.astype(adopt(arrays["table"], like=q, xp=xp), wide, copy=False)
            scores = xp.astype(q, wide, copy=False) @ xp.matrix_transpose(table)
            told = products + between_rows(scores, counted, xp=xp)
            told = xp.where(one_text[..., None, None, None], told, xp.full_like(told, float("nan")))
            return xp.astype(told, logits.dtype, copy=False)

        return scheme_of(adjust=adjust, xp=xp)

    def _check_tokens(self, q: Array) -> None:
        fits = q.shape[-1] == self.dim
        check(fits, "Cope: q", f"of {self.dim} channels, its dim", q.shape[-1])
        fits = self.heads in (None, q.shape[-3])
        check(fits, "Cope: q", f"of {self.heads} heads, a table each", q.shape[-3])


def _one_text(k_positions: Array, *, xp: Namespace) -> Array:
    """Whether each row's keys are of one text: in order, or at positions of their own."""
    if k_positions.shape[-1] == 0:  # a slice from 1 on would be past the end
        return xp.all(xp.isfinite(k_positions), axis=-1)
    apart = xp.sort(k_positions, axis=-1)
    in_order = xp.all(k_positions[..., 1:] >= k_positions[..., :-1], axis=-1)
    return in_order | xp.all(apart[..., 1:] > apart[..., :-1], axis=-1)


def _check_one_text(one_text: Array) -> None:
    if not is_concrete(one_text):
        return
    must, hint = "of one text in each row", "Counts would go on from one text into the next."
    given = "some that go back and come twice"
    check(bool(to_host(one_text).all()), "adjust(): k_positions", must, given, hint)
