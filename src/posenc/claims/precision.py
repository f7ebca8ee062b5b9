"""Chapter 12: precision, of positions, of frequencies, of angles."""

from __future__ import annotations

from posenc.claims.precision_angles import chapter as chapter  # goes on from the half
