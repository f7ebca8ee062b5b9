"""One loop, shared among threads that outlive the call.

The loops hold no lock of Python's. Threads of our own, rather than those of OpenMP, survive a fork
(each process starts its own) and are as many as PyTorch was told to use.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and number of threads

PARTS = 8
"""Parts for each thread: few enough that what Python does between them takes no time."""

ENOUGH = 1 << 22
"""Bytes from which a second thread gains more than it takes to wake it."""


def threads() -> int:
    """As many as PyTorch may use, or as this process may run on."""
    torch = sys.modules.get("torch")
    if torch is not None:
        return int(torch.get_num_threads())
    own = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(own(0)) if own else os.cpu_count() or 1


def shared(work: Callable[[int, int], object], count: int, *, size: int) -> None:
    """Call ``work(first, last)`` until all ``count`` are done; ``size`` is how many bytes they are.

    Whoever is free takes the next part, so that a thread that wakes late has less left to do.
    """
    hands = min(threads(), size // ENOUGH + 1, count)
    if hands < 2:
        work(0, count)
        return
    parts = min(PARTS * hands, count)
    left = deque(range(parts))

    def lend_a_hand() -> None:
        while left:
            try:
                i = left.popleft()
            except IndexError:  # another took the last one
                return
            work(count * i // parts, count * (i + 1) // parts)

    others = []
    with suppress(RuntimeError):  # the interpreter ends, and starts nothing new
        pool = _pool(hands - 1)
        others = [pool.submit(lend_a_hand) for _ in range(hands - 1)]
    lend_a_hand()
    for other in others:
        if not other.cancel():
            other.result()


def _pool(count: int) -> ThreadPoolExecutor:
    key = os.getpid(), count
    pool = _pools.get(key)
    if pool is None:
        pool = _pools.setdefault(key, ThreadPoolExecutor(count, "posenc"))
    return pool
