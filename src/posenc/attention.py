"""Attention with any encoding, in the plainest form: the reference that faster ones must equal."""

from __future__ import annotations

from posenc._arrays import is_float64, library, namespace, undisturbed
from posenc._attending import (
    Module,
    check_bias,
    groups_of,
    placed_for,
    scale_of,
    scheme_for,
    seen_of,
)
from posenc._typing import Array, Arrays, Namespace
from posenc.functional._relative import per_query_head
from posenc.scheme import Placed, Scheme, turned
from posenc.specs import Spec

__all__ = ["attend"]


def attend(
    q: Array,
    k: Array,
    v: Array,
    encoding: Spec | Scheme | Module,
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
        encoding: A spec, bound here with ``arrays`` and ``length``; a scheme; or a module that has
            one, such as ``posenc.torch.Encoding``. Codes that are added to tokens (``embed``)
            have done their work before the projections: a scheme may have them, a spec that has
            nothing else is refused.
        q_positions: Where the queries are, ``(q,)`` or ``(*batch, q)``, or what ``prepare`` made.
        k_positions: Where the keys are; None means where the queries are.
        causal: A query sees keys up to its own index, the last query seeing the last key. Indices
            count, never positions.
        mask: Boolean, broadcasting to ``(*batch, heads, q, k)``: True may attend.
        window: A query sees keys at an index distance below this.
        scale: What logits are multiplied by; ``dim ** -0.5`` by default. T5 and its kin do not
            scale: pass 1.
        length: Tokens in the run, for specs whose rule depends on it.
        arrays: Learned arrays of a spec that has any.
        xp: The array library, for compiled code; torch compiles this with a scheme that was
            bound outside, by ``bind(spec, xp="torch")``.

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
    groups_of(q, k, v)  # refuses what does not fit
    scale = scale_of(q, scale)
    seen = seen_of(q, k, causal=causal, mask=mask, window=window)
    scheme = scheme_for(encoding, arrays, length, space)
    wide = space.float64 if is_float64(q) else space.float32
    placed = placed_for(scheme, q, k, q_positions, k_positions)

    with undisturbed(q):
        turned_q, turned_k = turned(scheme, q, k, placed, placed)
        keys = per_query_head(space.astype(turned_k, wide, copy=False), q.shape[-3], xp=space)
        logits = space.astype(turned_q, wide, copy=False) @ space.matrix_transpose(keys)
        if scheme.adjust:
            logits = scheme.adjust(logits, q, k, placed)
        logits = logits * scale
        if scheme.logit_scale:
            factor = scheme.logit_scale(placed)
            logits = logits * (factor[..., None] if hasattr(factor, "shape") else factor)
        if scheme.bias:
            bias = space.astype(scheme.bias(placed), wide, copy=False)
            check_bias(bias.shape, logits.shape)
            logits = logits + bias
        weights = _softmax(logits, seen.allowed(q, k, space), space)
        values = per_query_head(space.astype(v, wide, copy=False), q.shape[-3], xp=space)
        return space.astype(weights @ values, v.dtype, copy=False)


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
