"""Attention with any encoding, in the plainest form: the reference that faster ones must equal."""

from __future__ import annotations

from typing import Any

from posenc._arrays import dtype_name, is_float64, is_real, library, namespace
from posenc._facade import bind
from posenc._tokens import broadcasts
from posenc._typing import Array, Arrays, Namespace
from posenc.errors import EncodingTypeError, check
from posenc.positions import bring
from posenc.scheme import Placed, Scheme
from posenc.specs import Spec
from posenc.specs._fields import Number, Whole

__all__ = ["attend"]


def attend(
    q: Array,
    k: Array,
    v: Array,
    encoding: Spec | Scheme,
    *,
    q_positions: Array | Placed = None,
    k_positions: Array = None,
    causal: bool = False,
    mask: Array = None,
    window: int | None = None,
    scale: float | None = None,
    length: int | None = None,
    arrays: Arrays | None = None,
    xp: Namespace | str | None = None,
) -> Array:
    """Scaled dot-product attention of raw q and k under a positional encoding.

        softmax(adjust(query(q) key(k)^T) * scale * logit_scale + bias) v

    Args:
        q: ``(*batch, heads, q, dim)``, as the projection made them, not turned.
        k: ``(*batch, k_heads, k, dim)``; ``heads`` is a multiple of ``k_heads``.
        v: ``(*batch, k_heads, k, v_dim)``.
        encoding: A spec, bound here with ``arrays`` and ``length``, or a scheme. Codes that are
            added to tokens (``embed``) have done their work before the projections.
        q_positions: Where the queries are, ``(q,)`` or ``(*batch, q)``, or what ``prepare`` made.
        k_positions: Where the keys are; None means where the queries are.
        causal: A query sees keys up to its own index, the last query seeing the last key. Indices
            count, never positions.
        mask: Boolean, broadcasting to ``(*batch, heads, q, k)``: True may attend.
        window: A query sees keys at an index distance below this.
        scale: What logits are multiplied by; ``dim ** -0.5`` by default, and 1 in T5.
        length: Tokens in the run, for specs whose rule depends on it.
        arrays: Learned arrays of a spec that has any.
        xp: The array library, for compiled code.

    Returns:
        ``(*batch, heads, q, v_dim)`` in the dtype of ``v``; softmax in float32 or wider. A query
        that may see nothing gets zeros.

    Raises:
        EncodingError: If shapes, heads, masks or libraries do not fit, positions are missing, or
            an argument cannot be taken into account.

    Example:
        >>> import numpy as np, posenc
        >>> q = k = v = np.ones((2, 5, 8), np.float32)
        >>> rope = posenc.Rope(dim=8, layout="half")
        >>> posenc.attend(q, k, v, rope, q_positions=np.arange(5), causal=True).shape
        (2, 5, 8)
    """
    space: Namespace = library(xp) or namespace(q)
    groups = _checked_groups(q, k, v)
    if scale is not None:
        scale = Number(at_least=-1e6, at_most=1e6).read("attend(): scale", scale)
    given = type(causal).__name__
    check(isinstance(causal, bool), "attend(): causal", "True or False", given)
    scheme = _scheme(encoding, arrays, length, space)
    wide = space.float64 if is_float64(q) else space.float32
    placed = _placed(scheme, q, q_positions, k_positions)

    turned_q = scheme.query(q, placed) if scheme.query else q
    turned_k = scheme.key(k, placed) if scheme.key else k
    keys = _per_query_head(space.astype(turned_k, wide, copy=False), groups, space)
    logits = space.astype(turned_q, wide, copy=False) @ space.matrix_transpose(keys)
    if scheme.adjust:
        logits = scheme.adjust(logits, q, k, placed)
    logits = logits * (q.shape[-1] ** -0.5 if scale is None else scale)
    if scheme.logit_scale:
        factor = scheme.logit_scale(placed)
        logits = logits * (factor[..., None] if hasattr(factor, "shape") else factor)
    if scheme.bias:
        bias = space.astype(scheme.bias(placed), wide, copy=False)
        _check_fits("bias", bias.shape, logits.shape)
        logits = logits + bias
    weights = _softmax(logits, _allowed(q, k, causal, window, mask, space), space)
    values = _per_query_head(space.astype(v, wide, copy=False), groups, space)
    return space.astype(weights @ values, v.dtype, copy=False)


def _scheme(encoding: Any, arrays: Any, length: int | None, space: Namespace) -> Scheme:
    if isinstance(encoding, Scheme):
        fixed = arrays is None and length is None
        given = [n for n, v in (("arrays", arrays), ("length", length)) if v is not None]
        hint = "A scheme is bound already; they belong to bind()."
        check(fixed, "attend(): encoding", "a spec to take arrays or a length", given, hint)
        return encoding
    known = isinstance(encoding, Spec)
    check(known, "attend(): encoding", "a spec or a scheme", encoding, error=EncodingTypeError)
    names = sorted(encoding.learned())
    hint = "Fresh ones are spec.init(rng); bind() takes them too."
    must = f"given: {', '.join(names)}"
    check(not names or arrays is not None, "attend(): arrays", must, None, hint)
    return bind(encoding, arrays, length=length, xp=space)


def _placed(scheme: Scheme, q: Array, q_positions: Any, k_positions: Any) -> Placed | None:
    if isinstance(q_positions, Placed):
        hint = "What prepare() made holds both sides."
        check(k_positions is None, "attend(): k_positions", "left out", k_positions, hint)
        return q_positions
    if q_positions is None:
        acts = any((scheme.query, scheme.key, scheme.bias, scheme.adjust, scheme.logit_scale))
        hint = "Positions are never guessed: pass posenc.positions.arange(n)."
        check(not acts, "attend(): q_positions", "given for this encoding", None, hint)
        return None
    q_positions = bring(q_positions, like=q, where="attend(): q_positions")
    if k_positions is not None:
        k_positions = bring(k_positions, like=q, where="attend(): k_positions")
    return scheme.prepare(q_positions, k_positions, float64=is_float64(q))  # type: ignore[no-any-return]


def _checked_groups(q: Array, k: Array, v: Array) -> int:
    ours = namespace(q)
    for name, x in (("q", q), ("k", k), ("v", v)):
        got = namespace(x).__name__
        must = f"of the library of q, {ours.__name__}"
        check(got == ours.__name__, f"attend(): {name}", must, got, error=EncodingTypeError)
        kind = dtype_name(x)
        must = "floating-point numbers"
        check(is_real(x), f"attend(): {name}", must, kind, error=EncodingTypeError)
        form = "of shape (*batch, heads, n, dim)"
        check(x.ndim >= 3, f"attend(): {name}", form, tuple(x.shape))
    same = tuple(v.shape[:-1]) == tuple(k.shape[:-1])
    check(same, "attend(): v", f"of shape {(*k.shape[:-1], 'v_dim')}", tuple(v.shape))
    channels = q.shape[-1]
    fits = k.shape[-1] == channels >= 1
    check(fits, "attend(): k", f"of {max(channels, 1)} channels, as q", tuple(k.shape))
    batch = tuple(q.shape[:-3])
    grown = broadcasts(tuple(k.shape[:-3]), batch)
    check(grown, "attend(): k", f"of batch {batch} or one that broadcasts to it", tuple(k.shape))
    heads, k_heads = q.shape[-3], k.shape[-3]
    if heads == k_heads:
        return 1
    divides = k_heads > 0 and heads % k_heads == 0
    check(divides, "attend(): k", f"of a number of heads that divides {heads}", k_heads)
    return int(heads // k_heads)


def _per_query_head(x: Array, groups: int, xp: Namespace) -> Array:
    """Each key head repeated for the query heads that share it."""
    if groups == 1:
        return x
    *batch, heads, n, dim = x.shape
    shared = xp.broadcast_to(x[..., :, None, :, :], (*batch, heads, groups, n, dim))
    return xp.reshape(shared, (*batch, heads * groups, n, dim))


def _allowed(
    q: Array, k: Array, causal: bool, window: int | None, mask: Array, xp: Namespace
) -> Array:
    """Which query may see which key; None when each may see all."""
    queries, keys = q.shape[-2], k.shape[-2]
    if mask is not None:
        ours, theirs = namespace(q).__name__, namespace(mask).__name__
        must = f"of the library of q, {ours}"
        check(ours == theirs, "attend(): mask", must, theirs, error=EncodingTypeError)
        kind = dtype_name(mask)
        hint = "True may attend; turn an additive mask into mask == 0."
        check(kind == "bool", "attend(): mask", "boolean", kind, hint, error=EncodingTypeError)
        _check_fits("mask", mask.shape, (*q.shape[:-1], keys))
    if window is not None:
        window = Whole(at_least=1, at_most=2**31 - 1).read("attend(): window", window)
    if not causal and window is None:
        return mask
    options = {"device": q.device} if hasattr(q, "device") else {}
    rows = xp.arange(keys - queries, keys, **options)[:, None]
    ahead = xp.arange(keys, **options)[None, :] - rows
    seen = ahead <= 0 if causal else xp.ones_like(ahead, dtype=xp.bool)
    if window is not None:
        seen = seen & (xp.abs(ahead) < window)
    return seen if mask is None else seen & mask


def _check_fits(name: str, shape: Any, due: Any) -> None:
    got, full = tuple(shape), tuple(due)
    must = f"of a shape that broadcasts to (*batch, heads, q, k) {full}"
    check(broadcasts(got, full), f"attend(): {name}", must, got)


def _softmax(logits: Array, allowed: Array, xp: Namespace) -> Array:
    if 0 in logits.shape:
        return xp.zeros_like(logits)
    if allowed is not None:
        logits = xp.where(allowed, logits, xp.full_like(logits, float("-inf")))
    top = xp.max(logits, axis=-1, keepdims=True)
    top = xp.where(top == float("-inf"), xp.zeros_like(top), top)
    weights = xp.exp(logits - top)
    total = xp.sum(weights, axis=-1, keepdims=True)
    return weights / xp.where(total == 0, xp.ones_like(total), total)
