"""How an encoding is given one fault: its scheme is spoiled after it is bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from posenc import Placed, Scheme

Moves = Callable[[Any], Any]


def moved(scheme: Scheme, queries: Moves, keys: Moves | None = None) -> Scheme:
    """The same scheme with every position passed through a function on its way in."""
    keys = keys or queries

    def prepare(q: Any, k: Any = None, **options: Any) -> Placed:
        return scheme.prepare(queries(q), keys(q if k is None else k), **options)

    def turner(turn: Any, move: Moves) -> Any:
        def hook(x: Any, at: Any, *, head_axis: int | None = -3) -> Any:
            return turn(x, at if isinstance(at, Placed) else move(at), head_axis=head_axis)

        return turn and hook

    def embed(at: Any, *, dtype: Any = None) -> Any:
        return scheme.embed(at if isinstance(at, Placed) else queries(at), dtype=dtype)

    def bias(q: Any, k: Any = None) -> Any:
        if isinstance(q, Placed):
            return scheme.bias(q)
        return scheme.bias(queries(q), keys(q if k is None else k))

    return Scheme(
        prepare=prepare,
        embed=scheme.embed and embed,
        query=turner(scheme.query, queries),
        key=turner(scheme.key, keys),
        bias=scheme.bias and bias,
    )


def places(at: Any) -> Any:
    return at.q_positions if isinstance(at, Placed) else at


class Spoiling:
    """Before the class of an encoding, it spoils what that one binds."""

    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        return self.spoil(super().bind(arrays, **options))
