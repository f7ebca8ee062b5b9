"""Views, strides and answers written in place."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc

LAYOUTS = pytest.mark.parametrize("layout", ["half", "interleaved"])
LIBRARIES = pytest.mark.parametrize("take", [np.asarray, torch.asarray], ids=["numpy", "torch"])


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


@LAYOUTS
@LIBRARIES
def test_in_place_equals_out_of_place_on_a_strided_view(take, layout: str) -> None:
    """B167, B169: the source was overwritten while it was read; the channels beside it too."""
    spec = posenc.Rope(dim=6, layout=layout)
    host = drawn(8, 5, 14)
    whole = take(host.copy())
    view = whole[:, ::2, 1:13:2]
    cos, sin = posenc.tables(spec, take(np.array([8, 70_001, 9])))
    due = np.asarray(posenc.rotate(take(host[:, ::2, 1:13:2].copy()), cos, sin, layout=layout))
    posenc.rotate(view, cos, sin, layout=layout, out=view)
    np.testing.assert_array_equal(np.asarray(view), due)
    expected = host.copy()
    expected[:, ::2, 1:13:2] = due
    np.testing.assert_array_equal(np.asarray(whole), expected)


@LAYOUTS
def test_a_width_that_is_no_power_of_two_stops_at_its_end(layout: str) -> None:
    """B169: six of ten channels of eight heads; canaries follow each."""
    x = np.full((8, 3, 10), 7.0)
    x[..., :6] = drawn(8, 3, 6)
    spec = posenc.Rope(dim=6, head_dim=10, layout=layout)
    y = posenc.bind(spec).query(x, np.array([8, 9, 70_001]))
    assert (y[..., 6:] == 7).all()
    alone = posenc.bind(posenc.Rope(dim=6, layout=layout)).query(
        x[..., :6], np.array([8, 9, 70_001])
    )
    np.testing.assert_array_equal(y[..., :6], alone)


@LIBRARIES
def test_in_place_means_in_place_for_every_shape(take) -> None:
    """B171: where q and k differ in shape one way out returned a copy, and the buffer was stale."""
    cos, sin = posenc.tables(posenc.Rope(dim=6, layout="half"), take(np.arange(8, 13)))
    for shape in ((2, 4, 5, 6), (2, 1, 5, 6), (5, 6)):
        x = take(drawn(*shape))
        due = posenc.rotate(take(drawn(*shape)), cos, sin, layout="half")
        assert posenc.rotate(x, cos, sin, layout="half", out=x) is x
        np.testing.assert_array_equal(np.asarray(x), np.asarray(due))


@LAYOUTS
@LIBRARIES
def test_any_stride_is_taken(take, layout: str) -> None:
    """B172: slices that were transposed had to be copied first."""
    scheme = posenc.bind(posenc.Rope(dim=10, layout=layout))
    base = take(drawn(2, 5, 3, 20))
    view = base[..., 10:].swapaxes(1, 2)
    contiguous = take(np.ascontiguousarray(np.asarray(view)))
    at = take(np.arange(8, 18)[::2].copy())
    due = np.asarray(scheme.query(contiguous, at))
    np.testing.assert_array_equal(np.asarray(scheme.query(view, at)), due)
    np.testing.assert_array_equal(np.asarray(scheme.query(view, take(np.arange(8, 18))[::2])), due)
