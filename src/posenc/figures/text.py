"""Pictures made of characters, for terminals, logs and mail."""

from posenc._characters import RAMP, heat_map, strip

__all__ = ["RAMP", "heat_map", "strip"]
