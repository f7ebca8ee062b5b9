"""Encodings added to the tokens, each with one fault."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc import Learned, Placed, Scheme, Sinusoidal

from .spoiling import Spoiling, moved


class SpoiledCode(Spoiling, Sinusoidal):
    """Sound as it is."""


class IgnoresTheDtype(SpoiledCode):
    def spoil(self, scheme: Scheme) -> Scheme:
        return scheme._replace(embed=lambda at, *, dtype=None: scheme.embed(at))


class RoundsTheCode(SpoiledCode):
    """Asked for half precision, it forms its angles in half precision."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def embed(at: Any, *, dtype: Any = None) -> Any:
            if dtype == np.float16 and not isinstance(at, Placed):
                at = at.astype(np.float16).astype(np.float32)
            return scheme.embed(at, dtype=dtype)

        return scheme._replace(embed=embed)


class CountsRows(SpoiledCode):
    """Sequence first: in a batch it counts the rows."""

    def spoil(self, scheme: Scheme) -> Scheme:
        def swapped(p: Any) -> Any:
            return p if p.ndim == 1 else np.arange(len(p))[:, None] + 0 * p

        return moved(scheme, swapped)


class HandsOutWhatItHolds(SpoiledCode):
    def spoil(self, scheme: Scheme) -> Scheme:
        def prepare(q: Any, k: Any = None, **options: Any) -> Placed:
            return scheme.prepare(q, k, **options)._replace(q=scheme.embed(q))

        def embed(at: Any, **options: Any) -> Any:
            return at.q if isinstance(at, Placed) else scheme.embed(at, **options)

        return scheme._replace(prepare=prepare, embed=embed)


class ClampsWhenCompiled(Spoiling, Learned):
    def spoil(self, scheme: Scheme) -> Scheme:
        import torch

        def embed(at: Any, **options: Any) -> Any:
            if torch.compiler.is_compiling() and not isinstance(at, Placed):
                at = at.clamp(0, self.rows - 1)
            return scheme.embed(at, **options)

        return scheme._replace(embed=embed)
