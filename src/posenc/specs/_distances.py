"""What encodings with a vector per distance have in common: their tables, and what they refuse."""

from __future__ import annotations

from typing import Protocol

from posenc._arrays import in_sight, is_concrete, namespace
from posenc._typing import Array, Namespace
from posenc.errors import check
from posenc.functional._relative import row_of
from posenc.positions._bits import distance
from posenc.specs._record import Spec


class Reaching(Protocol):
    """A spec with a row for each distance from ``left`` back to ``right`` ahead."""

    @property
    def left(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def clip(self) -> bool: ...


def check_numbers(spec: Spec) -> None:
    """Refuse learned arrays that no memory holds."""
    count = spec.parameters()
    check(count <= 2**28, type(spec).__name__, f"of at most {2**28} learned numbers", count)


def check_tokens_of(
    spec: Spec, logits: Array, q: Array, k: Array, head_dim: int, heads: int | None = None
) -> None:
    """Refuse queries and keys that the tables were not made for."""
    where = f"{type(spec).__name__}: q and k"
    got = tuple(q.shape), tuple(k.shape)
    check(got[0][-1:] == got[1][-1:] == (head_dim,), where, f"of {head_dim} channels a head", got)
    given = logits.shape[-3] if logits.ndim >= 3 else 0
    fits = given == heads if heads else given >= 1
    shown = f"for {heads} heads" if heads else "of shape (*batch, heads, q, k)"
    check(fits, f"{type(spec).__name__}: logits", shown, tuple(logits.shape))


def own_row(spec: Reaching, q_at: Array, k_at: Array, *, xp: Namespace) -> Array:
    """``row_for`` in the spec's own table; without rows ahead it is for causal attention."""
    left, right = spec.left, spec.right
    hidden = right == 0
    return row_for(spec, q_at, k_at, left=left, right=right, clip=spec.clip, hidden=hidden, xp=xp)


def row_for(
    spec: object,
    q_at: Array,
    k_at: Array,
    *,
    left: int,
    right: int,
    clip: bool,
    hidden: bool,
    xp: Namespace,
) -> Array:
    """The row of each query and key in a table from ``left`` back to ``right`` ahead.

    Args:
        spec: Whose table it is.
        q_at: Where the queries are.
        k_at: Where the keys are.
        left: Rows for keys before the query.
        right: Rows for keys after it.
        clip: Whether farther keys share the outermost row; otherwise they are refused where
            values can be looked at, and have no row where they cannot.
        hidden: Whether keys after the query are for a mask to hide, so that any row does.
        xp: The array namespace.
    """
    apart = distance(q_at, k_at, xp=xp)
    if hidden:
        apart = xp.clip(apart, min=0)
    if not clip:
        _check_reach(spec, apart, left, right)
    return row_of(apart, left=left, right=right, clip=clip, xp=xp)


def _check_reach(spec: object, apart: Array, left: int, right: int) -> None:
    if not is_concrete(apart) or 0 in apart.shape:
        return
    seen = in_sight(apart)
    ahead, back = -int(namespace(seen).min(seen)), int(namespace(seen).max(seen))
    where = f"{type(spec).__name__}: distances"
    must = f"at most {left} back and {right} ahead, as its table has rows"
    given = f"{max(back, 0)} back and {max(ahead, 0)} ahead"
    check(back <= left and ahead <= right, where, must, given, "Make the table longer.")
