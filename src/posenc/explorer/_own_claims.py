"""What the page claims of itself: that its numbers are Python's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from posenc.claims import Claim, find
from posenc.claims._codes import farthest, sinusoid
from posenc.explorer.views.bars import GOLDEN
from posenc.specs._sinusoidal import Sinusoidal
from posenc.text import load


def _rows() -> float:
    """How far the rows that the page is given are from waves made in another way."""
    angle = np.asarray(GOLDEN)[:, None] * Sinusoidal(dim=64).frequencies()
    waves = np.exp(1j * angle)
    return farthest(sinusoid(GOLDEN), np.stack([waves.imag, waves.real], -1).reshape(-1, 64))


def _own(name: str, compute: Callable[[], float], plain: str, *, within: float) -> Claim:
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
        compute=compute,
        plain=plain,
    )


OWN: Mapping[str, Claim] = MappingProxyType(
    {
        claim.id: claim
        for claim in (
            _own(
                "rows",
                _rows,
                "angle = np.array([1, 500, 1023])[:, None] * 10000.0 ** (-np.arange(32) / 32)\n"
                "turned = np.cumprod(np.repeat(np.exp(1j * angle[:1]), 1023, axis=0), axis=0)\n"
                "value = np.abs(turned[[0, 499, 1022]] - np.exp(1j * angle)).max()",
                within=1e-12,
            ),
        )
    }
)
"""Claims that only a page can make, by id; ``page.`` and a key of ``text/explorer/claim.toml``."""


def stated(claim_id: str) -> Claim:
    """A claim of the page or of the library."""
    return OWN.get(claim_id) or find(claim_id)
