"""What writing costs by itself: one number into every place of a buffer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from posenc.bench.works import Call


def filling(buffers: Sequence[np.ndarray]) -> Call:
    """By a loop that Numba compiles, on every thread; without Numba by NumPy, on one."""
    if find_spec("numba") is None:

        def plainly() -> None:
            for buffer in buffers:
                buffer.fill(1)

        return Call(plainly, None)
    fill, lines = _loop(), [buffer.reshape(-1) for buffer in buffers]
    return Call(lambda: [fill(line) for line in lines], None)


@cache
def _loop() -> Any:
    from numba import njit, prange

    @njit(parallel=True)  # type: ignore[untyped-decorator]
    def fill(flat: Any) -> None:
        for i in prange(flat.size):
            flat[i] = 1

    return fill
