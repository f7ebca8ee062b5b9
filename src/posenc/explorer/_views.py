"""The views of the page, in its order, and the claims that each works out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

VIEWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bars": (
            "sinusoid.norm",
            "sinusoid.neighbour-cosine",
            "sinusoid.pair-step",
            "sinusoid.restless-left",
            "sinusoid.coarse-fine",
        ),
        "map": ("sinusoid.layouts",),
        "clocks": ("sinusoid.pair-circle",),
        "similarity": (
            "distance.products",
            "distance.sum-of-cosines",
            "distance.absolute",
            "distance.falls",
            "distance.minimum",
        ),
    }
)
"""Ids of claims by view; the script in ``static`` measures exactly these."""
