"""Which coordinate of a position each rotary pair reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posenc.specs._record import Record


class Axes(Record):
    """A way to share rotary pairs among coordinates."""

    count: ClassVar[int] = 1

    def axis(self, pairs: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The coordinate that each pair reads."""
        return np.zeros(pairs, np.int64)


@dataclass(frozen=True, kw_only=True)
class OneAxis(Axes):
    """A position is one number: text, audio."""
