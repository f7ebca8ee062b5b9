"""The process of one side: a request a line in JSON on stdin, an answer a line on stdout.

``prepare`` answers numbers of what was made, to be compared, and how long a run takes; ``time``
seconds a run; ``peak`` MiB.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TextIO

LOOKED_AT = 2048
"""Numbers of each array that are compared, at places drawn once."""


def main() -> None:
    """Serve until stdin ends."""
    threads = int(sys.argv[1])
    if hasattr(os, "sched_setaffinity"):  # what every library counts threads by
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    with contextlib.suppress(AttributeError, OSError):  # Linux: end with whoever asks
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    with _channel() as out:
        worker = Worker()
        for line in sys.stdin:
            out.write(json.dumps(worker.answer(json.loads(line))) + "\n")
            out.flush()


def _channel() -> TextIO:
    """Stdout for answers alone; what libraries print goes to stderr."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "w", encoding="utf-8")


class Worker:
    """Holds the last call that was prepared for each side; as a rule it serves one."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[Any, Callable[[], Any]]] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request, a failure included."""
        from posenc.bench.works import CannotError

        do = request.pop("do")
        try:
            return getattr(self, f"_{do}")(**request)  # type: ignore[no-any-return]
        except CannotError as error:
            return {"cannot": str(error)}
        except Exception as error:  # of any library; the case reports it and goes on
            reason = str(error).strip().splitlines() or [""]
            return {"failed": f"{type(error).__name__}: {reason[0]}".rstrip(": ")}

    def _prepare(self, work: str, side: str, size: dict[str, Any], again: bool) -> dict[str, Any]:
        from posenc.bench._case import Size
        from posenc.bench.works import side as call_of

        self._calls.pop(side, None)
        within = _mode(size["inference"])
        with within():
            call = call_of(work, side, Size(**size))
            self._calls[side] = call, within
            made = call.run()  # compiles what has to be compiled
            seen = None if call.shown is None else looked_at(call.shown(made))
            del made
            if call.told or not again:
                return {"seen": seen, "once": 1.0}
            start = time.perf_counter()
            call.run()
            return {"seen": seen, "once": time.perf_counter() - start}

    def _time(self, side: str, calls: int) -> dict[str, Any]:
        (run, _, told), within = self._calls[side]
        with within():
            if told:
                return {"seconds": run()}
            gc.disable()
            try:
                if calls > 1:  # what other processes did to the caches
                    run()
                start = time.perf_counter()
                for _ in range(calls):
                    run()
                return {"seconds": (time.perf_counter() - start) / calls}
            finally:
                gc.enable()

    def _peak(self, work: str, side: str, sizes: list[dict[str, Any]]) -> dict[str, Any]:
        """MiB at the highest point of a run above what was held before it.

        The last size is measured; runs of those before it load and compile what is needed.
        """
        from posenc.bench import _memory
        from posenc.bench._case import Size
        from posenc.bench.works import side as call_of

        for size in sizes:
            with _mode(size["inference"])():
                call = call_of(work, side, Size(**size))
                _memory.settle()
                before = _memory.start()
                made = call.run()
                peak = _memory.highest()
                del made, call
        return {"mib": max(0.0, peak - before)}


def _mode(inference: bool) -> Callable[[], Any]:
    """What surrounds every run."""
    if inference and find_spec("torch") is not None:
        import torch

        return torch.inference_mode
    return contextlib.nullcontext


def looked_at(answer: Any) -> list[list[float]]:
    """Some numbers of each array, at the same places in the process of every side."""
    import numpy as np

    found = []
    for array in answer if isinstance(answer, tuple | list) else (answer,):
        if hasattr(array, "detach"):
            array = array.detach().double()
        flat = np.asarray(array).astype(np.float64).reshape(-1)
        places = np.random.default_rng(flat.size).integers(0, flat.size, LOOKED_AT)
        found.append(flat[places].tolist())
    return found


if __name__ == "__main__":
    main()
