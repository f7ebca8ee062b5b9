"""One loop, shared among threads that outlive the call.

The loops hold no lock of Python's. Threads of our own, rather than those of OpenMP, survive a fork
(each process starts its own) and are as many as PyTorch was told to use.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache

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
    left, done = deque(range(parts)), deque[int]()

    def lend_a_hand() -> None:
        while (i := _next(left)) is not None:
            try:
                work(count * i // parts, count * (i + 1) // parts)
            finally:
                done.append(i)

    others: list[Future[None]] = []
    try:
        with suppress(RuntimeError):  # no thread can be started: at the end, or beyond a limit
            helpers = _helpers(os.getpid(), hands - 1)
            helpers.keep_clear()
            for _ in range(hands - 1):
                others.append(helpers.pool.submit(lend_a_hand))
        lend_a_hand()
    finally:
        # Whoever is interrupted lets nobody begin another part, and waits for those begun: they
        # write to memory that the caller may give away.
        never = 0
        while _next(left) is not None:
            never += 1
        while len(done) + never < parts:
            time.sleep(1e-5)
    for other in others:
        if not other.cancel():
            other.result()


def _next(left: deque[int]) -> int | None:
    try:
        return left.popleft()
    except IndexError:
        return None


class _Helpers:
    """Threads that wait for work, and where they may run."""

    def __init__(self, count: int) -> None:
        self._ids: list[int] = []
        self._where: object = None
        self.pool = ThreadPoolExecutor(count, "posenc", initializer=self._begin)

    def _begin(self) -> None:
        self._ids.append(threading.get_native_id())
        self._where = None

    def keep_clear(self) -> None:
        """Off the processor of whoever calls, where Linux likes to wake them.

        There caller and helper would take turns, for as long as the work is short, beside a
        processor that is idle.
        """
        if not hasattr(os, "sched_setaffinity") or (own := _processor()) is None:
            return
        with suppress(OSError):  # not allowed here
            allowed = os.sched_getaffinity(0)
            where = own(), allowed
            others = allowed - {where[0]}
            if where == self._where or not others:
                return
            self._where = where
            for thread in self._ids:
                with suppress(OSError):  # it has ended
                    os.sched_setaffinity(thread, others)


@cache
def _helpers(process: int, count: int) -> _Helpers:
    """Those of a process; what a fork inherits are none."""
    return _Helpers(count)


@cache
def _processor() -> Callable[[], int] | None:
    """How to ask on which processor this thread runs, where the C library says so."""
    try:
        return ctypes.CDLL(None).sched_getcpu
    except (AttributeError, OSError, TypeError):
        return None
