"""Laws about the numbers themselves: shape, dtype, size, and what they may depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc._arrays import dtype_name
from posenc._tokens import token_shape
from posenc._typing import Array
from posenc.errors import EncodingError
from posenc.scheme import Scheme
from posenc.testing._case import BATCH, KEYS, ROOM, SPREAD, Case
from posenc.testing._compare import close, numbers, require, same, same_shape
from posenc.testing._libraries import HALVES
from posenc.testing.laws._law import law, relative, rotary, turns


def turners(scheme: Scheme) -> Iterator[tuple[str, Any]]:
    """The hooks that turn tokens, by name."""
    for name in ("query", "key"):
        hook = getattr(scheme, name)
        if hook is not None:
            yield name, hook


@law()
def law_shape_kept(case: Case) -> None:
    """Tokens keep their shape; a code is (*batch, n, dim), a bias (*batch, heads, q, k).

    What logits are multiplied by is a number, or (*batch, 1 or heads, q).
    """
    scheme, n = case.scheme(), len(SPREAD)
    one, other = case.positions(), case.positions(KEYS)
    rows = case.positions([SPREAD] * BATCH)
    for name, turn in turners(scheme):
        for lead in ((case.heads,), (BATCH, case.heads), (3, BATCH, case.heads)):
            x = case.tokens(*lead, n)
            same_shape(turn(x, one), tuple(x.shape), f"{name} of {len(lead) + 2} axes")
        x = case.heads_of(n)
        same_shape(turn(x, rows), tuple(x.shape), f"{name} with positions of two axes")
    if scheme.embed:
        dim = scheme.embed(one).shape[-1]
        same_shape(scheme.embed(one), (n, dim), "embed of (n,)")
        same_shape(scheme.embed(rows), (BATCH, n, dim), "embed of (batch, n)")
    if scheme.bias:
        square = (case.heads, n, len(KEYS))
        same_shape(scheme.bias(one, other), square, "bias of (q,) and (k,)")
        same_shape(scheme.bias(rows, rows), (BATCH, case.heads, n, n), "bias of (batch, n)")
    if scheme.adjust:
        lone = len(token_shape(other, scheme.coordinates)) == 1  # or it is a row of a batch
        leads = ((case.heads,), (BATCH, case.heads), (3, BATCH, case.heads))
        for lead in leads if lone else leads[1:]:
            x, y = case.tokens(*lead, n), case.tokens(*lead, len(KEYS), seed=2)
            got = case.adjusted(scheme, x, y, one, other)
            same_shape(got, (*lead, n, len(KEYS)), f"adjust of {len(lead) + 2} axes")
    if scheme.logit_scale and hasattr(scale := scheme.logit_scale(one), "shape"):
        heads = 1 if scale.shape[-2] == 1 else case.heads
        same_shape(scale, (heads, n), "logit_scale of (n,)")
        same_shape(scheme.logit_scale(rows), (BATCH, heads, n), "logit_scale of (batch, n)")


@law()
def law_dtype_kept(case: Case) -> None:
    """Tokens keep their dtype, codes have the one asked for, biases float32 or wider."""
    scheme, at = case.scheme(), case.positions()
    for dtype in case.library.dtypes:
        for name, turn in turners(scheme):
            got = dtype_name(turn(case.heads_of(len(SPREAD), dtype=dtype), at))
            require(got == dtype, f"{name} of {dtype}: {got}")
        if scheme.embed:
            got = dtype_name(scheme.embed(at, dtype=getattr(case.library.xp, dtype)))
            require(got == dtype, f"embed, asked for {dtype}: {got}")
        if scheme.adjust:
            x = case.heads_of(len(SPREAD), dtype=dtype)
            got, due = dtype_name(case.adjusted(scheme, x, x, at)), "float64"
            due = due if dtype == due else "float32"
            require(got == due, f"adjust of {due} logits, {dtype} tokens: {got}")
    for name in ("embed", "bias"):
        if hook := getattr(scheme, name):
            got = dtype_name(hook(at))
            require(got in ("float32", "float64"), f"{name}: {got} where float32 is due")


@law()
def law_finite(case: Case) -> None:
    """Every answer is a finite number, near and as far as the encoding goes."""
    scheme = case.scheme()
    for start in (0, case.far):
        at = case.positions(range(ROOM), shift=start)
        for name, answer in case.answers(scheme, at):
            bad = int((~np.isfinite(numbers(answer))).sum())
            require(not bad, f"{name} from {start}: {bad} numbers are not finite")


@law(turns)
def law_linear(case: Case) -> None:
    """Turning is linear in the tokens: turn(2 x - 3 y) = 2 turn(x) - 3 turn(y)."""
    scheme, at = case.scheme(), case.positions()
    x, y = case.heads_of(len(SPREAD)), case.heads_of(len(SPREAD), seed=2)
    for name, turn in turners(scheme):
        joint, apart = turn(2 * x - 3 * y, at), 2 * turn(x, at) - 3 * turn(y, at)
        close(joint, apart, f"{name}(2 x - 3 y)", atol=2e-5 * max(case.gain, 1.0))


@law(rotary)
def law_norm_kept(case: Case) -> None:
    """A rotation keeps lengths at every position, up to the attention factor."""
    scheme, g = case.scheme(), case.gain
    x = case.heads_of(len(SPREAD))
    before = np.linalg.norm(numbers(x), axis=-1)
    for name, turn in turners(scheme):
        still = np.linalg.norm(numbers(turn(x, case.positions([0] * len(SPREAD)))), axis=-1)
        ratio = still / before
        low, high = min(1.0, g) - 1e-6, max(1.0, g) + 1e-6
        within = bool(((low <= ratio) & (ratio <= high)).all())
        require(within, f"{name}: lengths grow by {ratio.min():.9g} to {ratio.max():.9g}, not {g}")
        for shift in (0, case.far):
            after = np.linalg.norm(numbers(turn(x, case.positions(shift=shift))), axis=-1)
            close(
                after, still, f"length of {name} from {8 + shift}", atol=1e-5 * max(case.gain, 1.0)
            )


@law(lambda case: case.rotary and case.gain == 1)
def law_position_zero_is_identity(case: Case) -> None:
    """At position 0 a rotation does nothing, where no factor multiplies the channels."""
    x = case.heads_of(len(SPREAD))
    for name, turn in turners(case.scheme()):
        same(turn(x, case.positions([0] * len(SPREAD))), x, f"{name} at position 0")


def scores(case: Case, scheme: Scheme, q: Array, k: Array) -> Array:
    """Logits of fixed unit tokens at ``q`` and ``k``, before scale and mask."""
    x, y = (_unit(case, case.count(at), seed) for at, seed in ((q, 1), (k, 2)))
    turned_x = scheme.query(x, q) if scheme.query else x
    turned_y = scheme.key(y, k) if scheme.key else y
    logits = turned_x @ case.library.xp.matrix_transpose(turned_y)
    if scheme.adjust:
        logits = scheme.adjust(logits, x, y, q, k)
    return logits + scheme.bias(q, k) if scheme.bias else logits


def _unit(case: Case, count: int, seed: int) -> Array:
    x = numbers(case.heads_of(count, seed=seed))
    return case.library.array(x / np.linalg.norm(x, axis=-1, keepdims=True), "float32")


@law(relative)
def law_relative_only(case: Case) -> None:
    """Scores depend on the distance between positions and on nothing else."""
    scheme = case.scheme()
    here = scores(case, scheme, case.positions(), case.positions(KEYS))
    for shift in (5, case.far):
        q, k = case.positions(shift=shift), case.positions(KEYS, shift=shift)
        there = scores(case, scheme, q, k)
        atol = (5e-6 + case.blur(shift)) * max(case.gain, 1.0) ** 2
        close(there, here, f"scores moved by {shift}", atol=atol, rtol=1e-6)


@law(lambda case: bool(case.library.halves))
def law_cast_proof(case: Case) -> None:
    """Half precision rounds the answer once and reaches no position and no frequency."""
    scheme = case.scheme()
    for half in case.library.halves:
        at = case.positions([p for p in _PAST_HALVES if _answered(case, scheme, p, half)])
        dtype, eps = getattr(case.library.xp, half), HALVES[half]
        x = case.heads_of(case.count(at), dtype=half)
        wide = case.library.array(numbers(x), "float32")
        for name, turn in turners(scheme):
            close(turn(x, at), turn(wide, at), f"{name} of {half}", atol=1e-6, rtol=eps)
            if case.rotary:
                _distinct(case, turn, half, name)
        if scheme.embed:
            code, asked = scheme.embed(at), scheme.embed(at, dtype=dtype)
            close(asked, code, f"embed, asked for {half}", atol=1e-6, rtol=eps)
        if scheme.adjust:
            near = case.positions(SPREAD[: case.count(at)])  # distances may have an end
            due = case.adjusted(scheme, wide, wide, near)
            got = case.adjusted(scheme, x, x, near)
            close(got, due, f"adjust of {half}", atol=case.summed, rtol=1e-6)


_PAST_HALVES = (257, 511, 2049, 4099, 9_001)
"""What bfloat16 cannot count, the first of which every encoding has to answer for."""


def _answered(case: Case, scheme: Scheme, position: int, half: str) -> bool:
    """Whether tokens in half precision may stand there: what they are turned to has to fit."""
    if position >= case.far + ROOM:
        return False
    try:
        for _, turn in turners(scheme):
            turn(case.heads_of(1, dtype=half), case.positions([position]))
    except EncodingError:
        require(position > _PAST_HALVES[0], f"{half} at {position}: refused")
        return False
    return True


def _distinct(case: Case, turn: Any, half: str, name: str) -> None:
    """Consecutive positions past 256 are merged by nothing but the rounding of the answer."""
    token = np.broadcast_to(numbers(case.tokens(1, 1)), (case.heads, ROOM, case.width))
    at = case.positions(range(257, 257 + ROOM))
    narrow = case.library.array(token, half)
    wide = turn(case.library.array(numbers(narrow), "float32"), at)
    rounded = case.library.xp.astype(wide, getattr(case.library.xp, half))
    rows, due = (len(np.unique(numbers(t)[0], axis=0)) for t in (turn(narrow, at), rounded))
    require(rows == due, f"{name} of {half}: {rows} different rows where {due} are due")
