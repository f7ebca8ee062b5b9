"""The few types that every file speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

Array: TypeAlias = Any
"""An array of NumPy, PyTorch, JAX or any library of the array API standard."""

Arrays: TypeAlias = Mapping[str, Array]
"""Named arrays: what an encoding learned, or what it derived from its fields."""

Namespace: TypeAlias = Any
"""The functions of one array library, as the array API standard names them."""

Layout: TypeAlias = Literal["half", "interleaved"]
"""Which channels form a pair: (i, i + dim/2), or (2i, 2i + 1)."""

Arithmetic: TypeAlias = Literal["exact", "float32"]
"""How angles are formed: counted in 64-bit turns, or multiplied out in float32 as elsewhere."""
