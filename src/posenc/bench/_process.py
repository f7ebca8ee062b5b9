"""The other end of ``posenc.bench._worker``: a process that is asked and answers."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

_COUNTED_BY = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


class Process:
    """One side's process. Requests may be sent to several before any is waited for."""

    def __init__(self, *, threads: int, plain: bool = False) -> None:
        source = str(Path(__file__).parents[2])
        paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            **dict.fromkeys(_COUNTED_BY, str(threads)),
            **({"POSENC_KERNELS": "plain"} if plain else {}),
        }
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        # -P: a file of the folder one stands in must not be imported as a library.
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "posenc.bench._worker", str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            encoding="utf-8",
        )

    def send(self, **request: Any) -> None:
        """A request whose answer ``receive`` waits for."""
        if self._child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # receive() says what became of it
                self._child.stdin.write(json.dumps(request) + "\n")
                self._child.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The answer; if the process has ended, that it failed and its last words."""
        line = self._child.stdout.readline() if self._child.stdout else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        status = self._child.wait()
        self._log.seek(0)
        words = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return {"failed": f"its process ended with {status}: {words[-1] if words else ''}".rstrip()}

    def ask(self, **request: Any) -> dict[str, Any]:
        """A request and its answer."""
        self.send(**request)
        return self.receive()

    def close(self) -> None:
        """End the process."""
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout, self._log):
            if stream is not None:
                stream.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
