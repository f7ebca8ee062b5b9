"""Pairs that do not turn by one coordinate each: by learned mixes, or out of step, as shipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc._hooks import scheme_of
from posenc._tokens import over_heads
from posenc._typing import Arithmetic, Array, Arrays, Layout, Namespace
from posenc.errors import check
from posenc.functional._angles import angles
from posenc.functional._crossed import crossed
from posenc.functional._mixed import beside_tokens, mixed_angles
from posenc.functional._rotary import rotate
from posenc.scheme import Scheme
from posenc.specs._axes import Axes, spans_of
from posenc.specs._fields import Part, field, number, whole, width
from posenc.specs._record import Spec
from posenc.specs._rope import LayoutRule, Rope


@dataclass(frozen=True, kw_only=True)
class MixedRope(Spec):
    """Rotary encoding in learned directions: each pair turns by a mix of all coordinates.

        angle of pair i in head h at p = sum over a of p[a] freqs[h, i, a]

    so that a pair can look along a diagonal, where ``Axial`` has rows and columns alone. Scores
    depend on differences of positions, as with any rotation.

    Attributes:
        dim: Channels of the head, all of which turn.
        heads: Heads that have frequencies of their own; 1: all heads share them (LightGlue).
        layout: Which channels are a pair, as of ``Rope``.
        coordinates: How many numbers a position has.
        base: The ratio that the initial ladder of frequencies spans.

    The learned ``freqs`` are ``(heads, dim / 2, coordinates)``, in radians per unit of a
    coordinate. They start as one geometric ladder along each direction of a frame, which is
    turned at random for each head. Mochi's start at zero.

    References:
        Heo et al. 2024, arXiv:2403.13298, section 3.2; ``RotaryEmbeddingMixed`` of timm, whose
        freqs are ``(coordinates, depth, heads, dim / 2)``; ``pos_frequencies`` of Mochi.
    """

    exact = False

    dim: int = width(at_least=2, even=True)
    heads: int = whole(at_least=1, at_most=2**16)
    layout: Layout = field(LayoutRule())
    coordinates: int = whole(2, at_least=1, at_most=8)
    base: float = number(10.0, at_least=1.01, at_most=1e12)

    def check(self) -> None:
        most = 2**26 // (self.dim * self.coordinates)
        must = f"at most {most} for {self.coordinates} frequencies of each of {self.dim // 2} pairs"
        check(self.heads <= most, "MixedRope.heads", must, self.heads)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"freqs": (self.heads, self.dim // 2, self.coordinates)}

    def init(self, rng: np.random.Generator) -> Arrays:
        """A ladder along each direction of a frame turned at random, float32."""
        pairs, count = self.dim // 2, self.coordinates
        rungs = -(-pairs // count)
        ladder = self.base ** (-np.arange(rungs) / rungs)
        freqs = [np.outer(ladder, way) for way in np.eye(count)]
        plain = np.concatenate(freqs)[:pairs]
        frames = [_frame(rng, count) for _ in range(self.heads)]
        return {"freqs": np.stack([plain @ frame for frame in frames]).astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        freqs = arrays["freqs"]

        def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, Array]:
            if self.coordinates == 1:
                positions = positions[..., None]
            return mixed_angles(positions, freqs, xp=xp, float64=float64)

        def turn(
            x: Array, ready: tuple[Array, Array], *, xp: Namespace, head_axis: int | None
        ) -> Array:
            check(x.shape[-1] == self.dim, "MixedRope: x", f"of {self.dim} channels", x.shape[-1])
            if self.heads > 1:
                got = 0 if head_axis is None else x.shape[head_axis]
                hint = "Each head turns by frequencies of its own."
                check(got == self.heads, "MixedRope: x", f"of {self.heads} heads", got, hint)
            cos, sin = (beside_tokens(t, head_axis=head_axis, xp=xp) for t in ready)
            return rotate(x, cos, sin, layout=self.layout, xp=xp)

        return scheme_of(place=place, query=turn, key=turn, coordinates=self.coordinates, xp=xp)


def _frame(rng: np.random.Generator, count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Orthogonal unit vectors, turned evenly at random."""
    q, r = np.linalg.qr(rng.normal(size=(count, count)))
    q = q * np.sign(np.diag(r))
    q[-1] *= np.sign(np.linalg.det(q))
    return np.asarray(q)


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
