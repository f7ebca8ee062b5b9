"""Speed and memory, beside every installed peer and what the machine can do at most.

A case is data: a piece of work, its size, the way that users call this library, the machine's limit
and the peers. Every peer runs in a process of its own, in turn with the others, and only after its
answer was found to be ours. What is said is a ratio within one run.

    >>> from posenc.bench import CASES
    >>> CASES["decode"].unit
    'us'
"""

from posenc.bench._case import Bound, Case, Size
from posenc.bench._cases import CASES, GROWTH, chosen
from posenc.bench._machine import machine
from posenc.bench._result import Row, Side
from posenc.bench._run import run

__all__ = ["CASES", "GROWTH", "Bound", "Case", "Row", "Side", "Size", "chosen", "machine", "run"]
