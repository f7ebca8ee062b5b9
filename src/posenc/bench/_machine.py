"""The machine and the versions that figures belong to."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "posenc",
    "numpy",
    "numba",
    "torch",
    "transformers",
    "rotary-embedding-torch",
    "x-transformers",
    "positional-encodings",
    "jax",
)

_ALLOCATOR = ("LD_PRELOAD", "THP_MEM_ALLOC_ENABLE", "GLIBC_TUNABLES")
_HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def processors() -> list[int]:
    """Those that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def machine(threads: int) -> dict[str, Any]:
    """Everything that a figure depends on besides the code; unknown things are None."""
    return {
        "cpu": _model(),
        "cores": len(processors()),
        "threads": threads,
        "memory_gib": _memory(),
        "huge_pages": _huge_pages(),
        "allocator": {
            name: value
            for name, value in sorted(os.environ.items())
            if name.startswith("MALLOC_") or name in _ALLOCATOR
        },
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, OSError, ValueError):
        return None


def _huge_pages() -> str | None:
    """The one that is chosen stands in brackets."""
    try:
        words = _HUGE_PAGES.read_text("utf-8").split()
    except OSError:
        return None
    return next((word.strip("[]") for word in words if word.startswith("[")), None)
