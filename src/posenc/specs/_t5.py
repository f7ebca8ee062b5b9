"""T5's relative bias: one learned number per head and bucket of distances."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._arrays import widened
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._additive import rows
from posenc.functional._bias import heads_first, t5_bucket_table, t5_buckets
from posenc.positions._bits import distance
from posenc.scheme import Scheme
from posenc.specs._fields import flag, number, whole
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class T5Bias(Spec):
    """Exact buckets for near distances, logarithmic ones up to ``max_distance``, one beyond.

    T5 itself does not scale logits: pass ``scale=1`` to ``attend``; MPNet and LayoutLM do scale
    them. T5 has one table for all layers of a stack, UMT5 one in every layer, and cross attention
    has none. LongT5's global tokens are biased alike, by the numbers of blocks.

    Attributes:
        heads: Attention heads.
        bidirectional: True for encoders (half of the buckets for each direction), False for
            causal decoders.
        buckets: How many buckets in all.
        max_distance: From about here on, all distances share the last bucket of their side.
        step: What distances are counted in, cut off towards 0: 20 in UDOP, where a place on the
            page is the sum of two edges from 0 to 1000 and a bucket a hundredth of it.
        scale: What the table is multiplied by: head_dim^-0.5 in LayoutLMv3, head_dim^0.5 in
            x_transformers.
        coordinates: How many numbers a position has: 3 for text on a page, its index and where it
            stands across and down, of which LayoutLM stacks one such bias each.
        axis: Which of them is counted.

    References:
        Raffel et al. 2020, arXiv:1910.10683, section 2.1; Xu et al. 2020, arXiv:2012.14740,
        section 2.1 (LayoutLMv2); Tang et al. 2022, arXiv:2212.02623 (UDOP).
    """

    heads: int = whole(at_least=1, at_most=2**14)
    bidirectional: bool = flag()
    buckets: int = whole(32, at_least=2, at_most=1024)
    max_distance: int = whole(128, at_least=2, at_most=2**20)
    step: int = whole(1, at_least=1, at_most=2**20)
    scale: float = number(1.0, at_least=-1e6, at_most=1e6)
    coordinates: int = whole(1, at_least=1, at_most=8)
    axis: int = whole(0, at_least=0, at_most=7)

    def check(self) -> None:
        if self.bidirectional:
            hint = "Each direction has half of them."
            fits = self.buckets % 4 == 0 or (self.buckets % 2 == 0 and self.buckets >= 4)
            check(fits, "T5Bias.buckets", "even and at least 4", self.buckets, hint)
        exact = self.buckets // (4 if self.bidirectional else 2)
        where = "T5Bias.max_distance"
        hint = "Nearer distances have a bucket each."
        check(self.max_distance > exact, where, f"above {exact}", self.max_distance, hint)
        there = self.axis < self.coordinates
        check(there, "T5Bias.axis", f"below coordinates {self.coordinates}", self.axis)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"table": (self.buckets, self.heads)}

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        side = self.buckets // 2 if self.bidirectional else self.buckets
        return {"bucket": t5_bucket_table(side, self.max_distance)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        side = self.buckets // 2 if self.bidirectional else None

        def bias(q_positions: Array, k_positions: Array, *, xp: Namespace) -> Array:
            if self.coordinates > 1:
                q_positions, k_positions = q_positions[..., self.axis], k_positions[..., self.axis]
            relative = -distance(q_positions, k_positions, xp=xp)
            if self.step > 1:
                relative = xp.sign(relative) * (xp.abs(relative) // self.step)
            bucket = t5_buckets(relative, arrays["bucket"], side=side, xp=xp)
            table = widened(arrays["table"], xp)  # its gradient is a sum over all pairs
            found = heads_first(rows(table, bucket, xp=xp), xp=xp)
            return found if self.scale == 1 else found * self.scale

        return scheme_of(bias=bias, whole=True, coordinates=self.coordinates, xp=xp)
