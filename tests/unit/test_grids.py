"""Sinusoids of several coordinates: what one spec means, what is refused, and the traps."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import posenc
from posenc import EncodingError, GridSinusoidal, Sinusoidal
from posenc.positions import grid

H, W = 5, 13


def code(spec: posenc.specs.Spec, at: object, dtype: type = np.float64) -> np.ndarray:
    return posenc.bind(spec).embed(np.asarray(at), dtype=dtype)


@pytest.mark.parametrize("ladder", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("first", ["sin", "cos"])
def test_every_coordinate_has_the_code_of_a_text_of_its_own(
    ladder: str, layout: str, first: str
) -> None:
    """Bit for bit, at positions past 8 and past 70 000, between them and before 0."""
    fields = {"ladder": ladder, "layout": layout, "first": first}
    at = np.array([[8.0, 70_001.0], [1e6, 13.0], [-9.25, 0.5]])
    both = code(GridSinusoidal(dims=(6, 10), **fields), at)
    for part, own in ((0, slice(0, 6)), (1, slice(6, 16))):
        alone = code(Sinusoidal(dim=own.stop - own.start, **fields), at[:, part])
        np.testing.assert_array_equal(both[:, own], alone)


def test_the_order_of_coordinates_is_that_of_the_channels() -> None:
    """P28: on a square grid the two orders have the same rows in another order."""
    spec = GridSinusoidal(dims=(8, 8))
    rows, columns = (code(spec, grid(h=H, w=W, order=order)) for order in ("hw", "wh"))
    np.testing.assert_array_equal(np.roll(rows, 8, axis=-1), columns)
    assert np.abs(rows - columns).max() > 1
    one, other = (code(spec, grid(h=7, w=7, order=order)) for order in ("hw", "wh"))
    np.testing.assert_array_equal(np.unique(one, axis=0), np.unique(other, axis=0))


def test_a_scale_is_a_step_of_its_coordinate() -> None:
    """1.875, and a third: not the float32 quotients of the coordinates."""
    spec = GridSinusoidal(dims=(4, 6), scales=(1 / 3, 2.0))
    at = grid(h=H, w=W, order="hw") * 3 + 70_002
    got, due = code(spec, at), code(GridSinusoidal(dims=(4, 6)), at * [1 / 3, 2.0])
    np.testing.assert_allclose(got, due, atol=1e-11)
    assert spec.frequencies().tolist()[::2] == [1 / 3, 2.0, 2.0 * 1e4 ** (-4 / 6)]
    assert spec.axis().tolist() == [0, 0, 1, 1, 1]


def test_a_base_for_each_coordinate() -> None:
    apart = GridSinusoidal(dims=(4, 4), bases=(20, 100))
    assert apart.frequencies().tolist() == [1, 20**-0.5, 1, 0.1]
    assert apart == GridSinusoidal(dims=(4, 4), bases=(20, 100), base=7)


def test_a_width_that_does_not_divide_is_cut_or_filled() -> None:
    at = grid(h=H, w=W, order="hw")
    whole = code(GridSinusoidal(dims=(4, 4)), at)
    for dim in (5, 6, 7):
        cut = code(GridSinusoidal(dims=(4, 4), dim=dim, rest="cut"), at)
        np.testing.assert_array_equal(cut, whole[:, :dim])
    filled = code(GridSinusoidal(dims=(4, 4), dim=11, rest="zero"), at)
    np.testing.assert_array_equal(filled[:, :8], whole)
    assert filled.shape == (H * W, 11)
    assert not filled[:, 8:].any()


def test_tensor2tensor_with_one_frequency_a_coordinate_is_a_number() -> None:
    """There it divides by 0 and gives NaN; its code of one coordinate has the guard."""
    spec = posenc.encodings()["grid-tensor2tensor"].make(dim=7)
    assert (spec.dims, spec.dim, spec.rest) == ((2, 2), 7, "zero")
    due = [math.sin(8), math.cos(8), math.sin(13), math.cos(13), 0, 0, 0]
    np.testing.assert_allclose(code(spec, [[8, 13]])[0], due, atol=1e-15)


def test_all_sines_before_all_cosines() -> None:
    at = grid(h=H, w=W, order="hw")
    apart, own = (
        code(GridSinusoidal(dims=(4, 6), halves="all"), at),
        code(GridSinusoidal(dims=(4, 6)), at),
    )
    order = [0, 1, 4, 5, 6, 2, 3, 7, 8, 9]
    np.testing.assert_array_equal(apart, own[:, order])


def test_one_spelling_for_one_thing() -> None:
    plain = GridSinusoidal(dims=(4, 4))
    for same in (
        GridSinusoidal(dims=[4, np.int64(4)], dim=8),
        GridSinusoidal(dims=(4, 4), dim=8, rest="cut"),
        GridSinusoidal(dims=(4, 4), bases=(1e4, 1e4), base=5),
        GridSinusoidal(dims=(4, 4), scales=(1, 1)),
    ):
        assert same == plain
        assert same.to_dict() == plain.to_dict()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"dims": (4, 4), "dim": 6},
            "GridSinusoidal.dim must be 8, as dims have in all; got 6. "
            "Say what is done with the rest: rest='cut' or 'zero'.",
        ),
        (
            {"dims": (4, 4), "dim": 4, "rest": "cut"},
            "GridSinusoidal.dim must be above 4; got 4. "
            "The last coordinate would be told by no channel.",
        ),
        (
            {"dims": (4, 4), "dim": 9, "rest": "cut"},
            "GridSinusoidal.dim must be at most 8, to be cut out of dims; got 9.",
        ),
        (
            {"dims": (4, 4), "dim": 7, "rest": "zero"},
            "GridSinusoidal.dim must be at least 8, to have zeros after dims; got 7.",
        ),
        (
            {"dims": (4, 4), "bases": (5, 6, 7)},
            "GridSinusoidal.bases must be 2 numbers, one a coordinate; got 3.",
        ),
        (
            {"dims": (4, 4, 4), "scales": (5, 6)},
            "GridSinusoidal.scales must be 3 numbers, one a coordinate; got 2.",
        ),
        (
            {"dims": (4, 3)},
            "GridSinusoidal.dims[1] must be even; got 3. Channels turn in pairs.",
        ),
        ({"dims": (8,)}, "GridSinusoidal.dims must be of 2 to 8 numbers; got 1."),
        ({"dims": (4, 4), "scales": (1, 0)}, "GridSinusoidal.scales[1] must be above 0; got 0."),
        (
            {"dims": (4, 4), "layout": "interleaved", "halves": "all"},
            "GridSinusoidal.halves must be 'axis' with layout 'interleaved'; got 'all'.",
        ),
    ],
)
def test_refusals(fields: dict[str, object], message: str) -> None:
    with pytest.raises(EncodingError, match=f"^{re.escape(message)}$"):
        GridSinusoidal(**fields)


def test_a_text_has_no_second_coordinate() -> None:
    with pytest.raises(EncodingError) as caught:
        code(GridSinusoidal(dims=(4, 4)), np.arange(5))
    assert str(caught.value) == (
        "embed(): positions must be of shape (n, 2) or (*batch, n, 2); got (5,)."
    )


@pytest.mark.parametrize("arithmetic", ["exact", "float32"])
def test_a_table_of_float32_angles_is_to_be_asked_for(arithmetic: str) -> None:
    spec, at = GridSinusoidal(dims=(16, 16)), np.array([[123_457, 99_999]])
    got = posenc.bind(spec, arithmetic=arithmetic).embed(at)
    off = np.abs(got - code(spec, at)).max()
    assert off < 1e-7 if arithmetic == "exact" else 1e-4 < off < 8e-3
