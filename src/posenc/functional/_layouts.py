"""Which two channels form a pair, in one place: the most common silent fault of ports."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc._typing import Array, Layout, Namespace
from posenc.errors import LayoutError, check, check_known

LAYOUTS: tuple[Layout, ...] = ("half", "interleaved")

_ELSEWHERE = {
    "neox": "half",
    "rotate_half": "half",
    "llama": "half",
    "gptj": "interleaved",
    "gpt-j": "interleaved",
    "complex": "interleaved",
    "meta": "interleaved",
}


def check_layout(where: str, layout: object) -> None:
    """Refuse anything but the two names; a flag cannot say which is which."""
    must = "'half' or 'interleaved'"
    if isinstance(layout, str) and layout in _ELSEWHERE:
        check(False, where, must, layout, f"That is {_ELSEWHERE[layout]!r}.", error=LayoutError)
    check_known(layout, LAYOUTS, where, must, error=LayoutError)


def split_pairs(x: Array, layout: Layout) -> tuple[Array, Array]:
    """First and second member of every pair of channels; views of ``x``."""
    half = x.shape[-1] // 2
    if layout == "half":
        return x[..., :half], x[..., half:]
    return x[..., 0::2], x[..., 1::2]


def join_pairs(a: Array, b: Array, layout: Layout, *, xp: Namespace) -> Array:
    """Inverse of ``split_pairs``."""
    # Halves are stacked too: what XLA makes of a concatenation takes twice as long on a CPU.
    stacked = xp.stack([a, b], axis=-2 if layout == "half" else -1)
    return xp.reshape(stacked, (*a.shape[:-1], 2 * a.shape[-1]))


def pair_order(dim: int, source: Layout, target: Layout) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Channel order that rewrites one head from ``source`` to ``target``.

    Example:
        >>> pair_order(8, "interleaved", "half").tolist()
        [0, 2, 4, 6, 1, 3, 5, 7]
    """
    if source == target:
        return np.arange(dim)
    to_half = np.concatenate([np.arange(0, dim, 2), np.arange(1, dim, 2)])
    return to_half if target == "half" else np.argsort(to_half)
