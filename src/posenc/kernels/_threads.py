"""One loop over rows, shared among threads that outlive the call.

The loops hold no lock of Python's. Threads of our own, rather than those of OpenMP, survive a fork
(each process starts its own) and are as many as PyTorch was told to use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and number of threads

ENOUGH = 1 << 19
"""Bytes from which a second thread gains more than it takes to wake it."""


def threads() -> int:
    """As many as PyTorch may use, or as this process may run on."""
    torch = sys.modules.get("torch")
    if torch is not None:
        return int(torch.get_num_threads())
    own = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(own(0)) if own else os.cpu_count() or 1


def shared(work: Callable[[int, int], object], rows: int, *, size: int) -> None:
    """Call ``work(first, last)`` until all rows are done; ``size`` is how many bytes they are."""
    count = min(threads(), size // ENOUGH + 1, rows)
    if count < 2:
        work(0, rows)
        return
    ends = [rows * i // count for i in range(count + 1)]
    pool = _pool(count - 1)
    try:
        others = [pool.submit(work, ends[i], ends[i + 1]) for i in range(1, count)]
    except RuntimeError:  # the interpreter ends, and starts nothing new
        work(0, rows)
        return
    work(0, ends[1])
    for other in others:
        other.result()


def _pool(count: int) -> ThreadPoolExecutor:
    key = os.getpid(), count
    pool = _pools.get(key)
    if pool is None:
        pool = _pools.setdefault(key, ThreadPoolExecutor(count, "posenc"))
    return pool
