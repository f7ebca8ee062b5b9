"""Four ways to tell a sentence its order, side by side: none, sines, a learned table, rotation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from posenc._facade import bind
from posenc.claims._codes import Matrix
from posenc.claims._turned import outputs, tokens
from posenc.specs._learned import Learned
from posenc.specs._none import NoPE
from posenc.specs._record import Spec
from posenc.specs._rope import Rope
from posenc.specs._sinusoidal import Sinusoidal

__all__ = ["FOUR_WAYS", "answer", "moved", "swapped"]

FOUR_WAYS: Mapping[str, Spec] = MappingProxyType(
    {
        "none": NoPE(),
        "sinusoid": Sinusoidal(dim=8),
        "learned": Learned(rows=8, dim=8),
        "rope": Rope(dim=8, layout="half"),
    }
)
"""The preset: the same head of eight channels under each; the table was made for eight tokens."""


def answer(way: Spec, length: int, *, start: int = 0, swap: bool = False) -> Matrix:
    """Attention over the example's ``length`` tokens, which stand at ``start``, ``start`` + 1, ...

    Args:
        way: How positions are told; a code is added to queries and keys.
        length: How many tokens.
        start: Where the first one stands.
        swap: Whether the first and the last token change places.

    Raises:
        EncodingError: If there is no code for one of the positions.
    """
    order = np.arange(length)
    if swap:
        order[[0, -1]] = order[[-1, 0]]
    q, k, v = (x[order] for x in tokens(length))
    where, scheme = np.arange(start, start + length), bind(way)
    if scheme.embed:
        code = np.asarray(scheme.embed(where, dtype=np.float64))
        q, k = q + code, k + code
    return outputs(q, k, v, scheme, where)[order]


def swapped(way: Spec, length: int) -> float:
    """How much the outputs of the words change when two of them change places: 0 is blindness."""
    return float(np.abs(answer(way, length, swap=True) - answer(way, length)).max())


def moved(way: Spec, length: int, start: int = 100) -> float:
    """How much the outputs change when the whole sentence stands elsewhere: 0 is relative."""
    return float(np.abs(answer(way, length, start=start) - answer(way, length)).max())
