"""Memory that is used again once nobody looks at it, for large results of inference.

A fresh output costs more than the rotation that fills it: the system hands out its pages one by
one. What was an output before has them already.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy as np

from posenc.errors import check

Block: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
_current: ContextVar[Workspace | None] = ContextVar("workspace", default=None)

SMALLEST = 1 << 20
"""Bytes below which memory is not kept: to look for it takes as long as to be given it."""


class Workspace:
    """Blocks of memory, each handed out again when no array, view or tensor refers to it.

    Python counts who refers to a block: an array or a tensor made of it, a view of that, what
    autograd saved, a DLPack capsule. While any of them lives the block is not touched.

    Args:
        limit: Bytes to keep at most; more are given back to the system as they fall free.
    """

    def __init__(self, limit: int = 1 << 30) -> None:
        whole = type(limit) is int and limit >= 0
        check(whole, "workspace(): limit", "a number of bytes, 0 or more", limit)
        self.limit = limit
        self._blocks: list[Block] = []
        self._lock = threading.Lock()

    def block(self, size: int) -> Block:
        """``size`` bytes that nobody else refers to, their contents unknown."""
        with self._lock:
            for i, kept in enumerate(map(len, self._blocks)):
                if size <= kept <= 2 * size and _holders(self._blocks, i) == _ALONE:
                    self._blocks.append(self._blocks.pop(i))
                    return self._blocks[-1][:size]
            made = np.empty(size, np.uint8)
            self._blocks.append(made)
            self._shrink()
            return made[:]

    def clear(self) -> None:
        """Keep nothing; what is in use lives on with those who use it."""
        with self._lock:
            self._blocks.clear()

    @property
    def nbytes(self) -> int:
        """How much is kept, in use or not."""
        return sum(map(len, self._blocks))

    def _shrink(self) -> None:
        """Give back the blocks that were not used for longest."""
        while self.nbytes > self.limit and self._blocks:
            del self._blocks[0]


def _holders(blocks: list[Block], i: int) -> int:
    """How many refer to a block, as Python counts here."""
    block = blocks[i]
    return sys.getrefcount(block)


_ALONE = _holders([np.empty(1, np.uint8)], 0)
"""That number where the list alone does; what a name counts for differs among Pythons."""


@contextmanager
def workspace(limit: int = 1 << 30) -> Iterator[Workspace]:
    """Take large results of rotations on the CPU from memory that earlier ones no longer use.

    For loops of inference: within it a result may stand where another stood that nobody refers to
    any more, and never where one is that somebody does.

    Example:
        >>> import numpy as np, posenc
        >>> rope, p = posenc.bind(posenc.Rope(dim=64, layout="half")), np.arange(8192)
        >>> with posenc.kernels.workspace() as memory:
        ...     for _ in range(3):
        ...         q = rope.query(np.ones((1, 8, 8192, 64), np.float32), p)
        >>> memory.nbytes >> 20 < 3 * 16
        True
    """
    made = Workspace(limit)
    token = _current.set(made)
    try:
        yield made
    finally:
        _current.reset(token)


def reused(size: int) -> Block | None:
    """Bytes of the workspace that is open, where so many are worth it."""
    current = _current.get()
    return None if current is None or size < SMALLEST else current.block(size)
