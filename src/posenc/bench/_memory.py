"""How much memory a run needs above what was held before it."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import re
import sys
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def settle() -> None:
    """Give back what is free, so that the run has to ask for what it needs."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # not every libc has it
        ctypes.CDLL(None).malloc_trim(0)


def start() -> float:
    """MiB that are held now; from here on the highest is counted."""
    try:
        _RESET.write_text("5")
        return _kib("VmRSS") / 1024
    except (OSError, KeyError):  # no such file: the highest of the whole process, before the run
        return highest()


def highest() -> float:
    """MiB that were held at most."""
    try:
        return _kib("VmHWM") / 1024
    except (OSError, KeyError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (1 << 20 if sys.platform == "darwin" else 1024)


def _kib(name: str) -> int:
    found = re.search(rf"^{name}:\s*(\d+)", _STATUS.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise KeyError(name)
    return int(found[1])
