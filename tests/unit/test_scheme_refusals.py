"""What binding, combining and a bound scheme refuse, word by word."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError

from .refusing import Call, Refused, refusal

X = np.zeros((2, 3, 5, 8), np.float32)
ROPE = posenc.Rope(dim=8, layout="half")
REFUSED: Refused = [
    (
        lambda: posenc.bind(
            posenc.Rope(dim=8, layout="half", scaling=posenc.DynamicNtk(factor=2, trained_length=9))
        ),
        EncodingError,
        "bind(): length must be given for this spec; got None. Its rule depends on the number of "
        "tokens in the run.",
    ),
    (
        lambda: posenc.bind("rope"),
        EncodingTypeError,
        "bind(): spec must be a spec; got 'rope'. Build one, such as "
        "posenc.Rope(dim=64, layout='half').",
    ),
    (
        lambda: posenc.bind(posenc.Learned(rows=4, dim=2), {"tabel": np.zeros((4, 2))}),
        EncodingError,
        "bind(): arrays must be the learned ones; got 'tabel'. Did you mean 'table'?",
    ),
    (
        lambda: posenc.bind(posenc.Learned(rows=4, dim=2), {"table": np.zeros((2, 4))}),
        EncodingError,
        "bind(): arrays['table'] must be of shape (4, 2); got (2, 4).",
    ),
    (
        lambda: posenc.bind(posenc.Learned(rows=4, dim=2), [1]),
        EncodingTypeError,
        "bind(): arrays must be a mapping by name; got 'list'.",
    ),
    (
        lambda: posenc.combine(posenc.Alibi(heads=2)),
        EncodingTypeError,
        "combine() must be given schemes; got Alibi(heads=2, slopes='reference', "
        "symmetric=False, bias_max=8.0, head_dim=None). Bind a spec first, or combine "
        "specs: Stack(a, b).",
    ),
    (
        lambda: posenc.combine(
            posenc.bind(posenc.Sinusoidal(dim=4)), posenc.bind(posenc.Integer(dim=1))
        ).embed(np.arange(3)),
        EncodingError,
        "combine() must be given codes of one width; got (4, 1).",
    ),
    (
        lambda: posenc.combine(posenc.bind(ROPE), posenc.bind(ROPE)),
        EncodingError,
        "combine() must be given at most one scheme with a 'query' hook; got '2 of them'. Two of "
        "them would not commute; write one spec that does both.",
    ),
    (
        lambda: posenc.bind(ROPE).query(X, np.arange(3)),
        EncodingError,
        "query(): positions must be of shape (5,) or (2, 5), as x of shape (2, 3, 5, 8) is read "
        "as (*batch, heads, n, dim); got (3,). Pass head_axis=-2 if x is (*batch, n, heads, dim), "
        "None if it has no heads.",
    ),
    (
        lambda: posenc.bind(ROPE).query(X, np.zeros((3, 2, 5), np.int64)),
        EncodingError,
        "query(): positions must be of shape (5,) or (2, 5), as x of shape (2, 3, 5, 8) is read "
        "as (*batch, heads, n, dim); got (3, 2, 5). Coordinates go last: moveaxis(positions, 0, "
        "-1) gives (*batch, n, axes).",
    ),
    (
        lambda: posenc.bind(ROPE).query(X[..., :6], np.arange(5)),
        EncodingError,
        "Rope: x must be of 8 channels, its head_dim; got 6.",
    ),
    (
        lambda: posenc.bind(posenc.Learned(rows=8, dim=4)).embed(np.arange(12)),
        EncodingError,
        "embed(): positions must be between 0 and 7, the rows of the table; got '0..11'. There is "
        "nothing for 8..11: use more rows, or an encoding given by a formula.",
    ),
    (
        lambda: posenc.bind(posenc.Binary(bits=3)).embed(np.array([8])),
        EncodingError,
        "embed(): positions must be between 0 and 7, what 3 bits can count; got 8. There is "
        "nothing for 8: use more rows, or an encoding given by a formula.",
    ),
    (
        lambda: posenc.bind(posenc.Sinusoidal(dim=4)).embed(np.arange(2), dtype=int),
        EncodingTypeError,
        "embed(): dtype must be float16, bfloat16, float32 or float64; got <class 'int'>.",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(call: Call, error: type[EncodingError], sentence: str) -> None:
    assert refusal(call) == (error, sentence)
