"""Chapter 8: rotary encoding, from the terms it leaves out to the order of its channels."""

from __future__ import annotations

from posenc.claims.rotary_faults import chapter

__all__ = ["chapter"]
