"""Every constructor and call refuses in one whole sentence, tested word by word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError, EncodingTypeError, LayoutError

X = np.zeros((2, 3, 5, 8), np.float32)
ROPE = posenc.Rope(dim=8, layout="half")
COS = np.zeros((5, 4), np.float32)

REFUSED: list[tuple[Callable[[], object], type[EncodingError], str]] = [
    (
        lambda: posenc.Rope(dim=7, layout="half"),
        EncodingError,
        "Rope.dim must be even; got 7. Channels turn in pairs.",
    ),
    (
        lambda: posenc.Rope(dim=0, layout="half"),
        EncodingError,
        "Rope.dim must be at least 2; got 0.",
    ),
    (
        lambda: posenc.Rope(dim=10**9, layout="half"),
        EncodingError,
        "Rope.dim must be at most 1048576; got 1000000000.",
    ),
    (
        lambda: posenc.Rope(dim="8", layout="half"),
        EncodingTypeError,
        "Rope.dim must be an integer; got '8'.",
    ),
    (
        lambda: posenc.Rope(dim=True, layout="half"),
        EncodingTypeError,
        "Rope.dim must be an integer; got True.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="neox"),
        LayoutError,
        "Rope.layout must be 'half' or 'interleaved'; got 'neox'. That is 'half'.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="interleave"),
        LayoutError,
        "Rope.layout must be 'half' or 'interleaved'; got 'interleave'. "
        "Did you mean 'interleaved'?",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="half", base=float("nan")),
        EncodingError,
        "Rope.base must be finite; got nan.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="half", base=-1),
        EncodingError,
        "Rope.base must be at least 1.01; got -1.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="half", base="10000"),
        EncodingTypeError,
        "Rope.base must be a number; got '10000'.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="half", head_dim=6),
        EncodingError,
        "Rope.head_dim must be at least dim 8; got 6.",
    ),
    (
        lambda: posenc.Rope(dim=8, layout="half", scaling="yarn"),
        EncodingTypeError,
        "Rope.scaling must be a scaling; got 'yarn'. Pass an instance of one of: DynamicNtk, "
        "HighPass, Linear, Llama3, LongRope, MixedNtk, Ntk, Proportional, Unscaled, Yarn.",
    ),
    (
        lambda: posenc.Rope(dim=2, layout="half", scaling=posenc.Ntk(factor=2)),
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
        lambda: posenc.Rope(
            dim=8,
            layout="half",
            scaling=posenc.LongRope(short=[1] * 3, long=[1] * 3, trained_length=9, factor=2),
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
        "base=10000.0, ladder..., first='sin', odd='refuse', scale=1.0). Add "
        "bind(spec).embed(positions) to the tokens, and give attend() NoPE().",
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
    (  # a set has an order of its own
        lambda: posenc.Alibi(heads=2, slopes={0.5, 0.25}),
        EncodingTypeError,
        "Alibi.slopes must be a list of numbers; got {0.25, 0.5}.",
    ),
    (
        lambda: posenc.attend(X, X, X, posenc.Alibi(heads=8), q_positions=np.arange(5)),
        EncodingError,
        "attend(): encoding must be for the 3 heads of q; got 8.",
    ),
    (
        lambda: posenc.bind(posenc.Sinusoidal(dim=4)).embed(np.arange(2), dtype=int),
        EncodingTypeError,
        "embed(): dtype must be float16, bfloat16, float32 or float64; got <class 'int'>.",
    ),
    (
        lambda: posenc.bind(posenc.Learned(rows=4, dim=2), [1]),
        EncodingTypeError,
        "bind(): arrays must be a mapping by name; got 'list'.",
    ),
    (
        lambda: posenc.tables(ROPE, np.array([2**63], np.uint64)),
        EncodingError,
        "tables(): positions must be finite and below 2**53 in size; got "
        "array([9223372036854775808], dtype=uint64).",
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
    (
        lambda: posenc.combine(posenc.bind(ROPE), posenc.bind(ROPE)),
        EncodingError,
        "combine() must be given at most one scheme with a 'query' hook; got '2 of them'. Two of "
        "them would not commute; write one spec that does both.",
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_one_sentence(
    call: Callable[[], object], error: type[EncodingError], sentence: str
) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == sentence
