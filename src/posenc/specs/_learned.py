"""A vector per position out of a table: trained, or drawn once and left as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._typing import Arrays, Namespace
from posenc.errors import check
from posenc.scheme import Scheme
from posenc.specs._fields import whole, width
from posenc.specs._record import Spec
from posenc.specs._table import check_table, table_scheme


@dataclass(frozen=True, kw_only=True)
class Learned(Spec):
    """A trained vector for each position; past the table there is none.

        PE(p) = table[p + offset]

    Attributes:
        rows: Rows of the table; ``rows - offset`` positions can be used.
        dim: Channels.
        offset: Rows in front of the first position: 2 for OPT and BART, padding_idx + 1 for
            RoBERTa.

    References:
        Gehring et al. 2017, arXiv:1705.03122, section 3.1; Devlin et al. 2018, arXiv:1810.04805.
    """

    rows: int = whole(at_least=1, at_most=2**24)
    dim: int = width()
    offset: int = whole(0, at_least=0, at_most=2**20)

    def check(self) -> None:
        check_table(self)
        check(self.offset < self.rows, "Learned.offset", f"below rows {self.rows}", self.offset)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"table": (self.rows, self.dim)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return table_scheme(arrays["table"], offset=self.offset, xp=xp)


@dataclass(frozen=True, kw_only=True)
class RandomDirections(Spec):
    """A random unit vector per position, drawn once: unique, and blind to nearness.

    Attributes:
        rows: Positions that have a direction.
        dim: Channels.
    """

    rows: int = whole(at_least=1, at_most=2**24)
    dim: int = width()

    def check(self) -> None:
        check_table(self)

    def learned(self) -> dict[str, tuple[int, ...]]:
        return {"table": (self.rows, self.dim)}

    def parameters(self) -> int:
        """None: the table is given like a learned one, but nothing trains it."""
        return 0

    def init(self, rng: np.random.Generator) -> Arrays:
        """Directions drawn evenly from the sphere, float32."""
        drawn = rng.normal(size=(self.rows, self.dim))
        unit = drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)
        return {"table": unit.astype(np.float32)}

    def bind(
        self, arrays: Arrays, *, length: int | None = None, xp: Namespace | str | None = None
    ) -> Scheme:
        return table_scheme(arrays["table"], offset=0, xp=xp)
