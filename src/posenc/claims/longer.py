"""Chapter 11: longer than trained."""

from __future__ import annotations

from posenc.claims.longer_factors import chapter as chapter  # goes on from the others
