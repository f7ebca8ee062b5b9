"""A claim that cannot fail says nothing: break the library in many ways, and each must turn false.

Every sabotage replaces one function of the library wherever it is used. A claim that stays ok
under all of them measures nothing of ours; of the few whose subject is something else, listed by
name, each must turn false when the helper that stands for that subject is broken.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from posenc import _arrays, _attending, _characters, attention, claims, specs
from posenc.claims import Claim
from posenc.functional import _additive, _angles, _bias, _ladder, _layouts, _rotary
from posenc.positions import _bits
from posenc.specs import _naive

ABOUT_OTHERS = {
    # a recurrent net
    "blind.recurrence",
    # a linear layer
    "input.add-shares-projection",
    "input.concat-is-two-projections",
    "input.layer-is-projection",
    "input.one-matrix",
    # an orthogonal projection, and coordinates along oblique axes
    "input.drop-height",
    "input.drop-height-cosine",
    "input.oblique-coordinates",
    "input.oblique-is-shadow",
    "input.projected-twice",
    "input.right-angles-agree",
}
"""Claims whose subject the library has no function for: a helper of the claims stands for it."""

Sabotage = Callable[[Callable[..., Any]], Callable[..., Any]]


@contextmanager
def broken(owner: Any, name: str, sabotage: Sabotage) -> Iterator[None]:
    """Replace ``owner.name`` by its sabotaged self, under whatever name a module imported it."""
    original = getattr(owner, name)
    fake = sabotage(original)
    ours = [module for n, module in sys.modules.items() if n.partition(".")[0] == "posenc"]
    places = [(m, other) for m in ours for other, value in vars(m).items() if value is original]
    if isinstance(owner, type):
        places = [(owner, name)]
    try:
        for place, other in places:
            setattr(place, other, fake)
        yield
    finally:
        for place, other in places:
            setattr(place, other, original)


def scaled(by: float) -> Sabotage:
    """The result times a number, for arrays, numbers and tuples of them."""

    def sabotage(original: Callable[..., Any]) -> Callable[..., Any]:
        def fake(*arguments: Any, **options: Any) -> Any:
            result = original(*arguments, **options)
            return tuple(r * by for r in result) if isinstance(result, tuple) else result * by

        return fake

    return sabotage


def first_argument(change: Callable[[Any], Any]) -> Sabotage:
    """The call with its first argument changed."""

    def sabotage(original: Callable[..., Any]) -> Callable[..., Any]:
        def fake(first: Any, *arguments: Any, **options: Any) -> Any:
            return original(change(first), *arguments, **options)

        return fake

    return sabotage


def result(change: Callable[[Any], Any]) -> Sabotage:
    """The call with its result changed."""

    def sabotage(original: Callable[..., Any]) -> Callable[..., Any]:
        def fake(*arguments: Any, **options: Any) -> Any:
            return change(original(*arguments, **options))

        return fake

    return sabotage


def returns_first(original: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does nothing to its first argument."""
    return lambda first, *arguments, **options: first


def swapped(original: Callable[..., Any]) -> Callable[..., Any]:
    """Sine and cosine exchanged."""

    def fake(cos: Any, sin: Any, **options: Any) -> Any:
        return original(sin, cos, **options)

    return fake


def noisy(original: Callable[..., Any]) -> Callable[..., Any]:
    """A result with fresh noise: no two calls agree."""
    rng = np.random.default_rng(3)

    def fake(*arguments: Any, **options: Any) -> Any:
        value = original(*arguments, **options)
        noise = lambda v: v + rng.normal(scale=0.1, size=np.shape(v))  # noqa: E731
        return tuple(map(noise, value)) if isinstance(value, tuple) else noise(value)

    return fake


def noisy_maker(original: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes functions, whose results get noise."""
    return lambda *arguments, **options: noisy(original(*arguments, **options))


def other_layout(original: Callable[..., Any]) -> Callable[..., Any]:
    """Pairs joined in the other layout than they were split."""

    def fake(*arguments: Any, **options: Any) -> Any:
        *rest, layout = arguments
        return original(*rest, "half" if layout == "interleaved" else "interleaved", **options)

    return fake


def of_the_library() -> Iterator[tuple[Any, str, Sabotage]]:
    """Owner, function, and how it is broken."""
    yield _angles, "angles", first_argument(lambda p: p * 3)
    yield _angles, "angles", first_argument(lambda p: p + (p // 7) * 0.013)
    yield _angles, "angles", first_argument(lambda p: p // 2 * 2)
    yield _angles, "angles", scaled(0.9)
    yield _angles, "angles", noisy
    yield _ladder, "geometric", result(lambda f: f * 1.03)
    yield _ladder, "geometric", result(lambda f: f**1.5)
    yield _ladder, "inclusive", result(lambda f: f**0.9)
    yield _additive, "waves", swapped
    yield _additive, "waves", noisy
    yield _additive, "bits", result(lambda b: b[..., ::-1])
    yield _additive, "bits", result(lambda b: 1 - b)
    yield _additive, "bits", noisy
    yield _additive, "gray", returns_first
    yield _additive, "rows", result(lambda r: np.roll(r, 1, axis=0))
    yield _additive, "rows", scaled(1.2)
    yield _additive, "rows", noisy
    yield _additive, "rows", result(np.abs)
    yield _rotary, "rotate", scaled(1.01)
    yield _rotary, "rotate", returns_first
    yield _rotary, "rotate", noisy
    yield _layouts, "split_pairs", other_layout
    yield _layouts, "pair_order", result(lambda o: o[::-1])
    yield _naive, "_filled", noisy_maker
    yield _naive, "_known", scaled(0)
    yield _bias, "alibi_slopes", scaled(1.1)
    yield _bias, "alibi", scaled(-1)
    yield _bias, "alibi", noisy
    yield _bits, "distance", scaled(-1)
    yield _bias, "t5_edges", result(lambda e: [n + 1 for n in e])
    yield _bias, "t5_buckets", result(lambda b: b // 2)
    yield attention, "_softmax", scaled(1.3)
    yield attention, "_softmax", noisy
    yield attention, "_softmax", result(lambda w: np.roll(w, 1, axis=-2))
    yield (
        attention,
        "_softmax",
        first_argument(lambda logits: logits + np.arange(logits.shape[-1])),
    )
    yield attention, "_softmax", result(lambda w: w * 0 + 1 / w.shape[-1])
    yield _attending.Seen, "allowed", result(lambda mask: None)
    yield attention, "attend", scaled(1.5)
    for rule in ("Linear", "Ntk", "DynamicNtk", "Llama3", "Proportional", "Yarn", "LongRope"):
        cls = getattr(specs, rule)
        yield cls, "rescale", scaled(1.05)
        yield cls, "rescale", lambda _: lambda self, freqs, **o: freqs
        yield cls, "magnitude", scaled(1.1)
    yield specs.Sinusoidal, "shift", result(lambda m: m * 1.1)
    yield specs.Rope, "frequencies", scaled(1.1)
    yield specs.Rope, "attention_factor", scaled(1.1)
    yield (
        specs.Learned,
        "learned",
        result(lambda shapes: {n: (r + 1, d) for n, (r, d) in shapes.items()}),
    )
    yield (
        specs.Integer,
        "bind",
        lambda _: (
            lambda self, arrays, **o: specs.OneHot(rows=2048).bind(
                specs.OneHot(rows=2048).constants(), **o
            )
        ),
    )
    yield (
        specs.NormalizedInteger,
        "bind",
        lambda _: lambda self, arrays, **o: specs.Integer(dim=self.dim).bind(arrays),
    )
    yield _characters, "heat_map", result(lambda lines: lines.swapcase()[::-1])
    yield _arrays, "is_narrow", result(lambda narrow: False)


def of_the_helpers() -> Iterator[tuple[Any, str, Sabotage]]:
    """What claims measure that the library has no function for, such as a recurrent net."""
    frame = {"_chapter", "_claim", "_plain", "_codes"}
    for found in pkgutil.iter_modules(claims.__path__):
        if not found.name.startswith("_") or found.name in frame:
            continue
        module = importlib.import_module(f"posenc.claims.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                yield module, name, noisy
                yield module, name, returns_first


def survivors(alive: list[Claim], sabotages: Iterator[tuple[Any, str, Sabotage]]) -> list[Claim]:
    """The claims that stay ok under every one of them."""
    assert all(claims.prove(c).ok for c in alive)
    left = alive
    for owner, name, sabotage in sabotages:
        with broken(owner, name, sabotage):
            left = [c for c in left if claims.prove(c).ok]
    assert all(claims.prove(c).ok for c in alive), "a sabotage was not undone"
    return left


def test_every_claim_can_fail() -> None:
    left = survivors(claims.all_claims(), of_the_library())
    assert sorted(c.id for c in left) == sorted(ABOUT_OTHERS)
    assert survivors(left, of_the_helpers()) == []
