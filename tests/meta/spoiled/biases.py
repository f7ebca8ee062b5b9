"""Biases of the distance, each with one fault."""

from __future__ import annotations

from typing import Any

from posenc import Alibi, Placed, Scheme

from .spoiling import Spoiling, moved


class SpoiledBias(Spoiling, Alibi):
    """Sound as it is."""


class DoublesWhenPrepared(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            return scheme.bias(q, k) * (2 if isinstance(q, Placed) else 1)

        return scheme._replace(bias=bias)


class StretchesWithQueries(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        return moved(scheme, lambda p: p + p // 16, lambda p: p)


class VanishesInDecoding(SpoiledBias):
    """A bias built on the number of queries: with a cache and one new token there is none."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            full = scheme.bias(q, k)
            return 0 * full if full.shape[-2] == 1 else full

        return scheme._replace(bias=bias)


class LosesHeads(SpoiledBias):
    def spoil(self, scheme: Scheme) -> Scheme:
        def bias(q: Any, k: Any = None) -> Any:
            full = scheme.bias(q, k)
            return full if full.ndim == 3 else full[:, 0, ...]

        return scheme._replace(bias=bias)
