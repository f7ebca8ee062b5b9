"""Rotary models made to read longer text without training: distances told otherwise when far.

Scores are made anew from q and k as they came: a pair is turned by one map of positions or another,
by how far apart it is, and no single turning of q and k can do that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from posenc._arrays import is_float64
from posenc._hooks import scheme_of
from posenc._typing import Arithmetic, Array, Arrays, Namespace
from posenc.errors import check
from posenc.functional._relative import per_query_head
from posenc.functional._remap import dual_chunk, staged
from posenc.functional._turns import steps
from posenc.positions._bits import check_fits, distance, ends
from posenc.positions._grouped import in_groups
from posenc.scheme import Placed, Scheme, require
from posenc.specs._fields import Part, field, whole
from posenc.specs._record import Spec
from posenc.specs._rope import Rope

_FARTHEST = 2**20  # a window or a chunk; positions far past it still fit 32 bits


class _Remapped(Spec):
    """What they share: a ``rope`` whose turning is done at other positions."""

    rope: Rope

    def check(self) -> None:
        name = type(self).__name__
        one = self.rope.axes.count == 1
        hint = "Of several coordinates there is no one distance."
        check(one, f"{name}.rope", "of one axis", type(self.rope.axes).__name__, hint)

    @property
    def needs_length(self) -> bool:  # type: ignore[override]
        """Whether the rope's scaling rule depends on the length of the run."""
        return self.rope.needs_length

    @property
    def head_dim(self) -> int:
        """Channels of a head, those that do not turn included."""
        return self.rope.head_dim or self.rope.dim

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        return self.rope.constants(length=length, arithmetic=arithmetic)

    def attention_factor(self, length: int | None = None) -> float:
        """That of the rope: what its scaling multiplies cos and sin by."""
        return self.rope.attention_factor(length)

    def whole_factor(self, length: int | None) -> float | None:
        """What the rope's scaling multiplies logits by, where all channels of the head turn."""
        factor = self.rope.attention_factor(length)
        return None if self.rope.head_dim or factor == 1 else factor**2


@dataclass(frozen=True, kw_only=True)
class SelfExtend(_Remapped):
    """Near keys at their distance, far ones in groups of positions.

        distance = q - k                                where q - k < W
                   q // G - k // G + W - W // G         elsewhere

    Made for causal attention: keys after the query are turned as usual.

    Attributes:
        rope: The model's own encoding.
        group: Positions that become one, G.
        window: Distances below this are left as they are, W.

    References:
        Jin et al. 2024, arXiv:2401.01325, section 3.2.
    """

    rope: Rope = field(Part(Rope))
    group: int = whole(8, at_least=1, at_most=_FARTHEST)
    window: int = whole(1024, at_least=1, at_most=_FARTHEST)

    relative = False  # which positions form a group is counted from the start

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def places(p: Array, *, xp: Namespace) -> Sequence[tuple[Array, Array]]:
            return (p, p), in_groups(p, group=self.group, window=self.window)

        def beyond(q: Array, k: Array, *, xp: Namespace) -> Sequence[Array]:
            return (distance(q, k, xp=xp) >= self.window,)

        turn = self.rope.bind(arrays, length=length, xp=xp)
        return _scheme((turn, turn), places, beyond, scale=self.whole_factor(length), xp=xp)


@dataclass(frozen=True, kw_only=True)
class DualChunk(_Remapped):
    """Text in chunks: positions within the own chunk, and two rules for the chunks before.

    With c = chunk - local positions in a chunk, keys are at k mod c, and queries

        q mod c                     for keys of their own chunk
        min(q mod c + c, chunk)     for keys of the chunk before
        min(2 c - 1, chunk)         for keys of older chunks

    so that keys up to ``local`` away in the chunk before are at their true distance. Made for
    causal attention: what is after the own chunk is told as if in it.

    Attributes:
        rope: The model's own encoding.
        chunk: The largest distance that is ever told.
        local: Positions that are kept for the neighbouring chunk.

    References:
        An et al. 2024, arXiv:2402.17463, section 3, and the authors' ChunkLlama.
    """

    rope: Rope = field(Part(Rope))
    chunk: int = whole(at_least=2, at_most=_FARTHEST)
    local: int = whole(at_least=0, at_most=_FARTHEST)

    relative = False  # chunks are counted from the start

    def check(self) -> None:
        super().check()
        fits = self.local < self.chunk
        check(fits, "DualChunk.local", f"below chunk {self.chunk}", self.local)

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        def places(p: Array, *, xp: Namespace) -> Sequence[tuple[Array, Array]]:
            return dual_chunk(p, chunk=self.chunk, local=self.local, xp=xp)

        def beyond(q: Array, k: Array, *, xp: Namespace) -> Sequence[Array]:
            own = self.chunk - self.local
            before = distance(q // own, k // own, xp=xp)
            return before >= 1, before >= 2

        turn = self.rope.bind(arrays, length=length, xp=xp)
        return _scheme((turn,) * 3, places, beyond, scale=self.whole_factor(length), xp=xp)


@dataclass(frozen=True, kw_only=True)
class ReRope(_Remapped):
    """Near keys at their distance, all far ones at one, or at a slowly growing one.

        distance = r                        where r = q - k < W
                   W                        elsewhere
                   W + (r - W) / factor     elsewhere, with a factor (leaky ReRoPE)

    Made for causal attention: keys after the query are turned as usual. The authors sharpen the
    softmax besides: ``Stack(ReRope(...), Temperature(rule="log", trained_length=...))``.

    Attributes:
        rope: The model's own encoding.
        window: Distances below this are left as they are, W.
        factor: How many positions past the window count as one; None: they count nothing.

    References:
        Su 2023, kexue.fm/archives/9708, and github.com/bojone/rerope.
    """

    rope: Rope = field(Part(Rope))
    window: int = whole(512, at_least=1, at_most=_FARTHEST)
    factor: int | None = whole(None, at_least=2, at_most=1024, optional=True)

    def constants(self, *, length: int | None = None, arithmetic: Arithmetic = "exact") -> Arrays:
        near = super().constants(length=length, arithmetic=arithmetic)
        if self.factor is None:
            return near
        if arithmetic == "exact":
            slow = steps(self.rope.frequencies(length) / self.factor)
        else:
            slow = {"rates": near["rates"] / near["rates"].dtype.type(self.factor)}
        return {**near, **{f"slow.{name}": array for name, array in slow.items()}}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        slow = {n.partition(".")[2]: a for n, a in arrays.items() if "." in n}
        near = {n: a for n, a in arrays.items() if "." not in n}

        def places(p: Array, *, xp: Namespace) -> Sequence[tuple[Array, Array]]:
            if self.factor is None:
                return (p, p), (0 * p + self.window, 0 * p)
            # W + (r - W) / f = (q - (k - W (f - 1))) / f. Keys back rather than queries on: that
            # leaves 32 bits for no position from 0 on.
            moved = self.window * (self.factor - 1)
            if found := ends(p):
                check_fits("ReRope: positions", found[0] - moved, found[1], xp)
            return (p, p), (p, p - moved)

        def beyond(q: Array, k: Array, *, xp: Namespace) -> Sequence[Array]:
            return (distance(q, k, xp=xp) >= self.window,)

        turn = self.rope.bind(near, length=length, xp=xp)
        far = self.rope.bind(slow, length=length, xp=xp) if self.factor else turn
        scale = self.whole_factor(length)
        return _scheme((turn, far), places, beyond, scale=scale, whole=False, xp=xp)


def _scheme(
    turns: Sequence[Scheme],
    places: Callable[..., Sequence[tuple[Array, Array]]],
    beyond: Callable[..., Sequence[Array]],
    *,
    scale: float | None,
    whole: bool = True,
    xp: Namespace | str | None,
) -> Scheme:
    """A scheme that makes one product for each rule and picks among them pair by pair.

    Args:
        turns: The rotary scheme of each rule.
        places: From positions to where each rule puts queries and keys.
        beyond: From positions to the pairs of each rule after the first.
        scale: What logits are multiplied by.
        whole: Whether positions must be integers.
        xp: The array namespace, where it is fixed.
    """

    def place(positions: Array, *, xp: Namespace, float64: bool) -> tuple[Array, list[Placed]]:
        pairs = zip(turns, places(positions, xp=xp), strict=True)
        return positions, [turn.prepare(*at, float64=float64) for turn, at in pairs]

    def adjust(logits: Array, q: Array, k: Array, q_at: Any, k_at: Any, *, xp: Namespace) -> Array:
        wide = xp.float64 if is_float64(q) else xp.float32
        q, k = xp.astype(q, wide, copy=False), xp.astype(k, wide, copy=False)
        products = []
        for turn, at, other in zip(turns, q_at[1], k_at[1], strict=True):
            turned = require(turn, "query")(q, at), require(turn, "key")(k, other)
            keys = per_query_head(turned[1], q.shape[-3], xp=xp)
            products.append(turned[0] @ xp.matrix_transpose(keys))
        told = staged(products, beyond(q_at[0], k_at[0], xp=xp), xp=xp)
        return xp.astype(told, logits.dtype, copy=False)

    return scheme_of(place=place, adjust=adjust, logit_scale=scale, whole=whole, xp=xp)
