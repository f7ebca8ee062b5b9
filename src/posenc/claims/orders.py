"""Chapter 9: orders other than that of words: patches of a picture, time stamps, audio frames."""

from __future__ import annotations

from posenc.claims.orders_time import chapter

__all__ = ["chapter"]
