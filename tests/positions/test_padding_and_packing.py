"""Rows of several lengths, and several documents in one row."""

from __future__ import annotations

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError, EncodingTypeError
from posenc.positions import arange, from_mask, packed

ROPE = posenc.Rope(dim=6, layout="half")
LIBRARIES = {
    "numpy": np.asarray,
    "torch": torch.asarray,
    "jax": jnp.asarray,
    "array-api-strict": array_api_strict.asarray,
}
libraries = pytest.mark.parametrize("take", LIBRARIES.values(), ids=LIBRARIES)


def host(array) -> np.ndarray:
    return np.asarray(array) if not hasattr(array, "__dlpack__") else np.from_dlpack(array)


def by_hand(mask: np.ndarray, first: int) -> np.ndarray:
    rows = []
    for row in mask:
        place, out = first - 1, []
        for real in row:
            place += bool(real)
            out.append(max(place, first))
        rows.append(out)
    return np.array(rows)


@libraries
def test_positions_of_padded_rows(take) -> None:
    mask = np.array([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 0]])
    padded = from_mask(take(mask), first=2)
    np.testing.assert_array_equal(host(padded.positions), by_hand(mask, 2))
    np.testing.assert_array_equal(host(padded.following), mask.sum(-1) + 2)
    assert tuple(padded.mask.shape) == (4, 1, 1, 5)
    np.testing.assert_array_equal(host(padded.mask)[:, 0, 0], mask == 1)


def test_a_padded_row_attends_as_the_row_alone() -> None:
    """B63, B66: on either side, pads change nothing, and decoding goes on after the real tokens."""
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 1, 2, 4, 6))
    alone = posenc.attend(q, k, v, ROPE, q_positions=arange(4, offset=8), causal=True)
    for before, after in ((3, 0), (0, 3), (2, 1)):
        pads = [(0, 0), (0, 0), (before, after), (0, 0)]
        wide = [np.pad(a, pads, constant_values=7.0) for a in (q, k, v)]
        mask = np.pad(np.ones((1, 4), bool), [(0, 0), (before, after)])
        padded = from_mask(mask, first=8)
        options = {"q_positions": padded.positions, "mask": padded.mask, "causal": True}
        y = posenc.attend(*wide, ROPE, **options)
        np.testing.assert_allclose(y[:, :, before : before + 4], alone, atol=1e-12)
        assert padded.following.tolist() == [12]


def test_from_mask_under_jit() -> None:
    mask = jnp.asarray([[0, 1, 1], [1, 1, 0]])
    got, due = jax.jit(from_mask)(mask), from_mask(mask)
    np.testing.assert_array_equal(got.positions, due.positions)


@pytest.mark.parametrize("mask", [np.array([[0.0, 1.0]]), np.array([[0, -1]]), np.array([[2, 1]])])
def test_what_is_no_mask_is_refused(mask: np.ndarray) -> None:
    with pytest.raises(EncodingError, match=r"from_mask\(\): mask must be of 0 and 1"):
        from_mask(mask)


@libraries
def test_three_descriptions_of_one_packing_agree(take) -> None:
    due = packed([3, 1, 4])
    ids = np.array([7, 7, 7, 2, 9, 9, 9, 9])
    for way in ({"documents": take(ids)}, {"positions": take(due.positions)}):
        got = packed(**way)
        np.testing.assert_array_equal(host(got.positions), due.positions)
        np.testing.assert_array_equal(host(got.documents), [0, 0, 0, 1, 2, 2, 2, 2])
        np.testing.assert_array_equal(host(got.mask), due.mask)


def test_packed_rows_attend_as_the_documents_alone() -> None:
    rng = np.random.default_rng(1)
    lengths = [3, 5, 2]
    q, k, v = rng.normal(size=(3, 2, 10, 6))
    both = packed(lengths)
    y = posenc.attend(q, k, v, ROPE, q_positions=both.positions, mask=both.mask, causal=True)
    start = 0
    for n in lengths:
        part = [a[:, start : start + n] for a in (q, k, v)]
        alone = posenc.attend(*part, ROPE, q_positions=arange(n), causal=True)
        np.testing.assert_allclose(y[:, start : start + n], alone, atol=1e-12)
        start += n


def test_boundaries_are_where_positions_do_not_rise() -> None:
    """B68: no document need start at 0. B70: tables that start at padding_idx + 1."""
    assert packed(positions=np.array([5, 6, 7])).documents.tolist() == [0, 0, 0]
    assert packed(positions=np.array([2, 3, 2, 3, 4])).documents.tolist() == [0, 0, 1, 1, 1]
    assert packed([3], first=2).positions.tolist() == [2, 3, 4]


def test_rows_of_a_batch_are_packed_by_themselves() -> None:
    ids = np.array([[0, 0, 1, 1], [4, 5, 5, 5]])
    both = packed(documents=ids)
    assert both.positions.tolist() == [[0, 1, 0, 1], [0, 0, 1, 2]]
    assert both.mask.shape == (2, 1, 4, 4)
    assert both.mask[1, 0].sum(-1).tolist() == [1, 3, 3, 3]


def test_packing_of_nothing() -> None:
    assert packed([]).positions.shape == (0,)
    assert packed([0, 2]).documents.tolist() == [1, 1]
    assert packed(documents=np.zeros((2, 0), np.int64)).mask.shape == (2, 1, 0, 0)


def test_packing_is_refused_in_a_sentence() -> None:
    with pytest.raises(EncodingError, match="given one of lengths, documents and positions"):
        packed()
    with pytest.raises(EncodingError, match="given one of lengths, documents and positions"):
        packed([3], documents=np.arange(3))
    with pytest.raises(EncodingError, match=r"lengths\[1\] must be between 0"):
        packed([3, -1])
    with pytest.raises(EncodingTypeError, match="documents must be integers"):
        packed(documents=np.array([0.0, 1.0]))


def test_each_row_from_its_own_start() -> None:
    """B51, B66: a decode step of a batch whose rows are at different lengths."""
    np.testing.assert_array_equal(
        arange(2, offset=np.array([8, 70_001])), [[8, 9], [70_001, 70_002]]
    )
    at = arange(1, offset=torch.tensor([[3, 5]]))
    assert at.tolist() == [[[3], [5]]]
    assert at.dtype == torch.int64
    with pytest.raises(EncodingTypeError, match=r"offset must be integers"):
        arange(2, offset=np.array([0.5]))


def test_cumulative_lengths_are_refused() -> None:
    with pytest.raises(EncodingError, match="tokens of each document, not where each ends"):
        packed([0, 3, 5])
    assert packed([0, 3, 2]).positions.tolist() == [0, 1, 2, 0, 1]


def test_a_number_that_a_compiler_holds_open() -> None:
    """One step of a scan that decodes."""
    step = jax.jit(lambda at: arange(2, offset=at))
    assert step(jnp.asarray(70_001)).tolist() == [70_001, 70_002]
