"""Laws about calls: in pieces, after one another, with other arrays, compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from posenc._arrays import dtype_name
from posenc._typing import Array
from posenc.attention import attend
from posenc.errors import EncodingError
from posenc.scheme import HOOKS, Scheme
from posenc.testing._case import BATCH, KEYS, ROOM, SPREAD, Case
from posenc.testing._compare import LawError, close, numbers, require, same
from posenc.testing.laws._law import law
from posenc.testing.laws._values import turners


@law()
def law_chunked_equals_whole(case: Case) -> None:
    """Prefilled in two chunks and then decoded, a text gets what one call over it gives."""
    scheme, n = case.scheme(), 5
    places = range(8, 8 + n)
    x, y, z = (numbers(case.heads_of(n, seed=seed)) for seed in (1, 2, 3))

    def answers(start: int, stop: int) -> Iterator[tuple[str, Array]]:
        """What the tokens from ``start`` to ``stop`` get, with a cache of those before."""
        here, seen = case.positions(places[start:stop]), case.positions(places[:stop])
        cut = case.library.array(x[:, :, start:stop], "float32")
        k, v = (case.library.array(a[:, :, :stop], "float32") for a in (y, z))
        placed = {"q_positions": here, "k_positions": seen}
        yield "attention", attend(cut, k, v, scheme, causal=True, xp=case.library.xp, **placed)
        for name, turn in turners(scheme):
            yield name, turn(cut, here)
        if scheme.embed:  # as many positions as coordinates went in as a row of a batch
            yield "embed", numbers(scheme.embed(here)).reshape(stop - start, -1)

    factor = numbers(scheme.logit_scale(case.positions(places))).max() if scheme.logit_scale else 1
    louder = max(1.0, case.gain**2 * factor)  # what multiplies scores multiplies their rounding
    whole = {name: numbers(answer) for name, answer in answers(0, n)}
    for start, stop in ((0, 2), (2, 4), (4, 5)):
        for name, piece in answers(start, stop):
            due = whole[name][..., start:stop, :]
            close(piece, due, f"{name} of tokens {start} to {stop}", atol=5e-6 * louder)


@law()
def law_history_free(case: Case) -> None:
    """A longer call in between changes nothing: the same question has one answer."""
    scheme, at = case.scheme(), case.positions()
    before = [(name, numbers(answer)) for name, answer in case.answers(scheme, at)]
    list(case.answers(scheme, case.positions(range(ROOM), shift=case.far)))
    for again in (scheme, case.scheme()):
        for (name, answer), (_, due) in zip(case.answers(again, at), before, strict=True):
            same(answer, due, f"{name} after a longer call")


@law()
def law_prepare_equals_positions(case: Case) -> None:
    """A hook answers the same for positions and for what ``prepare`` made, each time anew."""
    scheme = case.scheme()
    q, k = case.positions(), case.positions(KEYS)
    placed = scheme.prepare(q, k)
    x, y = case.heads_of(len(SPREAD)), case.heads_of(len(KEYS), seed=2)
    due = dict(case.answers(scheme, q, k))
    logits = x @ case.library.xp.matrix_transpose(y)
    for name in due:
        given: dict[str, tuple[Any, ...]] = {"query": (x,), "key": (y,), "adjust": (logits, x, y)}
        for time in ("prepared positions", "them again, the first answer written over"):
            answer = getattr(scheme, name)(*given.get(name, ()), placed)
            close(answer, due[name], f"{name} of {time}", atol=1e-6, rtol=1e-6)
            if isinstance(answer, np.ndarray) and answer.flags.writeable:
                answer.fill(-1)


@law(lambda case: case.heads > 1 and _inside(case))
def law_grouped_keys_are_repeated_keys(case: Case) -> None:
    """Keys and values that several heads share give what each of them, repeated, would give.

    Where each head turns by frequencies of its own they may be refused: no head's would be right.
    """
    scheme, xp = case.scheme(), case.library.xp
    x, at = case.heads_of(len(SPREAD)), case.positions()
    k, v = (case.tokens(BATCH, 1, len(KEYS), seed=seed) for seed in (2, 3))
    places = {"q_positions": at, "k_positions": case.positions(KEYS), "xp": xp}
    try:
        shared = attend(x, k, v, scheme, **places)
    except EncodingError:
        apart = getattr(case.turning, "heads", 1) > 1
        require(apart, "keys that heads share are refused, though all heads turn alike")
        return
    k, v = (xp.broadcast_to(a, (BATCH, case.heads, *a.shape[2:])) for a in (k, v))
    close(shared, attend(x, k, v, scheme, **places), "attention of grouped queries", atol=2e-6)


def _inside(case: Case) -> bool:
    """Whether it acts inside attention."""
    hooks = case.hooks
    return any((hooks.query, hooks.key, hooks.bias, hooks.adjust, hooks.logit_scale))


@law(lambda case: bool(case.library.halves) and case.acts)
def law_half_positions_refused(case: Case) -> None:
    """Positions in half precision, where neighbours merge, are refused by every hook."""
    scheme = case.scheme()
    for half in case.library.halves:
        at = case.library.array(SPREAD, half)
        for name, ask in _askers(case, scheme):
            try:
                ask(at)
            except EncodingError:
                continue
            raise LawError(f"{name} took positions in {half}")


def _askers(case: Case, scheme: Scheme) -> Iterator[tuple[str, Callable[[Array], Any]]]:
    """Every hook that takes positions, as a function of positions alone."""
    yield "prepare", scheme.prepare
    for name in ("embed", "bias"):
        if hook := getattr(scheme, name):
            yield name, hook
    x = case.heads_of(len(SPREAD))
    for name, turn in turners(scheme):
        yield name, partial(turn, x)
    if scheme.adjust:
        yield "adjust", partial(case.adjusted, scheme, x, x)


@law()
def law_inputs_untouched(case: Case) -> None:
    """Tokens and positions may be read-only, and hold afterwards what they held before."""
    scheme, at = case.scheme(), case.positions()
    x = case.heads_of(len(SPREAD))
    for array in (x, at):
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    before = np.array(numbers(x)), np.array(numbers(at))
    for name, turn in turners(scheme):
        turn(x, at)
        same(x, before[0], f"tokens after {name}")
        same(at, before[1], f"positions after {name}")
    for name in ("embed", "bias"):
        if hook := getattr(scheme, name):
            hook(at)
            same(at, before[1], f"positions after {name}")
    if scheme.adjust:
        logits = x @ case.library.xp.matrix_transpose(x)
        if isinstance(logits, np.ndarray):
            logits.setflags(write=False)
        kept = np.array(numbers(logits))
        scheme.adjust(logits, x, x, at)
        for array, due in ((logits, kept), (x, before[0]), (at, before[1])):
            same(array, due, "what adjust was given")


@law(lambda case: case.library.compiles and _past_the_end(case) is not None)
def law_past_the_end_is_nan(case: Case) -> None:
    """Compiled code cannot refuse a position past the last; it answers NaN, never another row."""
    ask = _past_the_end(case)
    got = numbers(case.library.compiled(ask)(case.positions(_FAR_OUT))) if ask else np.zeros(0)
    require(bool(np.isnan(got).all()), f"1000000: {got.flat[0]:.9g} where NaN is due")


_FAR_OUT = [10**6] * len(SPREAD)


def _past_the_end(case: Case) -> Callable[[Array], Array] | None:
    """What refuses positions past the last, for a code or for logits, as a function of them."""
    scheme, x, near = case.scheme(), case.heads_of(len(SPREAD)), case.positions()

    def logits(at: Array) -> Array:
        return case.adjusted(scheme, x, x, at, near)

    for hook, ask in ((scheme.embed, scheme.embed), (scheme.adjust, logits)):
        try:
            if hook and ask:
                ask(case.positions(_FAR_OUT))
        except EncodingError:
            return ask
    return None


@law(lambda case: case.library.compiles and case.acts)
def law_compiled_equals_eager(case: Case) -> None:
    """Compiled as one graph, every hook answers as it does eagerly."""
    scheme = case.scheme()
    x = case.heads_of(len(SPREAD))
    together = case.positions((1, 8, 40, 41, 63), shift=case.far)  # distances may have an end
    names = [n for n in HOOKS if getattr(scheme, n) is not None]
    if scheme.logit_scale and not hasattr(scheme.logit_scale(together), "shape"):
        names.remove("logit_scale")  # a number

    def answers(x: Array, at: Array, together: Array) -> list[Array]:
        found = []
        for name in names:
            if name == "adjust":
                found.append(case.adjusted(scheme, x, x, together))
            else:
                given = (x,) if name in ("query", "key") else ()
                found.append(getattr(scheme, name)(*given, at))
        return found

    compiled = case.library.compiled(answers)
    for at in _near_and_far(case, scheme):
        got = compiled(x, at, together)
        for name, one, due in zip(names, got, answers(x, at, together), strict=True):
            # Two bodies' angles differ by their bounds, and of a pair one is the other's error.
            rows = name in ("query", "key")  # xPos makes tokens large
            size = np.abs(numbers(due)).max(-1, keepdims=True, initial=1.0) if rows else 1.0
            steady = case.summed if name == "adjust" else 1e-6
            near = 2 * steady * size + 4 * case.blur(case.far)
            close(one, due, f"{name}, compiled", atol=near, rtol=1e-6)
            kinds = dtype_name(one), dtype_name(due)
            require(kinds[0] == kinds[1], f"{name}, compiled: {kinds[0]} where {kinds[1]} is due")


def _near_and_far(case: Case, scheme: Scheme) -> list[Array]:
    """Positions near and far in one call; in two where distances end between them."""
    near, far = (8, 40), (case.far, case.far + 9, case.far + 63)
    together = case.positions((*near, *far))
    try:
        list(case.answers(scheme, together))
    except EncodingError:
        return [case.positions(SPREAD), case.positions(SPREAD, shift=case.far)]
    return [together]
