"""Batch, heads and tokens where their numbers agree, so that nothing crashes."""

from __future__ import annotations

import numpy as np
import pytest

import posenc
from posenc.errors import EncodingError

ROPE = posenc.Rope(dim=64, layout="half")
AT = np.arange(8, 12)


def test_tokens_count_along_a_row() -> None:
    """B155: with as many rows as tokens, each token of row b was given b."""
    tokens = np.zeros((4, 4, 2))
    table = {"table": np.repeat(np.arange(4.0)[:, None], 2, axis=1)}
    embed = posenc.bind(posenc.Learned(rows=4, dim=2), table).embed
    for code in (embed(np.arange(4)), embed(np.tile(np.arange(4), (4, 1)))):
        np.testing.assert_array_equal((tokens + code)[..., 0], [[0, 1, 2, 3]] * 4)
    x = np.ones((4, 4, 4, 64))
    y = posenc.bind(ROPE).query(x, AT)
    for axis in (0, 1):
        np.testing.assert_array_equal(y, np.broadcast_to(y.take([0], axis), y.shape))
    np.testing.assert_allclose(y[0, 0, :, 0], np.cos(AT) - np.sin(AT), atol=1e-12)


def test_heads_of_one_token_turn_by_one_angle() -> None:
    """B156: two heads after eight tokens; the heads were counted."""
    x = np.broadcast_to(np.random.default_rng(0).normal(size=(1, 1, 1, 64)), (1, 8, 2, 64))
    scheme = posenc.bind(ROPE)
    y = scheme.query(x, np.arange(8), head_axis=-2)
    np.testing.assert_array_equal(y[:, :, 0], y[:, :, 1])
    assert np.abs(y[:, 3] - y[:, 4]).max() > 0.1
    with pytest.raises(EncodingError, match="Pass head_axis=-2"):
        scheme.query(x, np.arange(8))


def test_heads_that_were_not_split_are_refused() -> None:
    """B157: the model's width in place of (batch, tokens, heads, channels)."""
    x = np.zeros((2, 5, 512))
    with pytest.raises(EncodingError, match=r"of 64 channels.*; got 512.*\(\.\.\., 8, 64\)"):
        posenc.bind(ROPE).query(x, np.arange(5))
    with pytest.raises(EncodingError, match=r"x of shape \(2, 5, 512\) is read as"):
        posenc.bind(ROPE).query(x, np.arange(5), head_axis=-2)


@pytest.mark.parametrize("name", list(posenc.encodings(plugins=False)))
def test_no_encoding_gives_all_tokens_one_row(name: str) -> None:
    """B158: an index stood where a slice was due."""
    scheme = posenc.bind(posenc.encodings()[name].make(dim=10, heads=3, length=256), length=256)
    at = posenc.testing.cells(scheme, range(3, 64, 11))
    some = 6 if scheme.coordinates == 1 else 2  # one of several coordinates may be all that counts
    if scheme.embed:
        code = scheme.embed(at)
        assert len(code) >= len(np.unique(code, axis=0)) >= some
    if scheme.query:
        y = scheme.query(np.ones((3, 6, 10)), at)
        assert len(np.unique(y[0], axis=0)) >= some
    if scheme.bias:
        near = posenc.testing.cells(scheme, range(3, 9)), posenc.testing.cells(scheme, range(6))
        rows = scheme.bias(*near)[0]
        assert len(np.unique(rows, axis=0)) >= some


def test_tokens_on_the_axis_of_heads_are_refused() -> None:
    """B159: seven tokens of four heads, on either side."""
    x, at = np.zeros((2, 7, 4, 64)), np.arange(7)
    scheme = posenc.bind(ROPE)
    assert scheme.query(x, at, head_axis=-2).shape == x.shape
    for given in (at, scheme.prepare(at)):
        with pytest.raises(EncodingError, match=r"must be of shape \(4,\) or \(2, 4\).*got \(7,\)"):
            scheme.query(x, given)
