"""Rotary encodings, each with one fault."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc import EncodingError, Placed, Rope, Scheme
from posenc.testing._case import ROOM

from .spoiling import Spoiling, moved, places


class Spoiled(Spoiling, Rope):
    """Sound as it is."""


class TurnsOtherwise(Spoiled):
    """One whose queries come out otherwise."""

    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            return self.otherwise(scheme.query(x, at, head_axis=head_axis), x, places(at))

        return scheme._replace(query=query)


class MergesAxes(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y.reshape(-1, *y.shape[2:]) if y.ndim == 5 else y


class Promotes(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return y.astype(np.float32) if y.dtype == np.float16 else y


class OverflowsFarAway(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return np.full_like(y, np.nan) if 70_060 in at else y


class TurnsBySign(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        sign = np.sign(x.astype(np.float32).sum(-1, keepdims=True)).astype(y.dtype)
        return y * sign if at.any() else y  # position zero stays the identity


class Grows(TurnsOtherwise):
    def otherwise(self, y: Any, x: Any, at: Any) -> Any:
        return 2 * y if at.any() else y


class StartsAtOne(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p + 1)


class TurnsQueriesTwiceAsFast(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: 2 * p, lambda p: p)


class CountsInTheTokensDtype(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            if not isinstance(at, Placed) and x.dtype == np.float16:
                at = at.astype(np.float16).astype(at.dtype)
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class TakesTheFirstRow(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: np.broadcast_to(p[:1], p.shape) if p.ndim == 2 else p)


class Sorts(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: np.sort(p, axis=-1))


class ReadsTokensBackwards(Spoiled):
    """Where there are no heads, it takes the tokens from the end."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            backwards = head_axis is None and not isinstance(at, Placed)
            return scheme.query(x, at[..., ::-1] if backwards else at, head_axis=head_axis)

        return scheme._replace(query=query)


class RefusesTokensWithoutHeads(Spoiled):
    """Though its heads turn alike."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            if head_axis is None:
                raise EncodingError("x must have heads; got none.")
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class TurnsInterleavedBackwards(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: -p if self.layout == "interleaved" else p)


class NeedsAToken(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p - p.min() + p.min())


class DecodesAtZero(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: 0 * p if p.shape[-1] == 1 else p)


class RemembersLongCalls(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        longest = [0]

        def stretched(p: Any) -> Any:
            longest[0] = max(longest[0], p.shape[-1])
            return 2 * p if longest[0] >= ROOM else p

        return moved(scheme, stretched)


class TakesHalfPositions(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p.astype(np.float32) if p.dtype == np.float16 else p)


class WritesIntoTokens(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        def query(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            x += 0
            return scheme.query(x, at, head_axis=head_axis)

        return scheme._replace(query=query)


class LooksAtValues(Spoiled):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p if not p.numel() or int(p.max()) < 2**30 else 2 * p)
