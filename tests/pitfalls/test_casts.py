"""What comes out has the dtype that went in, or was asked for."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingTypeError
from posenc.torch import Encoding

ROPE = posenc.Rope(dim=10, layout="half")


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_a_code_has_the_dtype_of_the_tokens_however_far(dtype: torch.dtype) -> None:
    """B14: a table that grew in the forward pass came back wider, and the next layer broke."""
    enc = Encoding(posenc.Sinusoidal(dim=10)).to(dtype)
    norm = torch.nn.LayerNorm(10).to(dtype)
    tokens = torch.zeros(5, 10, dtype=dtype)
    for first in (8, 1_000_000, 8):
        code = enc(torch.arange(first, first + 5), dtype=tokens.dtype)
        assert code.dtype == dtype
        assert norm(tokens + code).dtype == dtype


def test_integers_are_no_tokens_and_codes_no_integers() -> None:
    """B16: sines cut to whole numbers are all 0."""
    scheme = posenc.bind(posenc.Sinusoidal(dim=2))
    code = scheme.embed(np.arange(3))
    np.testing.assert_allclose(code[:, 0], [0, 0.841470985, 0.909297427], atol=1e-7)
    with pytest.raises(EncodingTypeError, match="dtype must be float16, bfloat16"):
        scheme.embed(np.arange(3), dtype=np.int64)
    with pytest.raises(EncodingTypeError, match="must be floating-point numbers; got 'int64'"):
        posenc.bind(ROPE).query(np.ones((3, 10), np.int64), np.arange(3), head_axis=None)


def test_a_precision_asked_for_is_given_or_refused() -> None:
    """B17: the option was read and never handed on."""
    at = torch.arange(8, 13)
    assert posenc.tables(ROPE, at)[0].dtype == torch.float32
    assert posenc.tables(ROPE, at, float64=True)[0].dtype == torch.float64
    assert Encoding(ROPE).prepare(at, float64=True).q[0].dtype == torch.float64
    plain = posenc.tables(ROPE, at + 70_000)[0]
    assert not torch.equal(posenc.tables(ROPE, at + 70_000, arithmetic="float32")[0], plain)
    with pytest.raises(TypeError, match="dtype"):
        Encoding(ROPE, dtype=torch.float16)


@pytest.mark.parametrize("autocast", [False, True])
@pytest.mark.parametrize("module", [torch.float32, torch.bfloat16], ids=str)
def test_the_dtype_follows_the_tokens_alone(module: torch.dtype, autocast: bool) -> None:
    """B18: with one of two flags set scores came out wider."""
    enc, at = Encoding(ROPE).to(module), torch.arange(8, 13)
    for q, k in ((torch.bfloat16, torch.float32), (torch.float16, torch.bfloat16)):
        with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
            turned = enc(torch.ones(3, 5, 10, dtype=q), torch.ones(3, 5, 10, dtype=k), at)
        assert [t.dtype for t in turned] == [q, k]
