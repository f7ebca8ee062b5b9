"""How much sharper attention is for a query that sees more keys: a factor on its logits."""

from __future__ import annotations

import math

from posenc._arrays import clipped, is_host, is_integer
from posenc._typing import Array, Namespace

RULES = ("llama4", "ministral", "log", "power", "inkling")


def temperature(
    positions: Array, *, rule: str, trained_length: int, strength: float, xp: Namespace
) -> Array:
    """The factor of a query at position p, with L the trained length and s the strength.

        llama4     1 + s ln(1 + floor((p + 1) / L))
        ministral  1 + s ln(1 + floor(p / L))
        log        max(1, ln(p + 1) / ln(L))
        power      (1 + (p + 1) / L)^s
        inkling    1 + s ln(max(1, (p + 1) / L))

    Positions below 0 count as 0. Where a floor decides, whole positions are divided as integers:
    no step comes a token early or late, however far out.

    Args:
        positions: Of any shape, integers or real numbers.
        rule: One of the five.
        trained_length: Tokens, at least 2.
        strength: What "log" has no use for.
        xp: The array namespace.

    Returns:
        One factor a position: float64 where that costs nothing, else float32.
    """
    real = xp.float64 if is_host(xp) else xp.float32
    p = xp.clip(positions, min=0)
    if rule in ("llama4", "ministral"):
        whole, rest = _divided(p, trained_length, xp=xp)
        if rule == "llama4":  # p + 1 would not fit where p is the last integer
            whole = whole + xp.astype(rest >= trained_length - 1, whole.dtype)
        return 1 + strength * xp.log1p(xp.astype(whole, real))
    seen = xp.astype(p, real) + 1
    if rule == "log":
        return clipped(xp.log(seen) / math.log(trained_length), 1.0, xp=xp)
    if rule == "power":
        return (1 + seen / trained_length) ** strength
    return 1 + strength * xp.log(clipped(seen / trained_length, 1.0, xp=xp))


def seen_log(positions: Array, *, xp: Namespace) -> Array:
    """ln(p + 1): of how many keys a causal query at position p sees; below 0 as at 0."""
    real = xp.float64 if is_host(xp) else xp.float32
    p = xp.clip(positions, min=0)
    return xp.log1p(xp.astype(p, real))


def _divided(p: Array, by: int, *, xp: Namespace) -> tuple[Array, Array]:
    """How many times a length is in each position, a whole number, and what is left."""
    if is_integer(p):
        return p // by, p % by
    whole = xp.floor(p / by)
    # A quotient may be rounded up to the next whole number; what is left then is negative.
    rest = p - whole * by
    early = rest < 0
    return xp.where(early, whole - 1, whole), xp.where(early, rest + by, rest)
