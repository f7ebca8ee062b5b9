"""What resizing refuses, word by word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from posenc import resize
from posenc.errors import EncodingError, EncodingTypeError

CELLS = np.zeros((1, 197, 8))
REFUSED: list[tuple[Callable[[], object], type[EncodingError], str]] = [
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(16, 16), method="bicubic", prefix=1),
        EncodingError,
        "resize.grid(): method must be a known one; got 'bicubic'. Did you mean 'cubic'?",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(16, 16), method="cubic"),
        EncodingError,
        "resize.grid(): table must be of 196 rows: prefix 0 and 14 x 14 cells; got (1, 197, 8). "
        "State the old size and how many rows belong to none of it.",
    ),
    (
        lambda: resize.grid(CELLS, old=196, new=(16, 16), method="cubic", prefix=1),
        EncodingTypeError,
        "resize.grid(): old must be a size for each axis; got 196. "
        "Such as (14, 14): height, width.",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(16,), method="cubic", prefix=1),
        EncodingError,
        "resize.grid(): new must be of 2 axes, as old; got (16,).",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(16, 16.0), method="cubic", prefix=1),
        EncodingTypeError,
        "resize.grid(): new[1] must be an integer; got 16.0.",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(16, 0), method="cubic", prefix=1),
        EncodingError,
        "resize.grid(): new[1] must be at least 1; got 0.",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(2**20, 2**20), method="cubic", prefix=1),
        EncodingError,
        "resize.grid(): new must be of at most 268435456 cells; got (1048576, 1048576).",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(8000, 8000), method="nearest", prefix=1),
        EncodingError,
        "resize.grid(): new must be such that the table and its matrices have at most 268435456 "
        "numbers; got 512000000.",
    ),
    (
        lambda: resize.grid(CELLS.astype(int), old=(14, 14), new=(2, 2), method="cubic", prefix=1),
        EncodingTypeError,
        "resize.grid(): table must be floating-point numbers; got 'int64'.",
    ),
    (
        lambda: resize.grid([[1.0]], old=(1, 1), new=(2, 2), method="cubic"),
        EncodingTypeError,
        "resize.grid(): table must be of NumPy, PyTorch, JAX or the array API standard; got list. "
        "Wrap it: numpy.asarray(...).",
    ),
    (
        lambda: resize.grid(np.zeros(196), old=(14, 14), new=(2, 2), method="cubic"),
        EncodingError,
        "resize.grid(): table must be of shape (*lead, rows, channels); got (196,).",
    ),
    (
        lambda: resize.grid(CELLS, old=(14, 14), new=(2, 2), method="cubic", prefix=-1),
        EncodingError,
        "resize.grid(): prefix must be at least 0; got -1.",
    ),
    (
        lambda: resize.relative(np.zeros((172, 4)), old=(7, 7), new=(12, 12), method="cubic"),
        EncodingError,
        "resize.relative(): table must be of 169 rows: 13 x 13 offsets and extra 0; got (172, 4). "
        "State the old size and how many rows belong to none of it.",
    ),
    (
        lambda: resize.relative(
            np.zeros((169, 4)), old=(7, 7), new=(12, 6), method="geometric-cubic"
        ),
        EncodingError,
        "resize.relative(): new must be at least old 7 along each axis; got 6. "
        "It spreads a table over a larger window.",
    ),
    (
        lambda: resize.relative(
            np.zeros((9, 4)), old=(2, 2), new=(3, 3), method="geometric-linear"
        ),
        EncodingError,
        "resize.relative(): old must be at least 3 along an axis that grows geometrically; got 2. "
        "Steps that grow by one ratio reach farther only from the third offset on.",
    ),
    (
        lambda: resize.rows(np.zeros((2, 4)), new=12, method="linear", prefix=2),
        EncodingError,
        "resize.rows(): table must be of more rows than prefix 2; got 2.",
    ),
    (
        lambda: resize.tiled(np.zeros((2, 4)), new=0),
        EncodingError,
        "resize.tiled(): new must be at least 1; got 0.",
    ),
    (
        lambda: resize.tiled(np.zeros((2, 4)), new=2**30),
        EncodingError,
        "resize.tiled(): new must be such that the table and its matrices have at most 268435456 "
        "numbers; got 4294967296.",
    ),
    (
        lambda: resize.hierarchical(np.zeros((2, 4)), new=5),
        EncodingError,
        "resize.hierarchical(): new must be at most 4, the square of the 2 positions there are; "
        "got 5.",
    ),
    (
        lambda: resize.hierarchical(np.zeros((2, 4)), new=4, alpha="0.4"),
        EncodingTypeError,
        "resize.hierarchical(): alpha must be a number; got '0.4'.",
    ),
    (
        lambda: resize.hierarchical(np.zeros((2, 4)), new=4, alpha=1),
        EncodingError,
        "resize.hierarchical(): alpha must be above 0, below 1 and not 1/2; got 1. "
        "At 1/2 two positions share a row.",
    ),
    (
        lambda: resize.weights(3, 5, method="lanczos"),
        EncodingError,
        "resize.weights(): method must be a known one; got 'lanczos'. Known: cubic, "
        "cubic-antialias, linear, linear-antialias, linear-corners, nearest.",
    ),
    (
        lambda: resize.weights(2**20, 2**20, method="linear"),
        EncodingError,
        "resize.weights(): old * new must be at most 268435456; got 1099511627776.",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused_in_one_sentence(
    call: Callable[[], object], error: type[EncodingError], message: str
) -> None:
    with pytest.raises(EncodingError) as caught:
        call()
    assert (type(caught.value), str(caught.value)) == (error, message)
