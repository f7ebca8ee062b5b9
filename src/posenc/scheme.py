"""What an encoding does to one attention layer: pure functions in one fixed record.

The arithmetic of a layer, in this order, with q and k as the projections made them:

    q', k'  = query(q), key(k)
    logits  = adjust(q' k'^T, q, k) * scale * logit_scale + bias
    output  = softmax(mask(logits)) v

``adjust`` is given the logits of every query head in float32 or wider, and q and k in their own
dtype and with their own heads: under grouped queries k has fewer, each shared by as many heads of
q in a row.

Every hook takes positions, or in their place what ``prepare`` made of them once per forward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from posenc._arrays import is_float64, namespace, plain_dtype, swapped
from posenc._shortcut import shortcut
from posenc._typing import Array, Namespace
from posenc.errors import EncodingError, EncodingTypeError, check

__all__ = ["HOOKS", "Placed", "Scheme", "combine"]

Hook: TypeAlias = Callable[..., Any]


HOOKS = ("embed", "query", "key", "bias", "adjust", "logit_scale")
"""What a scheme may do, by the names of its fields."""


class Placed(NamedTuple):
    """Where the queries and the keys are, what a scheme derived from that, and whose it is."""

    q_positions: Array
    k_positions: Array
    q: Any
    k: Any
    owner: Any = ()


class Scheme(NamedTuple):
    """What one attention layer needs from a positional encoding; a hook not needed is None.

    ==============  ===============================================================
    prepare         ``q_positions, k_positions=None, *, float64=False -> Placed``
    embed           ``positions, *, dtype=None -> (*batch, n, dim)``, added to tokens
    query, key      ``x, positions, *, head_axis=-3 -> x``
    bias            ``q_positions, k_positions -> (*batch, heads, q, k)``
    adjust          ``logits, q, k, q_positions, k_positions -> logits``
    logit_scale     ``q_positions -> (*batch, 1 or heads, q)``, or a number
    ==============  ===============================================================

    Positions are ``(n,)`` or ``(*batch, n)``; of an encoding of several ``coordinates`` they have
    one more axis at the end, of that size.

    ``prepare`` makes float32 tables, by which float64 tokens turn no more exactly than that; ask it
    for ``float64=True`` where they should.

    In place of positions every hook takes the ``Placed`` that this scheme's ``prepare`` returned,
    or that of a scheme bound alike; another's is refused. A scheme is functions over arrays and is
    not pickled: keep the spec and the arrays, and bind again.
    """

    prepare: Hook
    embed: Hook | None = None
    query: Hook | None = None
    key: Hook | None = None
    bias: Hook | None = None
    adjust: Hook | None = None
    logit_scale: Hook | None = None
    coordinates: int = 1


def combine(*schemes: Scheme) -> Scheme:
    """Join schemes into one: codes and biases add, scales multiply, the rest has one owner.

    Raises:
        EncodingError: If two schemes both turn queries, turn keys or adjust logits, since the
            order would matter and nobody stated one.
    """
    for scheme in schemes:
        hint = "Bind a spec first, or combine specs: Stack(a, b)."
        given = isinstance(scheme, Scheme)
        check(given, "combine()", "given schemes", scheme, hint, error=EncodingTypeError)

    def prepare(q_positions: Array, k_positions: Array = None, **options: Any) -> Placed:
        parts = tuple(s.prepare(q_positions, k_positions, **options) for s in schemes)
        keys = q_positions if k_positions is None else k_positions
        return Placed(q_positions, keys, parts, parts)

    # A part is given its own Placed, at the same place in the arguments as the joint one.
    def part(index: int, arguments: Sequence[Any]) -> list[Any]:
        return [_parts(a, len(schemes))[index] if isinstance(a, Placed) else a for a in arguments]

    def folded(name: str, join: Callable[[Any, Any], Any]) -> Hook | None:
        owners = [(i, getattr(s, name)) for i, s in enumerate(schemes) if getattr(s, name)]
        if not owners:
            return None

        def hook(*arguments: Any, **options: Any) -> Any:
            values = [h(*part(i, arguments), **options) for i, h in owners]
            total = values[0]
            for value in values[1:]:
                total = join(total, value)
            return total

        return hook

    def only(name: str) -> Hook | None:
        owners = sum(getattr(s, name) is not None for s in schemes)
        check(
            owners <= 1,
            "combine()",
            f"given at most one scheme with a {name!r} hook",
            f"{owners} of them",
            "Two of them would not commute; write one spec that does both.",
        )
        return folded(name, lambda a, _: a)

    return Scheme(
        prepare=prepare,
        embed=_rounded_once(folded("embed", _same(-1, "codes of one width", lambda a, b: a + b))),
        query=only("query"),
        key=only("key"),
        bias=folded("bias", _same(-3, "biases for as many heads", lambda a, b: a + b)),
        adjust=only("adjust"),
        logit_scale=folded("logit_scale", lambda a, b: a * b),
        coordinates=_coordinates(schemes),
    )


def _rounded_once(embed: Hook | None) -> Hook | None:
    """The sum of codes, which in half precision is rounded and not its terms."""
    if embed is None:
        return None

    def hook(positions: Array | Placed, *, dtype: Any = None) -> Array:
        narrow = plain_dtype(dtype) in ("float16", "bfloat16")
        code = embed(positions, dtype=None if narrow else dtype)
        if not narrow:
            return code
        xp = namespace(code)
        return xp.astype(code, getattr(xp, plain_dtype(dtype), dtype))

    return hook


def _coordinates(schemes: Sequence[Scheme]) -> int:
    acting = {s.coordinates for s in schemes if any(getattr(s, hook) for hook in HOOKS)}
    must = "given schemes whose positions have as many coordinates"
    check(len(acting) <= 1, "combine()", must, sorted(acting))
    return acting.pop() if acting else 1


def _same(axis: int, what: str, join: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``join``, for arrays that agree on an axis: a size of 1 would stretch without a word."""

    def joined(a: Array, b: Array) -> Array:
        sizes = a.shape[axis], b.shape[axis]
        check(sizes[0] == sizes[1], "combine()", f"given {what}", sizes)
        return join(a, b)

    return joined


def _parts(placed: Placed, count: int) -> tuple[Placed, ...]:
    parts = placed.q
    joint = isinstance(parts, tuple) and [isinstance(p, Placed) for p in parts] == [True] * count
    must = f"given what the prepare() of these {count} schemes together made"
    check(joint, "A hook of combine()", must, "what another scheme's prepare() made")
    return parts  # type: ignore[no-any-return]


def turned(
    scheme: Scheme, q: Any, k: Any, q_at: Any, k_at: Any, *, head_axis: int | None = -3
) -> tuple[Any, Any]:
    """q and k as the query and the key hook turn them, by a kernel for both where there is one.

    Args:
        scheme: A hook that it has not leaves tokens as they are.
        q: Queries.
        k: Keys.
        q_at: Where the queries are, or what ``prepare`` made.
        k_at: Where the keys are, or the same.
        head_axis: Where q and k have their heads.
    """
    both = shortcut(scheme.query, "both")
    joint = both is not None and shortcut(scheme.key, "both") is both and q_at is k_at
    if joint and isinstance(q_at, Placed) and q_at.q_positions is q_at.k_positions:
        together = both(q, k, q_at, head_axis)  # type: ignore[misc]
        if together is not None:
            return together  # type: ignore[no-any-return]
    heads: dict[str, Any] = {} if head_axis == -3 else {"head_axis": head_axis}
    q = scheme.query(q, q_at, **heads) if scheme.query else q
    return q, scheme.key(k, k_at, **heads) if scheme.key else k


def answer(
    scheme: Scheme,
    q: Any,
    k: Any = None,
    q_positions: Any = None,
    k_positions: Any = None,
    *,
    head_axis: int | None = -3,
    dtype: Any = None,
) -> Any:
    """What a module answers by what it is given: a code, a bias, or q and k turned.

    What the encoding multiplies logits by, the attention factor of YaRN and LongRoPE or a
    temperature, is on q: its product with k, times the usual scale, is the layer's logit.

    Args:
        scheme: Of the module.
        q: Queries; or positions, alone for a code, and with those of keys as ``k`` for a bias.
        k: Keys, or their positions.
        q_positions: Where the queries are, or what ``prepare`` made.
        k_positions: Where the keys are; None: where the queries are.
        head_axis: Where q and k have their heads.
        dtype: Of the code.

    Raises:
        EncodingError: If the scheme does not do this, or an argument has no part in it.
    """
    if k is None:
        check(q_positions is None, "Encoding()", "given k with q and positions", k)
        return require(scheme, "embed", _FORMS)(q, dtype=dtype)
    check(dtype is None, "Encoding(): dtype", "left out but for a code", dtype)
    if q_positions is None:
        turns = scheme.query is not None and scheme.bias is None
        hint = "Positions are never guessed: pass posenc.positions.arange(n)."
        check(not turns, "Encoding(): q_positions", "given, to turn q and k", None, hint)
        return require(scheme, "bias", _FORMS)(q, k)
    both = isinstance(q_positions, Placed) and k_positions is not None
    hint = "What prepare() made holds both sides."
    check(not both, "Encoding(): k_positions", "left out", k_positions, hint)
    at = q_positions if k_positions is None else k_positions
    require(scheme, "query", _FORMS)
    if k_positions is None and not isinstance(at, Placed):
        axis = -2 if head_axis in (-3, None) else -3
        sizes = q.shape[axis], k.shape[axis]
        hint = "Left out, keys are where the queries are."
        must = "given where k has another number of tokens than q"
        check(sizes[0] == sizes[1], "Encoding(): k_positions", must, None, hint)
    require(scheme, "key")
    if scheme.logit_scale is None:
        return turned(scheme, q, k, q_positions, at, head_axis=head_axis)
    # Whoever attends with what comes back multiplies logits by nothing more: q carries it.
    xp = namespace(q)
    wide = xp.astype(q, xp.float64 if is_float64(q) else xp.float32, copy=False)
    factor = scheme.logit_scale(q_positions)
    if hasattr(factor, "shape"):  # (*batch, 1 or heads, n), as x with its heads before its tokens
        factor = factor[..., None]
        factor = factor if head_axis == -3 else _as_tokens(factor, head_axis, xp)
    wide, k = turned(scheme, wide, k, q_positions, at, head_axis=head_axis)
    return xp.astype(wide * factor, q.dtype, copy=False), k


def _as_tokens(factor: Array, head_axis: int | None, xp: Namespace) -> Array:
    """``(*batch, heads, n, 1)`` for tokens with heads on the other side, or without any."""
    if head_axis == -2:
        return swapped(factor, -3, -2, xp=xp)
    one = factor.shape[-3] == 1
    must = "-3 or -2 where each head is scaled by its own number"
    check(one, "Encoding(): head_axis", must, head_axis)
    return factor[..., 0, :, :]


_FORMS = " A module is called with p for a code, with q, k, p to turn, with p, p for a bias."


def require(scheme: Scheme, hook: str, hint: str = "") -> Hook:
    """The hook, or a sentence that says which ones the scheme does have."""
    found: Hook | None = getattr(scheme, hook)
    if found is None:
        filled = [n for n in HOOKS if getattr(scheme, n) is not None]
        raise EncodingError(
            f"A scheme must have the {hook!r} hook for this call; got one with "
            f"{', '.join(filled) or 'no hooks'}.{hint}"
        )
    return found
