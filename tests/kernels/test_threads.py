"""Work shared among threads, work from several threads, and work after a fork."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import array_api_compat.torch
import numpy as np
import pytest
import torch

from posenc import Rope, kernels, rotate, tables
from posenc.kernels import _threads
from posenc.kernels._loops import PIECE

ROPE = Rope(dim=64, layout="half")


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Four threads, whatever the machine has; filled with how much each part was."""
    parts: list[int] = []
    shared = _threads.shared

    def counted(work: Callable[[int, int], object], rows: int, *, size: int) -> None:
        def part(first: int, last: int) -> None:
            parts.append(last - first)
            work(first, last)

        shared(part, rows, size=size)

    monkeypatch.setattr(_threads, "threads", lambda: 4)
    monkeypatch.setattr(_threads, "ENOUGH", 1 << 16)
    for module in (kernels._rotate, kernels._angles):
        monkeypatch.setattr(module, "shared", counted)
    return parts


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("lead", [(2, 5, 1021), (1, 1, 10_007), (1021, 1, 11)])
def test_shared_work_is_done_once_and_to_the_end(
    dtype: str, lead: tuple[int, ...], split: list[int], check_turned: Any
) -> None:
    x = torch.randn(*lead, 64, generator=torch.Generator().manual_seed(0))
    x = x.to(getattr(torch, dtype))
    cos, sin = tables(ROPE, torch.arange(lead[-1]))
    assert sum(split) == lead[-1]
    split.clear()
    due = torch.stack([rotate(row, cos, sin, layout="half") for row in x])
    split.clear()
    own = x.clone()
    for out in (None, torch.full_like(x, 7), own):
        got = rotate(x if out is not own else own, cos, sin, layout="half", out=out)
        assert torch.equal(got, due)
        assert sum(split) == lead[0] * lead[1] * -(-lead[2] // PIECE)
        assert len(split) > 4
        split.clear()
    check_turned(got[:1], x[:1], cos, sin, layout="half")


@pytest.mark.parametrize("where", ["numpy", "torch"])
def test_several_threads_at_once(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each asks the same helpers."""
    monkeypatch.setattr(_threads, "threads", lambda: 3)
    monkeypatch.setattr(_threads, "ENOUGH", 1 << 16)
    xp: Any = {"numpy": np, "torch": array_api_compat.torch}[where]
    at = np.arange(70_001, 70_001 + 4096)
    turns = tables(ROPE, at if where == "numpy" else torch.from_numpy(at))

    def tokens(seed: int) -> Any:
        x = np.random.default_rng(seed).normal(size=(2, 4096, 64)).astype("f4")
        return x if where == "numpy" else torch.from_numpy(x)

    due = [kernels.rotate(tokens(i), *turns, layout="half", xp=xp) for i in range(6)]
    ready = threading.Barrier(6)

    def work(i: int) -> bool:
        x = tokens(i)
        ready.wait()
        same = [
            bool((kernels.rotate(x, *turns, layout="half", xp=xp) == due[i]).all())
            for _ in range(5)
        ]
        return all(same)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_a_fork_has_threads_of_its_own(fresh_process: Callable[..., str]) -> None:
    code = """
import os, warnings
import torch, posenc
warnings.simplefilter("ignore")
torch.set_num_threads(2)
x = torch.randn(4, 8192, 64)
cos, sin = posenc.tables(posenc.Rope(dim=64, layout="half"), torch.arange(8192))
due = posenc.rotate(x, cos, sin, layout="half")
for depth in range(2):
    child = os.fork()
    if child == 0:
        same = torch.equal(posenc.rotate(x, cos, sin, layout="half"), due)
        other = posenc.tables(posenc.Rope(dim=64, layout="half"), torch.arange(8192))
        os._exit(0 if same and torch.equal(other[0], cos) else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
assert torch.equal(posenc.rotate(x, cos, sin, layout="half"), due)
"""
    assert fresh_process(code).split() == ["0", "0"]


def test_the_last_words_of_a_process(fresh_process: Callable[..., str]) -> None:
    """At exit no thread can be started any more, and the work is done all the same."""
    code = """
import atexit
import torch, posenc
torch.set_num_threads(2)
x = torch.randn(4, 8192, 64)
cos, sin = posenc.tables(posenc.Rope(dim=64, layout="half"), torch.arange(8192))
due = posenc.rotate(x, cos, sin, layout="half")
atexit.register(lambda: print(torch.equal(posenc.rotate(x, cos, sin, layout="half"), due)))
"""
    assert fresh_process(code).split() == ["True"]
    # What is registered first is called last, after the helpers have ended.
    register = code.splitlines()[-1]
    early = code.replace(register, "").replace("import torch", f"{register}\nimport torch", 1)
    assert fresh_process(early).split() == ["True"]


def test_where_the_system_does_not_say_how_many_threads_may_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """macOS and Windows have no ``sched_getaffinity``."""
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    assert _threads.threads() >= 1


def test_helpers_keep_off_the_processor_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Woken there they would take turns with it, beside one that is idle."""
    moved: list[tuple[int, set[int]]] = []
    on, allowed = [3], {1, 3, 5}
    monkeypatch.setattr(_threads, "_processor", lambda: lambda: on[0])
    monkeypatch.setattr("os.sched_getaffinity", lambda thread: set(allowed), raising=False)

    def move(thread: int, where: set[int]) -> None:
        moved.append((thread, where))
        raise ProcessLookupError  # it has ended; nothing is lost

    monkeypatch.setattr("os.sched_setaffinity", move, raising=False)
    helpers = _threads._Helpers()
    helpers.ask(lambda: None, 1)
    moved.clear()
    helpers.keep_clear()  # nothing has changed
    on[0] = 5
    helpers.keep_clear()
    allowed.clear()
    allowed.add(5)  # nowhere else to go
    helpers.keep_clear()
    assert [where for _, where in moved] == [{1, 3}, {5}]


def test_an_interrupted_wait_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stopped it may write to the same memory next."""
    pauses: list[None] = []

    def pause() -> None:
        pauses.append(None)
        if len(pauses) in (2, 3):
            raise KeyboardInterrupt

    monkeypatch.setattr(_threads, "_pause", pause)
    with pytest.raises(KeyboardInterrupt):
        _threads._wait(lambda: len(pauses) == 5)
    assert len(pauses) == 5


class OneThread(threading.Thread):
    """Another one is beyond what the system allows."""

    started = 0

    def start(self) -> None:
        if OneThread.started:
            raise RuntimeError("can't start new thread")
        OneThread.started += 1
        super().start()


@pytest.mark.parametrize("failing", [None, 5])
def test_nobody_works_on_when_the_call_is_over(
    failing: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where threads cannot be started, where a part fails, where the caller is interrupted."""
    monkeypatch.setattr(_threads, "threads", lambda: 4)
    monkeypatch.setattr("threading.Thread", OneThread)
    monkeypatch.setattr(OneThread, "started", 0)
    helpers = _threads._Helpers()
    monkeypatch.setattr(_threads, "_helpers", lambda process: helpers)
    caller, begun, ended = threading.get_ident(), [], []

    def work(first: int, last: int) -> None:
        begun.append(first)
        if threading.get_ident() != caller:
            time.sleep(0.05)
        elif len(begun) == failing:
            raise KeyboardInterrupt
        ended.append(first)

    if failing is None:
        _threads.shared(work, 32, size=1 << 30)
        assert sorted(ended) == list(range(32))
    else:
        with pytest.raises(KeyboardInterrupt):
            _threads.shared(work, 32, size=1 << 30)
        assert len(ended) == len(begun) - 1
    assert OneThread.started == 1
    before = len(begun)
    time.sleep(0.1)
    assert len(begun) == before


def test_what_a_helper_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "threads", lambda: 2)
    caller, started = threading.get_ident(), threading.Event()

    def work(first: int, last: int) -> None:
        if threading.get_ident() == caller:
            started.wait(5)
        else:
            started.set()
            raise MemoryError

    with pytest.raises(MemoryError):
        _threads.shared(work, 32, size=1 << 30)


@pytest.mark.parametrize("at", ["help_out", "lend_a_hand", "ask", "keep_clear"])
def test_after_an_interrupt_all_goes_on(at: str, fresh_process: Callable[..., str]) -> None:
    """Wherever in the call it comes: no lock stays held, and no part is waited for in vain."""
    code = f"""
import sys, torch, posenc
torch.set_num_threads(2)
x = torch.randn(1, 16, 4096, 64)
cos, sin = posenc.tables(posenc.Rope(dim=64, layout="half"), torch.arange(4096))
due = posenc.rotate(x, cos, sin, layout="half")
for line in range(12):
    seen = 0
    def trace(frame, event, argument):
        global seen
        if frame.f_code.co_name == {at!r} and event == "line":
            seen += 1
            if seen == line + 1:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace
    sys.settrace(trace)
    try:
        posenc.rotate(x, cos, sin, layout="half")
    except KeyboardInterrupt:
        pass
    sys.settrace(None)
    assert torch.equal(posenc.rotate(x, cos, sin, layout="half"), due)
print("well")
"""
    assert fresh_process(code).split() == ["well"]


def test_a_process_has_as_many_helpers_as_were_asked_for_at_once() -> None:
    """Not as many again for every other number of them."""
    helpers, called = _threads._Helpers(), threading.Semaphore(0)
    for count in (1, 3, 2):
        helpers.ask(called.release, count)
    for _ in range(1 + 3 + 2):
        assert called.acquire(timeout=5)
    threads = list(helpers._threads)
    assert len(threads) == 3
    # A process that ends while one is on its way back from compiled code would be aborted.
    helpers.end()
    assert not any(thread.is_alive() for thread in threads)


def test_a_late_helper_is_not_taken_for_one_still_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes and goes between the two counts by which the caller knows that all are gone."""
    asked: list[Callable[[], None]] = []
    at_work, counts, done = threading.Event(), [], []

    class Counted(deque[Any]):
        def __len__(self) -> int:
            if asked and not self.maxlen and self is not parts[0]:
                counts.append(None)
                if len(counts) == 2:
                    asked[0]()
            return super().__len__()

        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            parts.append(self)

    class Helpers:
        def ask(self, help_out: Callable[[], None], count: int) -> None:
            threading.Thread(target=help_out).start()
            at_work.wait()
            asked.append(help_out)

    parts: list[Counted] = []

    def work(first: int, last: int) -> None:
        at_work.set()
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.3)
        done.append((first, last))

    monkeypatch.setattr(_threads, "deque", Counted)
    monkeypatch.setattr(_threads, "threads", lambda: 2)
    monkeypatch.setattr(_threads, "_helpers", lambda _: Helpers())
    _threads.shared(work, 2, size=1 << 30)
    assert sorted(done) == [(0, 1), (1, 2)]
