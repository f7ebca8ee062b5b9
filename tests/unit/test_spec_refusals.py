"""What every other spec refuses, and from_dict(), word by word."""

from __future__ import annotations

import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError

from .refusing import Call, Refused, refusal

ROPE = posenc.Rope(dim=8, layout="half")
REFUSED: Refused = [
    (
        lambda: posenc.Sinusoidal(dim=5),
        EncodingError,
        "Sinusoidal.dim must be even; got 5. Say what an odd width means: odd='cut', 'ceil' or "
        "'zero'.",
    ),
    (
        lambda: posenc.Sinusoidal(dim=5, odd="cut").shift(1),
        EncodingError,
        "Sinusoidal.shift(): dim must be even; got 5.",
    ),
    (
        lambda: posenc.Sinusoidal(dim=8, ladder="t2t"),
        EncodingError,
        "Sinusoidal.ladder must be 'paper' or 'tensor2tensor'; got 't2t'. Known: paper, "
        "tensor2tensor.",
    ),
    (
        lambda: posenc.Learned(rows=10**6, dim=10**6),
        EncodingError,
        "Learned.rows must be at most 268 for dim 1000000; got 1000000.",
    ),
    (
        lambda: posenc.Learned(rows=2, dim=4, offset=2),
        EncodingError,
        "Learned.offset must be below rows 2; got 2.",
    ),
    (
        lambda: posenc.Alibi(heads=3, slopes=[1, 2]),
        EncodingError,
        "Alibi.slopes must be of 3 numbers, one a head; got 2.",
    ),
    (  # a set has an order of its own
        lambda: posenc.Alibi(heads=2, slopes={0.5, 0.25}),
        EncodingTypeError,
        "Alibi.slopes must be a list of numbers; got {0.25, 0.5}.",
    ),
    (
        lambda: posenc.T5Bias(heads=2, bidirectional=True, buckets=31),
        EncodingError,
        "T5Bias.buckets must be even and at least 4; got 31. Each direction has half of them.",
    ),
    (
        lambda: posenc.T5Bias(heads=2, bidirectional=True, max_distance=8),
        EncodingError,
        "T5Bias.max_distance must be above 8; got 8. Nearer distances have a bucket each.",
    ),
    (
        lambda: posenc.T5Bias(heads=2, bidirectional=1),
        EncodingTypeError,
        "T5Bias.bidirectional must be True or False; got 1.",
    ),
    (lambda: posenc.Stack(), EncodingError, "Stack.parts must be at least one spec; got ()."),
    (
        lambda: posenc.Stack(ROPE, ROPE),
        EncodingError,
        "Stack must be given at most one part that turns queries and keys; got 2.",
    ),
    (
        lambda: posenc.from_dict({"kind": "ropee"}),
        EncodingError,
        "from_dict(): data.kind must be an encoding's; got 'ropee'. Did you mean 'rope'?",
    ),
    (
        lambda: posenc.from_dict({"kind": "rope", "layout": "half", "dims": 8}),
        EncodingError,
        "from_dict(): data must be a rope with its own fields only; got 'dims'. "
        "Did you mean 'dim'?",
    ),
    (
        lambda: posenc.from_dict({"kind": "rope", "dim": 8}),
        EncodingError,
        "from_dict(): data must be a rope with layout; got ['dim'].",
    ),
    (
        lambda: posenc.from_dict([1]),
        EncodingTypeError,
        "from_dict(): data must be a mapping with a 'kind'; got [1].",
    ),
    (
        lambda: posenc.from_dict({"kind": "linear", "factor": 2}),
        EncodingError,
        "from_dict(): data.kind must be an encoding's; got 'linear'. Did you mean 'binary'?",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(call: Call, error: type[EncodingError], sentence: str) -> None:
    assert refusal(call) == (error, sentence)
