"""Numbers as half precision would hold them; NumPy has no bfloat16, so its bits are cut here."""

from __future__ import annotations

from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float32]]


def bfloat16(values: Any) -> Numbers:
    """Each number rounded to the nearest bfloat16, ties to even: 8 significant bits."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    nearest = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return (nearest & np.uint32(0xFFFF0000)).view(np.float32)


def float16(values: Any) -> Numbers:
    """Each number rounded to the nearest float16: 11 significant bits."""
    return np.asarray(values).astype(np.float16).astype(np.float32)


def distinct(rows: Any) -> int:
    """How many different rows there are; of a vector, how many different numbers."""
    return len(np.unique(np.asarray(rows), axis=0))
