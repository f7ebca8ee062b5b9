"""Triangle waves of the position: a code like the sinusoidal one, of straight lines.

    code[c] = 4 |frac(p / period_c + phase_c) - 1/2| - 1

Channels come in pairs of one period, the second a quarter of it later, as sine and cosine are.
Periods grow in a geometric ladder. Between -1 and 1, without parameters, for any length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.registry import Entry
from posenc.specs import Spec, adopt, number, scheme_of, width


@dataclass(frozen=True, kw_only=True)
class TriangleWaves(Spec):
    """A triangle wave for each pair of channels, in two phases a quarter apart.

    Attributes:
        dim: Channels of a token.
        shortest: The period of the first pair, in positions.
        longest: That of the last pair.
    """

    dim: int = width(at_least=2, even=True)
    shortest: float = number(6.0, at_least=2, at_most=1e6)
    longest: float = number(10_000.0, at_least=2, at_most=1e6)

    def periods(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Positions in a period of each channel; float64, shape (dim,)."""
        return np.repeat(np.geomspace(self.shortest, self.longest, self.dim // 2), 2)

    def constants(self, *, length: int | None = None, arithmetic: str = "exact") -> dict[str, Any]:
        # Whole numbers, so that positions are reduced without rounding however far out they are.
        periods = np.rint(self.periods()).astype(np.int32)
        return {"periods": periods, "phases": np.tile(np.float32([0, 0.25]), self.dim // 2)}

    def bind(self, arrays: Any, *, length: int | None = None, xp: Any = None) -> Any:
        def place(positions: Any, *, xp: Any, float64: bool) -> Any:
            wide = xp.float64 if float64 else xp.float32
            periods, phases = (
                adopt(arrays[name], like=positions, xp=xp) for name in ("periods", "phases")
            )
            within = positions[..., None] % xp.astype(periods, positions.dtype)
            turns = xp.astype(within, wide) / xp.astype(periods, wide) + xp.astype(phases, wide)
            return 4 * xp.abs(turns - xp.floor(turns) - 0.5) - 1

        return scheme_of(place=place, embed=lambda code, *, xp: code, whole=True, xp=xp)


ENTRIES = [
    Entry(
        name="triangle-waves",
        spec_class=TriangleWaves,
        title={"en": "triangle waves in pairs of phases", "zh": "成对相位的三角波"},
        year=2026,
        reference="examples/plugin of posenc",
        formula="4 |frac(p / period + phase) - 1/2| - 1",
    )
]
