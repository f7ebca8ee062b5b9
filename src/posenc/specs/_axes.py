"""Which coordinate of a position each rotary pair reads, and on what ladder of frequencies."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.errors import check
from posenc.functional import _ladder
from posenc.specs._fields import Number, Numbers, Whole, choice, field
from posenc.specs._record import Record

Freqs = np.ndarray[Any, np.dtype[np.float64]]
Pairs = np.ndarray[Any, np.dtype[np.int64]]
Ladder = Callable[[int, float], Freqs]


class Axes(Record):
    """A way to share rotary pairs among coordinates."""

    @property
    def count(self) -> int:
        """How many coordinates a position has."""
        return 1

    @property
    def plain(self) -> bool:
        """Whether one number alone is a position too, the same on every axis, as of text."""
        return False

    @property
    def spans(self) -> tuple[int, ...] | None:
        """Channels of each axis, where each has its halves to itself; None: they are shared."""
        return None

    @property
    def several_ladders(self) -> bool:
        """Whether frequencies are other than one geometric ladder, so that rules do not fit."""
        return False

    def check_dim(self, dim: int) -> None:
        """Refuse a number of rotated channels that cannot be shared so."""

    def axis(self, pairs: int) -> Pairs:
        """The coordinate that each pair reads."""
        return np.zeros(pairs, np.int64)

    def frequencies(self, dim: int, base: float, ladder: Ladder) -> Freqs:
        """Radians per unit of its coordinate, for each pair.

        Args:
            dim: Channels that turn.
            base: The ratio that a ladder spans, where the axes do not name their own.
            ladder: ``(dim, base) -> (dim / 2,)``: the geometric ladder, exact or rounded.
        """
        return ladder(dim, base)


@dataclass(frozen=True, kw_only=True)
class OneAxis(Axes):
    """A position is one number: text, audio."""


@dataclass(frozen=True, kw_only=True)
class Sections(Axes):
    """One ladder whose pairs are shared among coordinates: M-RoPE.

    A text token has the same number on every coordinate, and turns as under plain RoPE.

    Attributes:
        sizes: How many pairs read each coordinate, in the order of the coordinates.
        order: Who gets which pairs. "chunked": the first coordinate the fastest, then the next
            (Qwen2-VL). "interleaved": in turn from the fastest on, and what is left to the first
            coordinate (Qwen3-VL). "first-last": all but the first coordinate in turn, then the
            first, which so gets the slowest (ERNIE-4.5-VL, whose config states the sizes as
            height, width, time; VideoRoPE).

    References:
        Wang et al. 2024, arXiv:2409.12191, section 2.1; ``mrope_section`` in transformers'
        models qwen2_vl, qwen3_vl and ernie4_5_vl_moe.
    """

    sizes: tuple[int, ...] = field(Numbers(Whole(at_least=0, at_most=2**20), 2, 8))
    order: str = choice("chunked", "interleaved", "first-last", default="chunked")

    @property
    def count(self) -> int:
        return len(self.sizes)

    @property
    def plain(self) -> bool:
        return True

    def check(self) -> None:
        shared = self.sizes[1:]
        if self.order == "interleaved":
            got = tuple(np.bincount(self.axis(sum(self.sizes)), minlength=self.count).tolist())
            must = "small enough after the first for order 'interleaved'"
            check(got == self.sizes, "Sections.sizes", must, self.sizes, "In turn, all must fit.")
        if self.order == "first-last":
            must = "the same after the first, with order 'first-last'"
            check(len({*shared}) == 1, "Sections.sizes", must, self.sizes)

    def check_dim(self, dim: int) -> None:
        total, given = sum(self.sizes), dim // 2
        hint = "Each pair of channels reads one coordinate."
        must = f"{given} in all, for {dim} rotated channels"
        check(total == given, "Sections.sizes", must, f"{total}, {self.sizes}", hint)

    def axis(self, pairs: int) -> Pairs:
        numbered = np.arange(self.count)
        if self.order == "chunked":
            return np.repeat(numbered, self.sizes)
        if self.order == "first-last":
            each = np.tile(numbered[1:], self.sizes[1])
            return np.concatenate([each, np.zeros(self.sizes[0], np.int64)])
        turn = np.arange(pairs) % self.count
        within = np.arange(pairs) < self.count * np.asarray(self.sizes)[turn]
        return np.where(within, turn, 0)


@dataclass(frozen=True, kw_only=True)
class Axial(Axes):
    """A ladder for each coordinate: images, video, volumes.

    Attributes:
        dims: Channels that turn by each coordinate, in the order of the coordinates; even.
        bases: The ratio of each coordinate's ladder; None: that of the encoding for all.
        order: "blocks": one coordinate after the other. "alternate": pair by pair in turn
            (Kimi-VL). "strided": one after the other, on rungs of one ladder over all channels,
            of which each takes every so-manieth (Pixtral).
        ladder: "geometric": base^(-2k/d) of the d channels of an axis. "turns": 2 pi times that,
            for coordinates from -1 to 1 (DINOv3). "linear": pi times 1 to base/2, evenly ("pixel"
            of EVA-02 and rotary-embedding-torch). "rising": pi/2 times base^(k/(d/2 - 1)) (LTX).
        halves: With layout "half", whether a pair lies across the halves of "all" channels or of
            each "axis" alone (Gemma 4's images, Allegro).

    References:
        Heo et al. 2024, arXiv:2403.13298, section 3.2; models pixtral, dinov3_vit and gemma4 in
        transformers, and those of Flux, Wan and LTX in diffusers.
    """

    dims: tuple[int, ...] = field(Numbers(Whole(at_least=2, at_most=2**20, even=True), 2, 8))
    bases: tuple[float, ...] | None = field(
        Numbers(Number(at_least=1.01, at_most=1e12), 2, 8, optional=True), None
    )
    order: str = choice("blocks", "alternate", "strided", default="blocks")
    ladder: str = choice("geometric", "turns", "linear", "rising", default="geometric")
    halves: str = choice("all", "axis", default="all")

    @property
    def count(self) -> int:
        return len(self.dims)

    @property
    def spans(self) -> tuple[int, ...] | None:
        return self.dims if self.halves == "axis" else None

    @property
    def several_ladders(self) -> bool:
        return True

    def check(self) -> None:
        alike = len({*self.dims}) == 1 or self.order == "blocks"
        check(alike, "Axial.dims", f"the same with order {self.order!r}", self.dims)
        given = None if self.bases is None else len(self.bases)
        must = f"{self.count} numbers, one a coordinate"
        check(given in (None, self.count), "Axial.bases", must, given)
        one = self.bases is None or len({*self.bases}) == 1
        strided = self.order == "strided"
        check(one or not strided, "Axial.bases", "the same with order 'strided'", self.bases)
        blocks = self.order == "blocks" or self.halves == "all"
        check(blocks, "Axial.halves", f"'all' with order {self.order!r}", self.halves)

    def check_dim(self, dim: int) -> None:
        total = sum(self.dims)
        hint = "Channels that do not turn belong to head_dim alone."
        check(total == dim, "Axial.dims", f"{dim} in all, as dim", f"{total}, {self.dims}", hint)

    def axis(self, pairs: int) -> Pairs:
        each = [d // 2 for d in self.dims]
        if self.order == "alternate":
            return np.tile(np.arange(self.count), each[0])
        return np.repeat(np.arange(self.count), each)

    def frequencies(self, dim: int, base: float, ladder: Ladder) -> Freqs:
        bases = self.bases or (base,) * self.count
        if self.order == "strided":
            rungs = self._ladder(dim, bases[0], ladder)
            return np.concatenate([rungs[a :: self.count] for a in range(self.count)])
        each = [self._ladder(d, b, ladder) for d, b in zip(self.dims, bases, strict=True)]
        if self.order == "alternate":
            return np.stack(each, axis=-1).ravel()
        return np.concatenate(each)

    def _ladder(self, dim: int, base: float, ladder: Ladder) -> Freqs:
        if self.ladder == "linear":
            return _ladder.linear(dim // 2, base)
        if self.ladder == "rising":
            return _ladder.rising(dim // 2, base)
        return ladder(dim, base) * (2 * np.pi if self.ladder == "turns" else 1)


def spans_of(axes: Axes, dim: int) -> list[tuple[slice, slice]]:
    """Channels that turn together, and their pairs: all of them, or those of each coordinate."""
    ends = [0, *itertools.accumulate(axes.spans or (dim,))]
    return [(slice(a, b), slice(a // 2, b // 2)) for a, b in itertools.pairwise(ends)]
