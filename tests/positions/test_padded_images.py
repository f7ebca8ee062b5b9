"""Cells of images: in the middle of a larger grid, by their centres, and of padded ones."""

from __future__ import annotations

import re

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from posenc.errors import EncodingError, EncodingTypeError
from posenc.positions import centres, detr, grid, middle

H, W = 5, 13


def test_the_middle_of_a_larger_grid() -> None:
    """An odd number left over has one more cell after than before."""
    at = middle(of=20, h=H, w=W, order="wh")
    assert at[0].tolist() == [3, 7]
    assert at[-1].tolist() == [15, 11]
    np.testing.assert_array_equal(at - at[0], grid(h=H, w=W, order="wh"))
    np.testing.assert_array_equal(middle(of=W, w=W, h=W, order="hw"), grid(w=W, h=W, order="hw"))
    message = "middle(): of must be at least 13, the largest size; got 12."
    with pytest.raises(EncodingError, match=f"^{re.escape(message)}$"):
        middle(of=12, h=H, w=W, order="hw")


def test_centres_of_cells() -> None:
    """As DINOv3 has them in -1..1: none is at the edge, and their mean is 0 at any size."""
    at = centres(start=-1, h=H, w=W, order="hw")
    np.testing.assert_allclose(at.mean(0), [0, 0], atol=1e-15)
    np.testing.assert_allclose(at[0], [-0.8, -12 / 13], atol=1e-15)
    np.testing.assert_allclose(at[-1], [0.8, 12 / 13], atol=1e-15)
    share = centres(start=0, h=H, w=W, order="hw")
    np.testing.assert_allclose(2 * share - 1, at, atol=1e-15)
    assert centres(start=0, h=H, w=W, order="hw", xp="torch").dtype == torch.float64
    assert centres(start=0, h=H, w=W, order="hw", xp="jax").dtype == jnp.float32
    assert centres(start=0, h=0, w=W, order="hw").shape == (0, 2)
    with pytest.raises(EncodingError, match=r"^centres\(\): start must be 0 or -1; got 1\.$"):
        centres(start=1, h=H, w=W, order="hw")
    with pytest.raises(EncodingError, match="order must be the letters 'hw' in some order"):
        centres(start=0, h=H, w=W, order="hh")


def image(top: int, left: int) -> np.ndarray:
    """An image of 3 by 4 real pixels somewhere in 6 by 9."""
    mask = np.zeros((6, 9), bool)
    mask[top : top + 3, left : left + 4] = True
    return mask


def test_padding_does_not_move_an_image_and_unmasked_padding_does() -> None:
    """P37: counted from 1, and divided by the last real count."""
    due = (grid(h=3, w=4, order="hw") + 1) / (np.array([3, 4]) + 1e-6)
    for top, left in ((0, 0), (3, 5), (1, 2)):
        mask = image(top, left)
        at = detr(mask)
        np.testing.assert_allclose(at.positions[mask.ravel()], due, rtol=1e-15)
        assert at.mask.shape == (1, 1, 54)
        np.testing.assert_array_equal(at.mask.ravel(), mask.ravel())
    unmasked = detr(np.ones((6, 9), bool)).positions[image(0, 0).ravel()]
    np.testing.assert_allclose(unmasked, due * [3 / 6, 4 / 9], rtol=1e-6)


def test_deformable_detr_takes_the_centres_of_pixels() -> None:
    at = detr(np.ones((2, 3), bool), offset=-0.5).positions
    np.testing.assert_allclose(at, centres(start=0, h=2, w=3, order="hw"), rtol=1e-6)


def test_where_there_is_no_real_pixel_at_all() -> None:
    """Finite and small: a reference has -500 000 there, which is masked but not free."""
    at = detr(image(0, 0), offset=-0.5).positions
    assert np.abs(at).max() <= 1
    assert (detr(np.zeros((2, 4, 5), bool)).positions == 0).all()
    assert detr(np.zeros((2, 0, 5), bool)).positions.shape == (2, 0, 2)


def test_every_library_and_compiled() -> None:
    batch = np.stack([image(0, 0), image(2, 3)])
    due = detr(batch, offset=-0.5)
    assert due.positions.shape == (2, 54, 2)
    for xp, atol in ((torch, 0), (jnp, 1e-7), (array_api_strict, 0)):
        for mask in (xp.asarray(batch), xp.asarray(batch.astype(np.int32))):
            got = detr(mask, offset=-0.5)
            np.testing.assert_allclose(np.asarray(got.positions), due.positions, atol=atol)
            np.testing.assert_array_equal(np.asarray(got.mask), due.mask)
    traced = jax.jit(lambda mask: detr(mask).positions)(jnp.asarray(batch))
    np.testing.assert_allclose(traced, detr(batch).positions, atol=1e-7)
    compiled = torch.compile(lambda mask: detr(mask).positions, fullgraph=True, backend="eager")
    np.testing.assert_array_equal(compiled(torch.tensor(batch)), detr(batch).positions)


def test_a_mask_is_refused_in_a_sentence() -> None:
    with pytest.raises(EncodingTypeError) as caught:
        detr(np.ones((2, 3)))
    assert str(caught.value) == (
        "detr(): mask must be of 0 and 1, or boolean; got 'float64'. 1 is a real pixel."
    )
    with pytest.raises(EncodingError) as caught:
        detr(np.ones(3, bool))
    assert str(caught.value) == "detr(): mask must be of shape (*batch, h, w); got (3,)."
    with pytest.raises(EncodingError, match=r"detr\(\): offset must be a finite number; got nan"):
        detr(np.ones((2, 3), bool), offset=float("nan"))
