"""A claim that cannot fail says nothing: break the library in many ways, and each must turn false.

Every sabotage replaces one function of the library wherever it is used. A claim that stays ok
under all of them measures nothing of ours.
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
import pytest

from posenc import attention, claims, specs
from posenc.claims import Claim
from posenc.functional import _additive, _angles, _bias, _ladder, _layouts, _rotary
from posenc.specs import _naive

specs.load_all()

Sabotage = Callable[[Callable[..., Any]], Callable[..., Any]]


@contextmanager
def broken(owner: Any, name: str, sabotage: Sabotage) -> Iterator[None]:
    """Replace ``owner.name`` by its sabotaged self in every module that imported it."""
    original = getattr(owner, name)
    fake = sabotage(original)
    if isinstance(owner, type):
        places = [owner]
    else:
        modules = [m for n, m in sys.modules.items() if n.partition(".")[0] == "posenc"]
        places = [m for m in modules if vars(m).get(name) is original]
    alias = [
        (module, other)
        for n, module in sys.modules.items()
        if n.partition(".")[0] == "posenc" and not isinstance(owner, type)
        for other, value in vars(module).items()
        if value is original and other != name
    ]
    try:
        for place in places:
            setattr(place, name, fake)
        for module, other in alias:
            setattr(module, other, fake)
        yield
    finally:
        for place in places:
            setattr(place, name, original)
        for module, other in alias:
            setattr(module, other, original)


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


def sabotages() -> Iterator[tuple[str, Any, str, Sabotage]]:
    """Name, owner, function, and how it is broken."""
    yield "angles too fast", _angles, "angles", first_argument(lambda p: p * 3)
    yield "angles drift", _angles, "angles", first_argument(lambda p: p + (p // 7) * 0.013)
    yield "angles shrunk", _angles, "angles", scaled(0.9)
    yield "angles noisy", _angles, "angles", noisy
    yield "ladder", _ladder, "geometric", result(lambda f: f * 1.03)
    yield "ladder too steep", _ladder, "geometric", result(lambda f: f**1.5)
    yield "ladder of tensor2tensor", _ladder, "inclusive", result(lambda f: f**0.9)
    yield "waves swapped", _additive, "waves", swapped
    yield "waves noisy", _additive, "waves", noisy
    yield "bits reversed", _additive, "bits", result(lambda b: b[..., ::-1])
    yield "bits inverted", _additive, "bits", result(lambda b: 1 - b)
    yield "bits noisy", _additive, "bits", noisy
    yield "gray", _additive, "gray", returns_first
    yield "rows off by one", _additive, "rows", result(lambda r: np.roll(r, 1, axis=0))
    yield "rows scaled", _additive, "rows", scaled(1.2)
    yield "rows noisy", _additive, "rows", noisy
    yield "rotation scaled", _rotary, "rotate", scaled(1.01)
    yield "rotation undone", _rotary, "rotate", returns_first
    yield "rotation noisy", _rotary, "rotate", noisy
    yield "split of pairs", _layouts, "split_pairs", other_layout
    yield "order of pairs", _layouts, "pair_order", result(lambda o: o[::-1])
    yield "filled", _naive, "_filled", noisy_maker
    yield "slopes", _bias, "alibi_slopes", scaled(1.1)
    yield "alibi sign", _bias, "alibi", scaled(-1)
    yield "alibi noisy", _bias, "alibi", noisy
    yield "distance sign", _bias, "distance", scaled(-1)
    yield "edges of buckets", _bias, "t5_edges", result(lambda e: [n + 1 for n in e])
    yield "buckets", _bias, "t5_buckets", result(lambda b: b // 2)
    yield "softmax", attention, "_softmax", scaled(1.3)
    yield "softmax noisy", attention, "_softmax", noisy
    yield "softmax rolled", attention, "_softmax", result(lambda w: np.roll(w, 1, axis=-2))
    yield (
        "softmax by index",
        attention,
        "_softmax",
        first_argument(lambda logits: logits + np.arange(logits.shape[-1])),
    )
    yield "softmax even", attention, "_softmax", result(lambda w: w * 0 + 1 / w.shape[-1])
    yield "no mask", attention, "_allowed", result(lambda mask: None)
    yield "attention", attention, "attend", scaled(1.5)
    for rule in ("Linear", "Ntk", "DynamicNtk", "Llama3", "Proportional", "Yarn", "LongRope"):
        cls = getattr(specs, rule)
        yield f"{rule} rescale", cls, "rescale", scaled(1.05)
        yield f"{rule} does nothing", cls, "rescale", lambda _: lambda self, freqs, **o: freqs
        yield f"{rule} magnitude", cls, "magnitude", scaled(1.1)
    yield "shift matrix", specs.Sinusoidal, "shift", result(lambda m: m * 1.1)
    yield "frequencies of Rope", specs.Rope, "frequencies", scaled(1.1)
    yield "factor of Rope", specs.Rope, "attention_factor", scaled(1.1)
    yield (
        "tables too large",
        specs.Learned,
        "learned",
        result(lambda shapes: {n: (r + 1, d) for n, (r, d) in shapes.items()}),
    )
    yield (
        "integers",
        specs.Integer,
        "bind",
        lambda _: (
            lambda self, arrays, **o: specs.OneHot(rows=2048).bind(
                specs.OneHot(rows=2048).constants(), **o
            )
        ),
    )
    yield (
        "length ignored",
        specs.NormalizedInteger,
        "bind",
        lambda _: lambda self, arrays, **o: specs.Integer(dim=self.dim).bind(arrays),
    )
    from posenc.figures import text

    yield "heat map", text, "heat_map", result(lambda lines: lines.swapcase()[::-1])
    yield from _helpers_of_claims()


def _helpers_of_claims() -> Iterator[tuple[str, Any, str, Sabotage]]:
    """What claims measure that the library has no function for, such as a layer norm."""
    import posenc.claims

    frame = {"_chapter", "_claim", "_plain", "_codes"}
    for found in pkgutil.iter_modules(posenc.claims.__path__):
        if not found.name.startswith("_") or found.name in frame:
            continue
        module = importlib.import_module(f"posenc.claims.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                yield f"{name} noisy", module, name, noisy
                yield f"{name} does nothing", module, name, returns_first


@pytest.fixture(scope="module")
def survivors() -> list[str]:
    everything: list[Claim] = claims.all_claims()
    assert all(claims.prove(c).ok for c in everything)
    alive = list(everything)
    for _, owner, name, sabotage in sabotages():
        with broken(owner, name, sabotage):
            alive = [c for c in alive if claims.prove(c).ok]
    assert all(claims.prove(c).ok for c in everything), "a sabotage was not undone"
    return [c.id for c in alive]


def test_every_claim_can_fail(survivors: list[str]) -> None:
    assert survivors == []
