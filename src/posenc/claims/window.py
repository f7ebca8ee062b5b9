"""Chapter 10: a window of 2047 tokens slides by one: what changes, and what a cache must do."""

from __future__ import annotations

from posenc.claims.window_drift import chapter

__all__ = ["chapter"]
