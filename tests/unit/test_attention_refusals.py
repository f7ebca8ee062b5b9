"""What attend() refuses, word by word."""

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
        lambda: posenc.attend(X, X, X, ROPE),
        EncodingError,
        "attend(): q_positions must be given for this encoding; got None. Positions are never "
        "guessed: pass posenc.positions.arange(n).",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.NoPE(), mask=np.zeros((5, 5))),
        EncodingTypeError,
        "attend(): mask must be boolean; got 'float64'. True may attend; turn an additive mask "
        "into mask == 0.",
    ),
    (
        lambda: posenc.attend(X, X[:, :2], X[:, :2], posenc.NoPE()),
        EncodingError,
        "attend(): k must be of a number of heads that divides 3; got 2.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.NoPE(), mask=np.ones((7, 1, 5, 5), bool)),
        EncodingError,
        "attend(): mask must be of a shape that broadcasts to (*batch, heads, q, k) (2, 3, 5, 5); "
        "got (7, 1, 5, 5).",
    ),
    (
        lambda: posenc.attend(X, X, X.astype(np.int64), posenc.NoPE()),
        EncodingTypeError,
        "attend(): v must be floating-point numbers; got 'int64'.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.NoPE(), scale="a"),
        EncodingTypeError,
        "attend(): scale must be a number; got 'a'.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.T5Bias(heads=3, bidirectional=True)),
        EncodingError,
        "attend(): arrays must be given: table; got None. Fresh ones are spec.init(rng); bind() "
        "takes them too.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.bind(ROPE), length=9),
        EncodingError,
        "attend(): encoding must be a spec to take arrays or a length; got ['length']. What is "
        "bound has its own: see bind() and Encoding.for_length().",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.Alibi(heads=1), q_positions=np.arange(5)),
        EncodingError,
        "attend(): encoding must be for the 3 heads of q; got 1.",
    ),
    (  # one position would stretch over all tokens, and turn ALiBi off
        lambda: posenc.attend(X, X, X, posenc.Alibi(heads=3), q_positions=np.array([0])),
        EncodingError,
        "attend(): q_positions must be of shape (5,) or (2, 5); got (1,).",
    ),
    (
        lambda: posenc.attend(X[:, :, :1], X, X, ROPE, q_positions=np.array([4])),
        EncodingError,
        "attend(): k_positions must be of shape (5,) or (2, 5); got (1,). Left out, keys are where "
        "the queries are: pass k_positions.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.Sinusoidal(dim=4), q_positions=np.arange(5)),
        EncodingError,
        "attend(): encoding must be one that acts inside attention; got Sinusoidal(dim=4, "
        "base=10000.0, ladder...odd='refuse', scale=1.0, trained=False). Add "
        "bind(spec).embed(positions) to the tokens, and give attend() NoPE().",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.Alibi(heads=8), q_positions=np.arange(5)),
        EncodingError,
        "attend(): encoding must be for the 3 heads of q; got 8.",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(call: Call, error: type[EncodingError], sentence: str) -> None:
    assert refusal(call) == (error, sentence)
