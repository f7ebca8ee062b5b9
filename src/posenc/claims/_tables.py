"""What learned tables show when they are given a text: which rows are read, refused or trained."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from posenc._facade import bind
from posenc.attention import attend
from posenc.claims._codes import Matrix
from posenc.errors import EncodingError
from posenc.specs._learned import Learned
from posenc.specs._none import NoPE


def rows_read(spec: Learned, positions: Iterable[int]) -> Matrix:
    """The rows that a table reads at these positions: each row holds its own number."""
    numbered = np.repeat(np.arange(spec.rows, dtype=np.float64)[:, None], spec.dim, axis=1)
    code = bind(spec, {"table": numbered}).embed(np.asarray(list(positions)))  # type: ignore[misc]
    return np.asarray(code[:, 0])


def numbers_read(spec: Learned) -> int:
    """How many numbers of a table reach the code of the longest text, each at its own place."""
    table = np.arange(spec.rows * spec.dim, dtype=np.float32).reshape(spec.rows, spec.dim)
    code = bind(spec, {"table": table}).embed(np.arange(spec.rows))  # type: ignore[misc]
    return int(np.count_nonzero(code == table))


def refusal(spec: Learned, positions: Iterable[int]) -> str:
    """The sentence that refuses these positions; empty if each has a row."""
    try:
        bind(spec, _zeros(spec)).embed(np.asarray(list(positions)))  # type: ignore[misc]
    except EncodingError as error:
        return str(error)
    return ""


def _zeros(spec: Learned) -> dict[str, Matrix]:
    return {"table": np.zeros((spec.rows, spec.dim))}


def named_missing(sentence: str) -> set[int]:
    """The positions that a refusal says there is nothing for."""
    found = re.search(r"nothing for (\d+)(?:\.\.(\d+))?", sentence)
    return set(range(int(found[1]), int(found[2] or found[1]) + 1)) if found else set()


def longest_text(spec: Learned) -> int:
    """The most tokens, counted from position 0, that a table serves."""
    return next(n for n in range(spec.rows + 1, -1, -1) if not refusal(spec, range(n)))


def counted(mask: list[int]) -> list[int]:
    """Positions that count real tokens from 0; padding stands at -1."""
    kept = np.asarray(mask)
    return [int(p) for p in np.cumsum(kept) * kept - 1]


def row_gradients(rows: int = 12, tokens: int = 8) -> Matrix:
    """How steeply the loss of an attention layer on ``tokens`` tokens changes with each row.

    A central difference along a random direction of each row; the loss is the squared output.
    """
    rng = np.random.RandomState(7)
    words, table, aim = rng.randn(tokens, 4), rng.randn(rows, 4), rng.randn(rows, 4)
    spec = Learned(rows=rows, dim=4)

    def loss(values: Matrix) -> float:
        x = (words + bind(spec, {"table": values}).embed(np.arange(tokens)))[None]  # type: ignore[misc]
        return float((np.asarray(attend(x, x, x, NoPE())) ** 2).sum())

    def along(row: int, step: float = 1e-5) -> float:
        moved = np.zeros_like(table)
        moved[row] = aim[row] * step
        return (loss(table + moved) - loss(table - moved)) / (2 * step)

    return np.abs([along(row) for row in range(rows)])


def decayed(row: Matrix, gradient: float, *, rate: float, decay: float, steps: int) -> Matrix:
    """A row after ``steps`` of gradient descent with decoupled weight decay, as in AdamW."""
    for _ in range(steps):
        row = row - rate * (gradient + decay * row)
    return row
