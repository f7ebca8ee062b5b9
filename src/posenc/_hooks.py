"""From the plain functions that a spec writes to the checked hooks that users call.

A spec states only its mathematics: ``place`` says what it derives from positions, the other
functions use that. Here positions are validated, the library is found, and ``Placed`` is
accepted wherever positions are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._arrays import (
    dtype_name,
    is_float64,
    is_integer,
    library,
    library_name,
    namespace,
    plain_dtype,
)
from posenc._shortcut import give
from posenc._tokens import check_tokens, with_coordinates
from posenc._typing import Array, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.positions import bring, carried, check_positions
from posenc.scheme import Placed, Scheme

__all__ = ["scheme_of"]


def scheme_of(
    *,
    place: Callable[..., Any] | None = None,
    embed: Callable[..., Array] | None = None,
    query: Callable[..., Array] | None = None,
    key: Callable[..., Array] | None = None,
    bias: Callable[..., Array] | None = None,
    adjust: Callable[..., Array] | None = None,
    logit_scale: Callable[..., Any] | float | None = None,
    together: Callable[..., Any] | None = None,
    direct: Callable[..., Any] | None = None,
    whole: bool = False,
    coordinates: int = 1,
    plain: bool = False,
    xp: Namespace | str | None = None,
) -> Scheme:
    """A scheme from a spec's own functions; those left out stay None.

    Args:
        place: ``positions, *, xp, float64 -> ready``: what depends on positions alone, for one
            side. Without it, ready is the positions.
        embed: ``ready, *, xp -> (*batch, n, dim)``, float32 or float64.
        query: ``x, ready, *, xp, head_axis -> x``.
        key: The same for keys.
        bias: ``q_ready, k_ready, *, xp -> (*batch, heads, q, k)``.
        adjust: ``logits, q, k, q_ready, k_ready, *, xp -> logits``; k may have fewer heads than
            logits do.
        logit_scale: ``q_ready, *, xp -> (*batch, 1 or heads, q)``, or a number.
        together: ``ready -> (q, k, *, xp, head_axis -> (q, k) or None) or None``: a function that
            does what ``query`` and ``key`` do in one step, where there is one.
        direct: ``x, ready, *, xp, head_axis -> (x -> x) or None``: a function that turns tokens of
            the form of x as ``query`` and ``key`` do, without looking at them.
        whole: Positions must be integers.
        coordinates: How many numbers a position has; several are on the last axis.
        plain: Of several coordinates: one number alone means the same on all, as of text.
        xp: The array namespace, when the caller fixed it; otherwise each call's own.
    """
    fixed = library(xp)

    def space(array: Array) -> Namespace:
        own = namespace(array)
        if fixed is None:
            return own
        ours, theirs = library_name(fixed), library_name(own)
        must = f"of {ours}, as the scheme is"
        check(ours == theirs, "Tokens and positions", must, theirs, error=EncodingTypeError)
        return fixed

    def taken(positions: Array | Placed, where: str) -> Any:
        """NumPy's positions, in the library that was fixed: in its own it might cut them short."""
        if fixed is None or fixed is np or isinstance(positions, Placed):
            return positions
        return carried(positions, where, fixed) if namespace(positions, where) is np else positions

    def valid(positions: Array, where: str) -> Array:
        positions = check_positions(where, positions)
        check(
            not whole or is_integer(positions),
            where,
            "integers for this encoding",
            dtype_name(positions),
            "It counts tokens; round real positions yourself if that is what they mean.",
            error=EncodingTypeError,
        )
        return spread(positions, where)

    def spread(positions: Array, where: str) -> Array:
        if coordinates == 1:
            return positions
        return with_coordinates(where, positions, coordinates, plain=plain, xp=space(positions))

    def told(positions: Array, where: str) -> Array:
        """What ``Placed`` holds: each position with all of its coordinates.

        A copy: positions that a caller counts up in place must not move what was prepared of them.
        """
        positions = valid(taken(positions, where), where)
        return space(positions).asarray(positions, copy=True)

    def derived(positions: Array, float64: bool = False) -> Any:
        return place(positions, xp=space(positions), float64=float64) if place else positions

    def ready(positions: Array, where: str, float64: bool = False) -> Any:
        return derived(valid(positions, where), float64)

    def prepare(q_positions: Array, k_positions: Array = None, *, float64: bool = False) -> Placed:
        shared = k_positions is None or k_positions is q_positions
        q_positions = told(q_positions, "prepare(): q_positions")
        q = derived(q_positions, float64)
        if shared:
            return Placed(q_positions, q_positions, q, q)
        k_positions = told(k_positions, "prepare(): k_positions")
        k = derived(k_positions, float64)
        return Placed(q_positions, k_positions, q, k)

    def pair(
        where: str, q_positions: Array | Placed, k_positions: Array, float64: bool = False
    ) -> Placed:
        if isinstance(q_positions, Placed):
            hint = "What prepare() made holds both sides."
            check(k_positions is None, f"{where}: k_positions", "left out", k_positions, hint)
            return q_positions
        q_positions = taken(q_positions, f"{where}: q_positions")
        keys = q_positions if k_positions is None else k_positions
        keys = bring(keys, like=q_positions, where=f"{where}: k_positions")
        q = ready(q_positions, f"{where}: q_positions", float64)
        return Placed(q_positions, keys, q, ready(keys, f"{where}: k_positions", float64))

    def embedded(positions: Array | Placed, *, dtype: Any = None) -> Array:
        positions = taken(positions, "embed(): positions")
        name = plain_dtype(dtype)
        must = "float16, bfloat16, float32 or float64"
        known = name in ("float16", "bfloat16", "float32", "float64")
        check(dtype is None or known, "embed(): dtype", must, dtype, error=EncodingTypeError)
        if isinstance(positions, Placed):
            positions, at = positions.q_positions, positions.q
        else:
            at = ready(positions, "embed(): positions", name == "float64")
        code = embed(at, xp=space(positions))  # type: ignore[misc]
        if code is at:  # a caller may write into the answer, but not into what prepare() holds
            code = space(positions).asarray(code, copy=True)
        if dtype is None:
            return code
        return space(positions).astype(code, getattr(space(positions), name, dtype), copy=False)

    def both(q: Array, k: Array, placed: Placed, head_axis: int | None) -> Any:
        turn = together(placed.q)  # type: ignore[misc]
        if turn is None:
            return None
        for where, x in (("query()", q), ("key()", k)):
            check_tokens(where, x, placed.q_positions, head_axis, coordinates, plain)
        return turn(q, k, xp=space(q), head_axis=head_axis)

    def turner(turn: Callable[..., Array], which: str, where: str) -> Callable[..., Array]:
        def hook(x: Array, positions: Array | Placed, *, head_axis: int | None = -3) -> Array:
            if isinstance(positions, Placed):
                at = getattr(positions, which)
                positions = getattr(positions, f"{which}_positions")
                check_tokens(where, x, positions, head_axis, coordinates, plain)
            else:
                namespace(x)
                given = bring(positions, like=x, where=f"{where}: positions")
                positions = valid(given, f"{where}: positions")
                # One axis can only be tokens; of two nobody knows.
                check_tokens(where, x, positions, head_axis, coordinates, plain and given.ndim > 1)
                at = derived(positions, is_float64(x))
            return turn(x, at, xp=space(x), head_axis=head_axis)

        def prepared(x: Array, placed: Placed, head_axis: int | None) -> Any:
            at = getattr(placed, which)
            return direct(x, at, xp=space(x), head_axis=head_axis)  # type: ignore[misc]

        give(hook, direct=prepared if direct else None, both=both if together else None)
        return hook

    def biased(q_positions: Array | Placed, k_positions: Array = None) -> Array:
        at = pair("bias()", q_positions, k_positions)
        return bias(at.q, at.k, xp=space(at.q_positions))  # type: ignore[misc]

    def adjusted(
        logits: Array, q: Array, k: Array, q_positions: Array | Placed, k_positions: Array = None
    ) -> Array:
        at = pair("adjust()", q_positions, k_positions, is_float64(q))
        return adjust(logits, q, k, at.q, at.k, xp=space(logits))  # type: ignore[misc]

    def scaled(q_positions: Array | Placed) -> Any:
        if not callable(logit_scale):
            return logit_scale
        at = pair("logit_scale()", q_positions, None)
        return logit_scale(at.q, xp=space(at.q_positions))

    return Scheme(
        prepare=prepare,
        embed=embedded if embed else None,
        query=turner(query, "q", "query()") if query else None,
        key=turner(key, "k", "key()") if key else None,
        bias=biased if bias else None,
        adjust=adjusted if adjust else None,
        logit_scale=None if logit_scale is None else scaled,
        coordinates=coordinates,
    )
