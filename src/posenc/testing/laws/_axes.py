"""Laws about axes: batch, tokens, heads and channels are never taken for one another."""

from __future__ import annotations

import dataclasses

import numpy as np

from posenc._facade import bind
from posenc._typing import Layout
from posenc.errors import EncodingError
from posenc.functional._layouts import pair_order
from posenc.testing._case import KEYS, LENGTH, SPREAD, Case
from posenc.testing._compare import close, numbers, require, same
from posenc.testing.laws._law import law, turns
from posenc.testing.laws._values import turners

_NEAR = {"atol": 1e-6, "rtol": 1e-6}


@law()
def law_batch_rows_are_apart(case: Case) -> None:
    """A batch with positions of its own in each row is its rows, one by one."""
    scheme, other = case.scheme(), (10, 11, 20, 25, 50)
    rows = case.positions([SPREAD, other])
    one_by_one = [case.positions(SPREAD), case.positions(other)]
    x, y = case.heads_of(len(SPREAD)), case.heads_of(len(SPREAD), seed=2)
    for b, at in enumerate(one_by_one):
        for name, turn in turners(scheme):
            close(turn(x, rows)[b, ...], turn(x[b, ...], at), f"{name}, row {b}", **_NEAR)
        if scheme.embed:
            close(scheme.embed(rows)[b, ...], scheme.embed(at), f"embed, row {b}", **_NEAR)
        if scheme.bias:
            close(scheme.bias(rows)[b, ...], scheme.bias(at), f"bias, row {b}", **_NEAR)
        if scheme.adjust:
            due = case.adjusted(scheme, x[b, ...], y[b, ...], at)
            got = case.adjusted(scheme, x, y, rows)[b, ...]
            close(got, due, f"adjust, row {b}", atol=case.summed, rtol=1e-6)


@law()
def law_positions_permute_with_tokens(case: Case) -> None:
    """Tokens may come in any order, each with its position: only the order of answers changes."""
    scheme = case.scheme()
    order = [3, 0, 4, 2, 1]
    mixed, back = case.positions([SPREAD[i] for i in order]), case.positions(KEYS[::-1])
    plain, k = case.positions(), case.positions(KEYS)
    x = case.heads_of(len(SPREAD))
    shuffled = case.library.array(numbers(x)[..., order, :], "float32")
    for name, turn in turners(scheme):
        expected = numbers(turn(x, plain))[..., order, :]
        close(turn(shuffled, mixed), expected, f"{name} in another order", **_NEAR)
    if scheme.embed:
        expected = numbers(scheme.embed(plain))[order]
        close(scheme.embed(mixed), expected, "embed in another order", **_NEAR)
    if scheme.bias:
        expected = numbers(scheme.bias(plain, k))[..., order, ::-1]
        close(scheme.bias(mixed, back), expected, "bias in another order", **_NEAR)
    if scheme.adjust:
        y = case.heads_of(len(KEYS), seed=2)
        turned_back = case.library.array(numbers(y)[..., ::-1, :], "float32")
        expected = numbers(case.adjusted(scheme, x, y, plain, k))[..., order, ::-1]
        got = case.adjusted(scheme, shuffled, turned_back, mixed, back)
        close(got, expected, "adjust in another order", atol=case.summed, rtol=1e-6)


@law(turns)
def law_head_axes_agree(case: Case) -> None:
    """Heads before tokens, heads after tokens and no heads give the same numbers.

    Tokens without heads may be refused where each head turns in its own way.
    """
    scheme, xp = case.scheme(), case.library.xp
    x = case.heads_of(len(SPREAD))
    swapped = xp.permute_dims(x, (0, 2, 1, 3))
    for at in (case.positions(), case.positions([SPREAD, SPREAD[::-1]])):
        for name, turn in turners(scheme):
            due = turn(x, at)
            after = xp.permute_dims(turn(swapped, at, head_axis=-2), (0, 2, 1, 3))
            close(after, due, f"{name} with head_axis=-2", **_NEAR)
            try:
                alone = turn(x[:, 0, ...], at, head_axis=None)
            except EncodingError:
                apart = getattr(case.turning, "heads", 1) > 1
                require(apart, f"{name} with head_axis=None: refused, though all heads turn alike")
            else:
                close(alone, due[:, 0, ...], f"{name} with head_axis=None", **_NEAR)


def _free_layout(case: Case) -> bool:
    """Whether either layout could be had: not where each axis has halves of its own."""
    axes = getattr(case.turning, "axes", None)
    return case.rotary and hasattr(case.turning, "layout") and not (axes and axes.spans)


@law(_free_layout)
def law_layouts_are_a_permutation(case: Case) -> None:
    """One layout on channels in its order gives what the other gives in its own."""
    part, xp = case.turning, case.library.xp
    layout = part.layout
    other: Layout = "half" if layout == "interleaved" else "interleaved"
    dim, channels = part.dim, case.width
    start = channels - dim if getattr(part, "at", "front") == "back" else 0
    order = np.arange(channels)
    order[start : start + dim] = start + pair_order(dim, layout, other)
    x = case.heads_of(len(SPREAD))
    moved = case.library.array(numbers(x)[..., order], "float32")
    twin = bind(dataclasses.replace(part, layout=other), length=LENGTH, xp=xp)
    mine = dict(turners(bind(part, length=LENGTH, xp=xp)))
    for name, turn in turners(twin):
        expected = numbers(mine[name](x, case.positions()))[..., order]
        close(turn(moved, case.positions()), expected, f"{name} as {other}", **_NEAR)


@law()
def law_empty_sequence(case: Case) -> None:
    """No tokens give no answers, and no keys an empty row; nothing crashes."""
    scheme, none, some = case.scheme(), case.positions(()), case.positions()
    for name, turn in turners(scheme):
        x = case.heads_of(0)
        same(turn(x, none), x, f"{name} of no tokens")
    if scheme.embed:
        code = scheme.embed(some)
        same(scheme.embed(none), code[:0, :], "embed of no positions")
    if scheme.bias:
        full = scheme.bias(some, some)
        same(scheme.bias(none, some), full[:, :0, :], "bias of no queries")
        same(scheme.bias(some, none), full[:, :, :0], "bias of no keys")
    if scheme.adjust:
        x, no = case.heads_of(len(SPREAD)), case.heads_of(0)
        full = case.adjusted(scheme, x, x, some, some)
        same(case.adjusted(scheme, no, x, none, some), full[..., :0, :], "adjust of no queries")
        same(case.adjusted(scheme, x, no, some, none), full[..., :0], "adjust of no keys")
