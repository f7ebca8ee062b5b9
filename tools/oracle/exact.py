"""Numbers of 60 digits, and the one place where they become float64."""

from collections.abc import Callable
from typing import Any

from mpmath import mp

mp.dps = 60

Exact = Any  # an mpmath number; mpmath carries no types
Data = dict[str, Any]  # a JSON object: a case, a spec or a scaling
Answer = Callable[[Data], Any]  # from the inputs of a case to one of its numbers


def exact(number: Any) -> Exact:
    """The number itself: a float is taken as the binary fraction it stands for."""
    return mp.mpf(number)


def nearest(value: Any) -> Any:
    """The same nested lists with each exact number rounded once, to the nearest float64."""
    if isinstance(value, list):
        return [nearest(item) for item in value]
    return value if isinstance(value, int) else float(value)
