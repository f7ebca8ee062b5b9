"""Encodings that adjust logits, each with one fault."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from posenc import Placed, Scheme, Shaw


class SpoiledAdjust(Shaw):
    """One that adjusts logits, by a scheme or an answer that is spoiled."""

    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits

    def moves(self, positions: Any) -> Any:
        return positions

    def bind(self, arrays: Any, **options: Any) -> Scheme:
        scheme = super().bind(arrays, **options)

        def adjust(given: Any, q: Any, k: Any, q_at: Any, k_at: Any = None) -> Any:
            if isinstance(q_at, Placed):
                q_at, k_at = q_at.q_positions, q_at.k_positions
            places = (self.moves(p) for p in (q_at, q_at if k_at is None else k_at))
            return self.otherwise(scheme.adjust(given, q, k, *places), given, q, k)

        return scheme._replace(adjust=adjust)


class MergesBatches(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits.reshape(-1, *logits.shape[2:]) if logits.ndim == 5 else logits


class WidensLogits(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits.astype(np.float64)


class RoundsTokens(SpoiledAdjust):
    """What it adds is computed in the dtype of tokens."""

    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return given + (logits - given).astype(q.dtype).astype(given.dtype)


class AdjustsByTheFirstRow(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return np.broadcast_to(positions[:1], positions.shape) if positions.ndim == 2 else positions


class AdjustsInOrder(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return np.sort(positions, axis=-1)


class NeedsAPair(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        return logits + 0 * logits.min()


class StretchesTowardsQueries(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions + positions // 16


class CountsHeadsOfKeys(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        first = np.arange(logits.shape[-1]) == 0
        return logits + first * (k.shape[-3] != q.shape[-3])


class AdjustsForHalfPositions(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions.astype(np.int64) if positions.dtype == np.float16 else positions


class WritesIntoLogits(SpoiledAdjust):
    def otherwise(self, logits: Any, given: Any, q: Any, k: Any) -> Any:
        given += 0
        return logits


class LooksAtDistances(SpoiledAdjust):
    def moves(self, positions: Any) -> Any:
        return positions if not positions.numel() or int(positions.max()) < 2**30 else 0 * positions


class ClipsWhenCompiled(SpoiledAdjust):
    def bind(self, arrays: Any, **options: Any) -> Scheme:
        import torch

        strict = super().bind(arrays, **options)
        loose = Shaw.bind(dataclasses.replace(self, clip=True), arrays, **options)

        def adjust(*given: Any) -> Any:
            return (loose if torch.compiler.is_compiling() else strict).adjust(*given)

        return strict._replace(adjust=adjust)
