"""Attention under any encoding, without a (heads, n, n) array where the encoding allows it."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import array_api_compat.torch as xp
import torch
from torch import Tensor

from posenc import attention
from posenc._arrays import is_concrete, undisturbed
from posenc._attending import (
    check_bias,
    groups_of,
    placed_for,
    scale_of,
    scheme_for,
    seen_of,
)
from posenc._typing import Arrays
from posenc.errors import check, check_known, is_word
from posenc.scheme import Placed, Scheme, turned
from posenc.specs import Spec, Stack
from posenc.torch import _flex
from posenc.torch._any_bias import attend_any
from posenc.torch._distance import by_distance
from posenc.torch._encoding import Encoding
from posenc.torch._flat import flat
from posenc.torch._rows import Attention, Layer, by_rows, wide
from posenc.torch._sdpa import by_sdpa

Backend: TypeAlias = Literal["sdpa", "flex", "rows", "reference"]

BACKENDS = ("sdpa", "flex", "rows", "reference")
_FEW = 2**22  # logits that are made at once without a thought: 16 MiB in float32


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: Encoding | Spec | Scheme,
    *,
    q_positions: Tensor | Placed | None = None,
    k_positions: Tensor | None = None,
    causal: bool = False,
    mask: Tensor | None = None,
    window: int | None = None,
    scale: float | None = None,
    length: int | None = None,
    arrays: Arrays | None = None,
    keys: Literal["raw", "turned"] = "raw",
    backend: Backend | None = None,
) -> Tensor:
    """``posenc.attend`` for PyTorch: the same answer, by the fastest way that fits.

    Args:
        q: ``(*batch, heads, q, dim)``, raw.
        k: ``(*batch, k_heads, k, dim)``; ``heads`` is a multiple of ``k_heads``.
        v: ``(*batch, k_heads, k, v_dim)``.
        encoding: A module, a spec with its ``arrays`` and ``length``, or a scheme.
        q_positions: Where the queries are, or what ``prepare`` made.
        k_positions: Where the keys are; None means where the queries are.
        causal: A query sees keys up to its own index, the last query seeing the last key.
        mask: Boolean, broadcasting to ``(*batch, heads, q, k)``: True may attend.
        window: A query sees keys at an index distance below this.
        scale: What logits are multiplied by; ``dim ** -0.5`` by default. T5 and its kin do not
            scale: pass 1.
        length: As for ``bind``, with a spec.
        arrays: As for ``bind``, with a spec.
        keys: "raw", or "turned" when ``k`` has been through the encoding's ``key`` already.
        backend: None picks, and inside compiled code or functorch takes "sdpa". "sdpa": torch's
            own attention, a bias as its mask. "flex": code that torch generates, a bias by
            distance. "rows": block by block in plain torch, a bias of any kind. "reference":
            ``posenc.attend``.
            "flex" and "rows", which long text gets, can be differentiated once: name "sdpa" for
            second derivatives.

    Returns:
        ``(*batch, heads, q, v_dim)`` in the dtype of ``v``. A query that sees nothing gets zeros.

    Raises:
        EncodingError: As ``posenc.attend``, or if the backend cannot do this.

    Example:
        >>> import torch, posenc.torch
        >>> q = k = v = torch.ones(1, 4, 300, 8)
        >>> alibi = posenc.Alibi(heads=4)
        >>> at = torch.arange(300)
        >>> posenc.torch.attend(q, k, v, alibi, q_positions=at, causal=True).shape
        torch.Size([1, 4, 300, 8])
    """
    check(is_word(keys, "raw", "turned"), "attend(): keys", "'raw' or 'turned'", keys)
    if backend is not None:
        check_known(backend, BACKENDS, "attend(): backend", "a known one")
    groups = groups_of(q, k, v)
    seen = seen_of(q, k, causal=causal, mask=mask, window=window)
    given, scale = scale, scale_of(q, scale)
    relative = _relative(encoding)
    scheme = scheme_for(encoding, arrays, length, xp)
    if keys == "turned":
        hint = "It reads keys as they were."
        kept = scheme.adjust is None or scheme.key is None  # without a key hook they still are
        check(kept, "attend(): keys", "'raw' for this encoding", keys, hint)
        scheme = scheme._replace(key=None)
    placed = placed_for(scheme, q, k, q_positions, k_positions)
    mixed = len({q.dtype, k.dtype, v.dtype}) > 1
    must = "'reference' for q, k and v of several dtypes"
    check(not mixed or backend in (None, "reference"), "attend(): backend", must, backend)
    seen_at = None if placed is None else (placed.q_positions, placed.k_positions)
    told = seen_at is None or all(map(is_concrete, (q, k, v, *seen_at)))
    chosen = backend or ("reference" if mixed else _pick(scheme, q, k, relative, told))
    if chosen == "reference" or 0 in (*q.shape, *k.shape):
        options: Any = {"causal": causal, "mask": mask, "window": window, "scale": given}
        return attention.attend(q, k, v, scheme, q_positions=placed, xp=xp, **options)  # type: ignore[no-any-return]
    hint = "It changes logits, which only the reference makes."
    check(scheme.adjust is None, "attend(): backend", "'reference' for this encoding", chosen, hint)

    kind, factor = v.dtype, scheme.logit_scale(placed) if scheme.logit_scale else 1.0
    q, k = turned(scheme, q, k, placed, placed)
    if isinstance(factor, Tensor):  # in half precision it would be rounded with q
        q, k, v = wide(q) * factor[..., None], wide(k), wide(v)
    else:
        scale = scale * factor
    with undisturbed(q):
        if scheme.bias is None or placed is None or chosen == "sdpa":
            bias = None if scheme.bias is None else scheme.bias(placed)
            return by_sdpa(q, k, v, bias, scale, seen).to(kind)
        one = flat(q, k, v, seen, groups)
        at = one.positions(placed, scheme.coordinates)
        by = by_distance(scheme, *at) if relative and scheme.coordinates == 1 else None
        if by is None:
            hint = "Its distances are not few, or not whole numbers."
            check(backend != "flex", "attend(): backend", "'rows' for this bias", backend, hint)
            out = attend_any(one.q, one.k, one.v, scheme, at, scale, one.seen)
        else:
            sizes = q.shape[-2], k.shape[-2]
            check_bias((len(by.values), *sizes), (q.shape[-3], *sizes))
            run = _flex.by_flex if chosen == "flex" else by_rows
            layer = Layer(scale, one.seen, by)
            values = by.values.to(wide(q).dtype)
            out = Attention.apply(one.q, one.k, one.v, values, layer, run)  # type: ignore[no-untyped-call]
    return out.reshape(*q.shape[:-1], v.shape[-1]).to(kind)


def _relative(encoding: Encoding | Spec | Scheme) -> bool:
    """Whether its bias knows distances alone; of a scheme nobody says so."""
    spec = encoding.spec if isinstance(encoding, Encoding) else encoding
    if isinstance(spec, Stack):
        return all(_relative(part) for part in spec.parts)
    return isinstance(spec, Spec) and spec.relative


def _pick(scheme: Scheme, q: Tensor, k: Tensor, relative: bool, concrete: bool) -> Backend:
    if scheme.adjust is not None:
        return "reference"
    # Where values cannot be looked at, nobody can see which distances there are; and functorch
    # cannot go through the blocks' own backward.
    if scheme.bias is None or not concrete:
        return "sdpa"
    if math.prod(q.shape[:-1]) * k.shape[-2] <= _FEW:
        return "sdpa"
    wide_enough = q.dtype != torch.float64 and relative
    return "flex" if wide_enough and _flex.available() else "rows"
