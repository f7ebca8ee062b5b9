"""Resized tables: printed numbers, what stays, and in which library."""

from __future__ import annotations

from fractions import Fraction

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from posenc import resize
from posenc.errors import EncodingError

RNG = np.random.default_rng(0)
SIZES = [(1, 4), (2, 3), (5, 2), (7, 12), (14, 37), (37, 14)]
SQUARE = np.array([[1.0], [2.0], [3.0], [4.0]])
COUNT = np.arange(16.0)[:, None]

# Printed by PyTorch's interpolate in float64, to nine decimals.
PRINTED = {
    "cubic": [
        [0.739583333, 1.326388889, 1.913194444],
        [1.913194444, 2.5, 3.086805556],
        [3.086805556, 3.673611111, 4.260416667],
    ],
    "cubic-antialias": [
        [0.802631579, 1.368421053, 1.934210526],
        [1.934210526, 2.5, 3.065789474],
        [3.065789474, 3.631578947, 4.197368421],
    ],
    "linear": [[1, 1.5, 2], [2, 2.5, 3], [3, 3.5, 4]],
    "linear-corners": [[1, 1.5, 2], [2, 2.5, 3], [3, 3.5, 4]],
}


@pytest.mark.parametrize("method", PRINTED)
def test_printed_numbers_of_a_square_that_grows(method: str) -> None:
    ours = resize.grid(SQUARE, old=(2, 2), new=(3, 3), method=method)
    np.testing.assert_allclose(ours.reshape(3, 3), PRINTED[method], rtol=0, atol=6e-10)


def test_printed_numbers_of_a_square_that_shrinks() -> None:
    cubic, antialias = (
        resize.grid(COUNT, old=(4, 4), new=(2, 2), method=method)[:, 0]
        for method in ("cubic", "cubic-antialias")
    )
    assert cubic == pytest.approx([2.03125, 4.21875, 10.78125, 12.96875], abs=1e-14)
    due = [2.933884298, 4.760330579, 10.239669421, 12.066115702]
    assert antialias == pytest.approx(due, abs=6e-10)


def test_the_shares_of_one_row_are_keys_cubic_by_hand() -> None:
    """Row 1 of 3 out of 5 lies at row 2; row 0 at 1/3, with the row before the end repeated."""

    def keys(t: Fraction, a: Fraction = Fraction(-3, 4)) -> Fraction:
        t = abs(t)
        if t <= 1:
            return (a + 2) * t**3 - (a + 3) * t**2 + 1
        return a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a

    third = Fraction(1, 3)
    first = [keys(third + 1) + keys(third), keys(1 - third), keys(2 - third), 0, 0]
    got = resize.weights(5, 3, method="cubic")
    assert got[0] == pytest.approx([float(share) for share in first], abs=1e-15)
    assert got[1].tolist() == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("method", resize.METHODS)
@pytest.mark.parametrize(("old", "new"), SIZES)
def test_every_new_row_is_a_mean_of_old_ones(method: str, old: int, new: int) -> None:
    matrix = resize.weights(old, new, method=method)
    assert matrix.shape == (new, old)
    assert matrix.sum(-1) == pytest.approx(np.ones(new), abs=1e-14)
    if method != "nearest":  # which rounds down
        np.testing.assert_allclose(matrix[::-1, ::-1], matrix, atol=1e-14)
    assert (resize.weights(old, old, method=method) == np.eye(old)).all()


def test_antialias_changes_a_table_that_grows_by_another_cubic() -> None:
    """Halfway between two rows the neighbours' share is a/8 each: -3/32 and -1/16."""
    plain = resize.weights(9, 18, method="cubic")
    soft = resize.weights(9, 18, method="cubic-antialias")
    # At a quarter, t = 5/4 and 7/4: a (t^3 - 5 t^2 + 8 t - 4).
    far = [a * (t**3 - 5 * t**2 + 8 * t - 4) for a in (-0.75, -0.5) for t in (1.25, 1.75)]
    assert [plain[9, 3], plain[9, 6]] == pytest.approx([far[0], far[1]], abs=1e-15)
    assert [soft[9, 3], soft[9, 6]] == pytest.approx([far[2], far[3]], abs=1e-15)


def test_the_choice_of_corners_moves_the_rows_at_the_ends() -> None:
    """16 to 32: half-cell centres repeat the end, corners on corners end on it."""
    count = np.arange(16.0)[:, None]
    cells = resize.rows(count, new=32, method="linear")[:, 0]
    corners = resize.rows(count, new=32, method="linear-corners")[:, 0]
    assert cells[:3].tolist() == [0, 0.25, 0.75]
    assert corners[:3] == pytest.approx([0, 15 / 31, 30 / 31], abs=1e-15)
    assert cells[-1] == corners[-1] == 15


@pytest.mark.parametrize("prefix", [0, 1, 5])
def test_rows_in_front_are_copied_and_cell_k_has_row_prefix_plus_k(prefix: int) -> None:
    table = RNG.normal(size=(prefix + 4, 3)).astype(np.float32)
    table[:prefix] = np.inf  # what is copied is not weighed
    ours = resize.grid(table, old=(2, 2), new=(3, 5), method="cubic", prefix=prefix)
    assert ours.shape == (prefix + 15, 3)
    assert (ours[:prefix] == table[:prefix]).all()
    alone = resize.grid(table[prefix:], old=(2, 2), new=(3, 5), method="cubic")
    assert (ours[prefix:] == alone).all()


@pytest.mark.parametrize(
    ("old", "new"), [(14, 61), (37, 39), (14, 115), (14, 122), (37, 43), (37, 78)]
)
def test_sizes_are_those_that_were_asked_for(old: int, new: int) -> None:
    table = np.zeros((1 + old * old, 1))
    ours = resize.grid(table, old=(old, old), new=(new, new), method="cubic", prefix=1)
    assert ours.shape == (1 + new * new, 1)


def test_height_is_not_width() -> None:
    """A table that counts its rows counts them still, at any shape."""
    table = np.repeat(np.arange(4.0), 9)[:, None]
    ours = resize.grid(table, old=(4, 9), new=(7, 3), method="linear-corners").reshape(7, 3)
    np.testing.assert_allclose(ours, np.repeat(np.arange(7.0)[:, None] / 2, 3, axis=1), atol=1e-15)


def test_three_axes_at_once_are_one_after_the_other() -> None:
    table = RNG.normal(size=(2 * 3 * 5, 4))
    ours = resize.grid(table, old=(2, 3, 5), new=(3, 3, 8), method="cubic")
    frames, columns = (resize.weights(a, b, method="cubic") for a, b in ((2, 3), (5, 8)))
    due = np.einsum("it,jw,thwd->ihjd", frames, columns, table.reshape(2, 3, 5, 4))
    np.testing.assert_allclose(ours, due.reshape(72, 4), atol=1e-15)


def test_a_window_of_7_becomes_one_of_12_head_by_head() -> None:
    table = RNG.normal(size=(13 * 13 + 3, 4))
    ours = resize.relative(table, old=(7, 7), new=(12, 12), method="cubic", extra=3)
    assert ours.shape == (23 * 23 + 3, 4)
    assert (ours[-3:] == table[-3:]).all()
    for head in range(4):
        alone = resize.relative(
            table[:, head : head + 1], old=(7, 7), new=(12, 12), method="cubic", extra=3
        )
        np.testing.assert_allclose(ours[:, head], alone[:, 0], atol=1e-15)
    assert ours[23 * 23 // 2] == pytest.approx(table[13 * 13 // 2], abs=1e-14)  # offset (0, 0)


def test_geometric_steps_by_hand() -> None:
    """From 3 to 6: 1 + q = 5, offsets at 1 and 5. From 4 to 8: 1 + q + q^2 = 7, at 1, 3 and 7."""
    ramp = np.array([-2.0, -1, 0, 1, 2])[:, None]
    ours = resize.relative(ramp, old=(3,), new=(6,), method="geometric-linear")[5:, 0]
    assert ours == pytest.approx([0, 1, 1.25, 1.5, 1.75, 2], abs=1e-14)
    ramp = np.arange(-3.0, 4)[:, None]
    ours = resize.relative(ramp, old=(4,), new=(8,), method="geometric-linear")[7:, 0]
    assert ours == pytest.approx([0, 1, 1.5, 2, 2.25, 2.5, 2.75, 3], abs=1e-14)


@pytest.mark.parametrize("method", ["geometric-cubic", "geometric-linear"])
def test_geometric_steps_keep_the_next_neighbours_and_end_on_the_ends(method: str) -> None:
    table = RNG.normal(size=(9 * 13, 2))
    ours = resize.relative(table, old=(5, 7), new=(11, 7), method=method).reshape(21, 13, 2)
    kept = table.reshape(9, 13, 2)
    np.testing.assert_allclose(ours[[0, 9, 10, 11, 20]], kept[[0, 3, 4, 5, 8]], atol=1e-12)


def test_a_plain_resize_does_not_keep_the_next_neighbours() -> None:
    ramp = np.arange(-6.0, 7)[:, None]
    table = np.repeat(ramp, 13, axis=0)
    stretched, spread = (
        resize.relative(table, old=(7, 7), new=(12, 12), method=method).reshape(23, 23)[12, 0]
        for method in ("linear-corners", "geometric-linear")
    )
    assert stretched == pytest.approx(6 / 11)
    assert spread == pytest.approx(1)


def test_longformers_copies_of_robertas_rows() -> None:
    table = RNG.normal(size=(514, 2)).astype(np.float32)
    longer = resize.tiled(table, new=4096, prefix=2)
    assert longer.shape == (4098, 2)
    assert (longer[:2] == table[:2]).all()
    assert (longer[2:].reshape(8, 512, 2) == table[2:]).all()


@pytest.mark.parametrize("alpha", [0.4, 0.1, 0.7])
def test_positions_of_two_digits(alpha: float) -> None:
    """As bert4keras has it: the two digits' parts are weighed apart."""
    table = RNG.normal(size=(5, 3))
    parts = (table - alpha * table[:1]) / (1 - alpha)
    at = np.arange(23)
    due = alpha * parts[at // 5] + (1 - alpha) * parts[at % 5]
    ours = resize.hierarchical(table, new=23, alpha=alpha)
    np.testing.assert_allclose(ours, due, atol=1e-14)
    np.testing.assert_allclose(ours[:5], table, atol=1e-15)
    assert len(np.unique(ours.round(9), axis=0)) == 23


def test_an_alpha_of_a_half_would_give_two_positions_one_row() -> None:
    with pytest.raises(EncodingError, match="not 1/2"):
        resize.hierarchical(SQUARE, new=9, alpha=0.5)


def stretched(table: object) -> object:
    return resize.grid(table, old=(7, 4), new=(12, 9), method="cubic", prefix=1)


TABLE = RNG.normal(size=(2, 29, 6))
DUE = stretched(TABLE)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_numpy_is_given_back_rounded_once(dtype: str) -> None:
    given = TABLE.astype(dtype)
    given.setflags(write=False)
    ours = stretched(given)
    assert ours.dtype == dtype
    assert (ours == stretched(given.astype("float64")).astype(dtype)).all()
    same = resize.grid(given, old=(7, 4), new=(7, 4), method="cubic", prefix=1)
    assert (same == given).all()
    same[:] = 0  # a table of its own
    assert given.any()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_torch_is_given_back_rounded_once_with_its_gradient(dtype: torch.dtype) -> None:
    given = torch.tensor(TABLE, dtype=dtype, requires_grad=True)
    ours = stretched(given)
    assert ours.dtype == dtype
    torch.testing.assert_close(ours, stretched(given.double()).to(dtype), atol=0, rtol=0)
    ours.sum().backward()
    assert torch.isfinite(given.grad).all()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.testing.assert_close(stretched(given), ours, atol=0, rtol=0)


def test_torch_compiles_around_it_and_rounds_nothing_to_float32() -> None:
    given = torch.tensor(TABLE)

    def each(table: torch.Tensor) -> list[torch.Tensor]:
        return [
            stretched(table),
            resize.relative(
                table[:, :28], old=(4, 2), new=(6, 2), method="geometric-cubic", extra=7
            ),
            resize.hierarchical(table, new=99, prefix=1),
        ]

    compiled = torch.compile(each, backend="eager")
    for got, due in zip(compiled(given), each(given), strict=True):
        torch.testing.assert_close(got, due, atol=1e-14, rtol=0)


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_jax_as_it_comes(dtype: str) -> None:
    given = jnp.asarray(TABLE, dtype)
    ours, compiled = stretched(given), jax.jit(stretched)(given)
    assert ours.dtype == compiled.dtype == given.dtype
    near = {"rtol": 0, "atol": 2e-6} if dtype == "float32" else {"rtol": 2**-7, "atol": 2**-6}
    np.testing.assert_allclose(ours.astype("float32"), DUE, **near)
    np.testing.assert_allclose(compiled.astype("float32"), DUE, **near)


def test_the_standard_array_api() -> None:
    given = array_api_strict.asarray(TABLE)
    np.testing.assert_allclose(np.from_dlpack(stretched(given)), DUE, atol=1e-14)
