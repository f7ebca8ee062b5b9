"""Rotary tables out of step with the pairs of channels, as shipped."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._hooks import scheme_of
from posenc._tokens import over_heads
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._crossed import crossed
from posenc.kernels import angles
from posenc.scheme import Scheme
from posenc.specs._axes import Axes, spans_of
from posenc.specs._fields import Part, field, number, width
from posenc.specs._record import Spec
from posenc.specs._rope import LayoutRule, Rope


@dataclass(frozen=True, kw_only=True)
class CrossedRope(Spec):
    """Rotary tables laid out for one pairing of channels and used with the other, as shipped.

        y[c] = x[c] cos(angle[c]) + partner(x)[c] sin(angle[c])

    where ``partner`` pairs channels by ``layout``, and angles lie over channels by the other one:
    twice in a row for "interleaved" pairs, each repeated for "half". The channels of a pair so
    have different angles: lengths change, and scores depend on where both tokens are. It is a
    slip that weights have learned to live with. For checkpoints trained so, and nothing else.

    Attributes:
        dim: Channels that turn.
        head_dim: Channels of the head; None when all of them turn. The rest comes last.
        layout: Which channels are partners.
        base: The ratio that the ladder of frequencies spans.
        axes: Which coordinate each angle reads; with halves of each "axis", all this happens
            within its own channels (V-JEPA 2).

    References:
        ``rotate_queries_or_keys`` of V-JEPA 2 and transformers; ``ErnieImageEmbedND3`` of
        diffusers.
    """

    relative = False

    dim: int = width(at_least=2, even=True)
    layout: Layout = field(LayoutRule())
    head_dim: int | None = width(None, at_least=2, optional=True)
    base: float = number(10_000.0, at_least=1.01, at_most=1e12)
    axes: Axes = field(Part(Axes))

    def check(self) -> None:
        if self.head_dim == self.dim:  # one spelling for one thing
            object.__setattr__(self, "head_dim", None)
        room = self.head_dim is None or self.head_dim > self.dim
        check(room, "CrossedRope.head_dim", f"at least dim {self.dim}", self.head_dim)
        self.axes.check_dim(self.dim)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        plain = Rope(dim=self.dim, layout="half", base=self.base, axes=self.axes)
        return plain.constants(arithmetic=arithmetic)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        channels = self.head_dim or self.dim

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            return angles(positions, **arrays, xp=xp, float64=float64)

        def turn(
            x: Array, ready: tuple[Array, Array], *, xp: Namespace, head_axis: int | None
        ) -> Array:
            must = f"of {channels} channels, its head_dim"
            check(x.shape[-1] == channels, "CrossedRope: x", must, x.shape[-1])
            cos, sin = (over_heads(t, head_axis=head_axis, xp=xp) for t in ready)
            parts = [
                crossed(x[..., own], cos[..., pairs], sin[..., pairs], layout=self.layout, xp=xp)
                for own, pairs in spans_of(self.axes, self.dim)
            ]
            return xp.concat([*parts, x[..., self.dim :]], axis=-1)

        return scheme_of(
            place=place,
            query=turn,
            key=turn,
            coordinates=self.axes.count,
            plain=self.axes.plain,
            xp=xp,
        )
