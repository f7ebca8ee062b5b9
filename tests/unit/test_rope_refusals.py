"""What a Rope and its scalings refuse, word by word."""

from __future__ import annotations

from functools import partial

import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError, LayoutError

from .refusing import Call, Refused, refusal

rope = partial(posenc.Rope, dim=8, layout="half")

REFUSED: Refused = [
    (lambda: rope(dim=7), EncodingError, "Rope.dim must be even; got 7. Channels turn in pairs."),
    (lambda: rope(dim=0), EncodingError, "Rope.dim must be at least 2; got 0."),
    (lambda: rope(dim=10**9), EncodingError, "Rope.dim must be at most 1048576; got 1000000000."),
    (lambda: rope(dim="8"), EncodingTypeError, "Rope.dim must be an integer; got '8'."),
    (lambda: rope(dim=True), EncodingTypeError, "Rope.dim must be an integer; got True."),
    (
        lambda: rope(layout="neox"),
        LayoutError,
        "Rope.layout must be 'half' or 'interleaved'; got 'neox'. That is 'half'.",
    ),
    (
        lambda: rope(layout="interleave"),
        LayoutError,
        "Rope.layout must be 'half' or 'interleaved'; got 'interleave'. "
        "Did you mean 'interleaved'?",
    ),
    (lambda: rope(base=float("nan")), EncodingError, "Rope.base must be finite; got nan."),
    (lambda: rope(base=-1), EncodingError, "Rope.base must be at least 1.01; got -1."),
    (lambda: rope(base="10000"), EncodingTypeError, "Rope.base must be a number; got '10000'."),
    (lambda: rope(head_dim=6), EncodingError, "Rope.head_dim must be at least dim 8; got 6."),
    (
        lambda: rope(scaling="yarn"),
        EncodingTypeError,
        "Rope.scaling must be a scaling; got 'yarn'. Pass an instance of one of: DynamicNtk, "
        "HighPass, Linear, Llama3, LongRope, MixedNtk, Ntk, Proportional, Unscaled, Yarn.",
    ),
    (
        lambda: rope(dim=2, scaling=posenc.Ntk(factor=2)),
        EncodingError,
        "Rope.dim must be at least 4 with Ntk; got 2. A single pair is both the fastest and the "
        "slowest.",
    ),
    (
        lambda: posenc.Linear(factor=0.25),
        EncodingError,
        "Linear.factor must be at least 1; got 0.25.",
    ),
    (
        lambda: posenc.Linear(factor=float("inf")),
        EncodingError,
        "Linear.factor must be finite; got inf.",
    ),
    (
        lambda: posenc.Llama3(factor=8, low_freq_factor=4, high_freq_factor=4, trained_length=8192),
        EncodingError,
        "Llama3.high_freq_factor must be above low_freq_factor 4; got 4.0.",
    ),
    (
        lambda: posenc.Yarn(factor=4, trained_length=4096, beta_fast=1, beta_slow=32),
        EncodingError,
        "Yarn.beta_fast must be at least beta_slow 32; got 1.0. Pairs that turn more often than "
        "beta_fast are kept.",
    ),
    (
        lambda: posenc.LongRope(short=[1], long=[1, 2], trained_length=4096, factor=2),
        EncodingError,
        "LongRope.long must be as long as short, 1 factors; got 2.",
    ),
    (
        lambda: posenc.LongRope(short=[1], long=[2], trained_length=4096),
        EncodingError,
        "LongRope.factor must be given; got None. It is the target length over trained_length, "
        "or give attention_factor.",
    ),
    (
        lambda: rope(
            scaling=posenc.LongRope(short=[1] * 3, long=[1] * 3, trained_length=9, factor=2)
        ),
        EncodingError,
        "LongRope.short must be of 4 factors for 8 rotated channels; got 3. One factor per "
        "rotated pair of channels.",
    ),
    (
        lambda: posenc.Proportional(share=0),
        EncodingError,
        "Proportional.share must be above 0; got 0.",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(call: Call, error: type[EncodingError], sentence: str) -> None:
    assert refusal(call) == (error, sentence)
