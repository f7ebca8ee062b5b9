"""Learned arrays that a case states by a rule: too large to write out, and no two rows alike."""

import math

from oracle.exact import Data


def spread(rule: Data) -> list[float]:
    """`shape` numbers from `low` up to `high`, in steps of 1/1024 of that, in no order.

    Number i, in row-major order, is `low + (high - low) k / 1024` with
    `k = ((61803 i + start) mod 99991) mod 1024`: float32 holds it exactly.
    """
    low, size, start = rule["low"], rule["high"] - rule["low"], rule["start"]
    count = math.prod(rule["shape"])
    found = [low + size * ((61803 * i + start) % 99991 % 1024) / 1024 for i in range(count)]
    for length in reversed(rule["shape"][1:]):
        found = [found[i : i + length] for i in range(0, len(found), length)]
    return found if rule["shape"] else found[0]
