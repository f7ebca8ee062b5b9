"""A learned row per position: BERT, GPT-2, OPT."""

from __future__ import annotations

from dataclasses import dataclass

from posenc._typing import Arrays, Namespace
from posenc.errors import check
from posenc.scheme import Scheme
from posenc.specs._fields import whole, width
from posenc.specs._naive import check_table, table_scheme
from posenc.specs._record import Spec


@dataclass(frozen=True, kw_only=True)
class Learned(Spec):
    """A trained vector for each position; past the table there is none.

    Position p reads row p + offset. ``offset`` is 2 for OPT and BART, and padding_idx + 1 for
    RoBERTa; their tables have that many more rows than usable positions.

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
