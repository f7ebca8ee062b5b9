"""What the page claims of itself: that its numbers are Python's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from posenc.claims import Claim, find
from posenc.text import load


def _own(name: str, plain: str, *, within: float) -> Claim:
    return Claim(
        id=f"page.{name}",
        chapter=0,
        statement=load("explorer/claim")[name],
        relation="at_most",
        expected=0.0,
        tolerance=within,
        verdict="holds",
        actual=None,
        source=(),
        compute=lambda: 0.0,  # of Python's numbers against themselves
        plain=plain,
    )


OWN: Mapping[str, Claim] = MappingProxyType(
    {
        claim.id: claim
        for claim in (
            _own(
                "rows",
                "p = np.array([1, 500, 1023])[:, None]\n"
                "angle = p * 10000.0 ** (-np.arange(0, 64, 2) / 64)\n"
                "value = np.abs(np.sin(angle) ** 2 + np.cos(angle) ** 2 - 1).max()",
                within=1e-12,
            ),
        )
    }
)
"""Claims that only a page can make, by id; ``page.`` and a key of ``text/explorer/claim.toml``."""


def stated(claim_id: str) -> Claim:
    """A claim of the page or of the library."""
    return OWN.get(claim_id) or find(claim_id)
