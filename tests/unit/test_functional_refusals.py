"""What tables(), rotate() and positions.arange() refuse, word by word."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError

from .refusing import Call, Refused, refusal

X = np.zeros((2, 3, 5, 8), np.float32)
ROPE = posenc.Rope(dim=8, layout="half")
COS = np.zeros((5, 4), np.float32)
REFUSED: Refused = [
    (
        lambda: posenc.tables(posenc.NoPE(), np.arange(3)),
        EncodingError,
        "tables(): spec must be one with frequencies, rotary or sinusoidal; got NoPE().",
    ),
    (
        lambda: posenc.tables(ROPE, np.arange(3, dtype=np.float16)),
        EncodingError,
        "tables(): positions must be integers, float32 or float64; got 'float16'. Half precision "
        "merges neighbouring positions (bfloat16 from 257, float16 from 2049).",
    ),
    (
        lambda: posenc.tables(ROPE, np.array([True])),
        EncodingTypeError,
        "tables(): positions must be integers or real numbers; got 'bool'. A position says where "
        "a token is; a mask says which tokens count.",
    ),
    (
        lambda: posenc.tables(ROPE, np.array(3)),
        EncodingError,
        "tables(): positions must be of shape (n,) or (*batch, n); got (). A single token is an "
        "array of length 1.",
    ),
    (
        lambda: posenc.tables(ROPE, [1, 2]),
        EncodingTypeError,
        "tables(): positions must be of NumPy, PyTorch, JAX or the array API standard; got list. "
        "Wrap it: numpy.asarray(...).",
    ),
    (
        lambda: posenc.tables(ROPE, np.array([2**63], np.uint64)),
        EncodingError,
        "tables(): positions must be finite and below 2**53 in size; got "
        "array([9223372036854775808], dtype=uint64).",
    ),
    (
        lambda: posenc.rotate(X, COS, COS[:, :3], layout="half"),
        EncodingError,
        "rotate(): sin must be of shape (*n, 4), half of x's last axis, and broadcast with "
        "(2, 3, 5, 8); got (5, 3). Tables hold one column per pair; put in the heads axis with "
        "expand_dims.",
    ),
    (
        lambda: posenc.rotate(np.zeros((5, 8), np.int64), COS, COS, layout="half"),
        EncodingTypeError,
        "rotate(): x must be floating-point numbers; got 'int64'.",
    ),
    (
        lambda: posenc.positions.arange(-1),
        EncodingError,
        "arange(): length must be between 0 and 2147483648; got -1.",
    ),
    (
        lambda: posenc.positions.arange(2.0),
        EncodingTypeError,
        "arange(): length must be an integer; got 2.0.",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(call: Call, error: type[EncodingError], sentence: str) -> None:
    assert refusal(call) == (error, sentence)
