"""One loop, shared among threads that outlive the call.

The loops hold no lock of Python's. Threads of our own, rather than those of OpenMP, survive a fork
(each process starts its own) and are as many as PyTorch was told to use.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import SimpleQueue

PARTS = 8
"""Parts for each thread: few enough that what Python does between them takes no time."""

ENOUGH = 1 << 24
"""Bytes from which a second thread gains more than it takes to wake it."""

AWAKE = 0.05
"""Seconds for which the caller waits for the last part without sleeping."""


def threads() -> int:
    """As many as PyTorch may use, or as this process may run on."""
    torch = sys.modules.get("torch")
    if torch is not None:
        return int(torch.get_num_threads())
    own = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(own(0)) if own else os.cpu_count() or 1


def shared(work: Callable[[int, int], object], count: int, *, size: int) -> None:
    """Call ``work(first, last)`` until all ``count`` are done; ``size`` is how many bytes they are.

    Whoever is free takes the next part, so that a thread that wakes late has less left to do. When
    this returns or raises nobody works any more.
    """
    hands = min(threads(), size // ENOUGH + 1, count)
    if hands < 2:
        work(0, count)
        return
    parts = min(PARTS * hands, count)
    left = deque(range(parts))
    come, gone, raised = deque[None](), deque[None](), deque[BaseException]()

    def lend_a_hand() -> None:
        while left:
            try:
                i = left.popleft()
            except IndexError:  # another took the last one
                return
            work(count * i // parts, count * (i + 1) // parts)

    def help_out() -> None:
        come.append(None)  # before it takes anything, so that nobody leaves without it
        try:
            lend_a_hand()
        except BaseException as error:  # for the caller, whoever that is
            raised.append(error)
        finally:
            gone.append(None)

    try:
        _helpers(os.getpid()).ask(help_out, hands - 1)
        lend_a_hand()
    finally:
        left.clear()
        # Someone may still be in a part, which is short. Who is gone is counted first: between the
        # two counts a late one may come and go, and would be taken for one who is still at work.
        _wait(lambda: len(gone) == len(come))
    if raised:
        raise raised[0]


def _wait(done: Callable[[], bool]) -> None:
    """Until it is done, even if the user does not want to wait: memory is being written to."""
    since, stopped = time.perf_counter(), None
    while True:
        try:
            while not done():
                _pause() if time.perf_counter() < since + AWAKE else time.sleep(1e-4)
            break
        except BaseException as error:
            stopped = error
    if stopped is not None:
        raise stopped


def _pause() -> None:
    """Let others run, without the 50 us that a sleep of no time takes on Linux."""
    # The first 3.11 kept Python's lock while it yielded.
    if hasattr(os, "sched_yield") and sys.version_info >= (3, 11, 1):
        os.sched_yield()
    else:
        time.sleep(0)


class _Helpers:
    """Threads that wait for work, and where they may run.

    They wait at a queue that has no lock of Python's: an interrupted caller would leave it held.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._ended = False
        self._where: object = None
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def ask(self, task: Callable[[], None], count: int) -> None:
        """Let so many threads call the task, or as many as there can be."""
        if self._ended:
            return
        with suppress(RuntimeError):  # none can be started: at the end, or beyond a limit
            while len(self._threads) < count:
                thread = threading.Thread(target=self._serve, name="posenc", daemon=True)
                thread.start()
                self._threads.append(thread)
                self._where = None
        self.keep_clear()
        for _ in range(min(count, len(self._threads))):
            self._tasks.put(task)

    def end(self) -> None:
        """At the end of the process, which may not cut a thread off inside of compiled code."""
        self._ended = True
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join(timeout=1.0)

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

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
            if where == self._where:
                return
            others = allowed - {where[0]} or allowed
            self._where = where
            for thread in filter(None, (thread.native_id for thread in self._threads)):
                with suppress(OSError):  # it has ended
                    os.sched_setaffinity(thread, others)


@cache
def _helpers(process: int) -> _Helpers:
    """Those of a process; what a fork inherits are none."""
    made = _Helpers()
    atexit.register(made.end)
    return made


@cache
def _processor() -> Callable[[], int] | None:
    """How to ask on which processor this thread runs, where the C library says so."""
    try:
        return ctypes.CDLL(None).sched_getcpu
    except (AttributeError, OSError, TypeError):
        return None
