"""Times, random positions, groups and windows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
import posenc.jax
from posenc.errors import EncodingError, EncodingTypeError
from posenc.positions import (
    arange,
    grouped,
    moving_window,
    random_offset,
    randomized,
    timestamps,
)


def test_nanoseconds_keep_every_digit() -> None:
    start = 1_700_000_000_000_000_000
    at = np.array([start, start + 1, start + 3_000_000_000])
    assert timestamps(at).tolist() == [0, 1, 3_000_000_000]
    assert timestamps(at, unit=1_000_000_000)[-1] == 3.0
    assert timestamps(at, origin=start - 5).tolist() == [5, 6, 3_000_000_005]


def test_dates_and_rows() -> None:
    days = np.array([["2026-01-01", "2026-03-01"], ["2024-01-01", "2024-03-01"]], "datetime64[D]")
    assert timestamps(days, unit=np.timedelta64(1, "D")).tolist() == [[0, 59], [0, 60]]
    with pytest.raises(EncodingError, match="a timedelta64, as times are dates"):
        timestamps(days, unit=1)
    with pytest.raises(EncodingError, match="Drop tokens without a time"):
        timestamps(np.array(["NaT"], "datetime64[s]"), unit=np.timedelta64(1, "s"))


def test_float32_times_that_have_merged_are_refused() -> None:
    with pytest.raises(EncodingError, match=r"below 2\*\*24 in size as float32"):
        timestamps(torch.tensor([1.7e9, 1.7e9 + 1]))
    with pytest.raises(EncodingError, match="integers, float32 or float64"):
        timestamps(torch.zeros(3, dtype=torch.bfloat16))
    with pytest.raises(EncodingTypeError, match="unit must be a number"):
        timestamps(np.arange(3.0), unit="s")
    with pytest.raises(EncodingError, match="unit must be finite and above 0"):
        timestamps(np.arange(3.0), unit=0)


def test_random_positions_rise_and_stay_below_the_limit() -> None:
    rng = np.random.default_rng(0)
    at = randomized(50, limit=200, rng=rng, batch=(300,))
    assert at.shape == (300, 50)
    assert (np.diff(at) > 0).all()
    assert at.min() == 0
    assert at.max() == 199
    counts = np.bincount(at.ravel(), minlength=200)  # each is drawn a quarter of the time
    assert abs(counts - 75).max() < 6 * (300 * 0.25 * 0.75) ** 0.5
    assert randomized(7, limit=7, rng=rng).tolist() == [*range(7)]
    np.testing.assert_array_equal(
        *(randomized(5, limit=99, rng=np.random.default_rng(3)) for _ in range(2))
    )


def test_random_offsets_reach_both_ends() -> None:
    rng = np.random.default_rng(0)
    at = random_offset(3, limit=6, rng=rng, batch=(200, 1))
    assert at.shape == (200, 1, 3)
    assert (np.diff(at) == 1).all()
    assert sorted(set(at[..., 0].ravel().tolist())) == [0, 1, 2, 3]
    assert random_offset(4, limit=4, rng=rng).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("draw", [randomized, random_offset])
def test_draws_are_refused_in_a_sentence(draw) -> None:
    with pytest.raises(EncodingError, match="limit must be at least length 5; got 4"):
        draw(5, limit=4, rng=np.random.default_rng(0))
    with pytest.raises(EncodingTypeError, match="rng must be a NumPy Generator"):
        draw(5, limit=9, rng=0)


def test_groups_are_as_far_as_published() -> None:
    """r < W keeps its distance; beyond, (q // G + W - W // G) - k // G."""
    q, k = np.arange(70_001, 70_003), np.array([0, 12_345, 69_000, 70_000])
    far = grouped(q, k, group=8, window=1024)
    due = [[a // 8 + 1024 - 128 - b // 8 for b in k] for a in q]
    np.testing.assert_array_equal(far.q_positions[:, None] - far.k_positions, due)
    assert far.near.tolist() == [[False, False, True, True]] * 2
    far = grouped(np.arange(6), group=1, window=0)
    np.testing.assert_array_equal(far.q_positions, np.arange(6))


def test_a_moving_window() -> None:
    window = moving_window(2048, length=2047)
    np.testing.assert_array_equal(window.tokens, np.arange(1, 2048))
    np.testing.assert_array_equal(window.delta, np.full(2047, -1))
    assert moving_window(3, length=5).tokens.tolist() == [0, 1, 2]
    assert moving_window(0, length=5).positions.shape == (0,)
    kept = moving_window(100, length=6, sinks=2)
    assert kept.tokens.tolist() == [0, 1, 96, 97, 98, 99]
    assert (kept.tokens + kept.delta).tolist() == kept.positions.tolist() == [*range(6)]
    with pytest.raises(EncodingError, match="sinks must be below length 4; got 4"):
        moving_window(9, length=4, sinks=4)


def test_a_key_moved_by_delta_is_where_the_window_has_it() -> None:
    rope = posenc.bind(posenc.Rope(dim=10, layout="half"))
    window = moving_window(70_005, length=4)
    keys = np.random.default_rng(0).normal(size=(2, 4, 10))
    cached = rope.key(keys, window.tokens)
    moved = rope.key(cached, window.delta)  # turning composes: places add
    np.testing.assert_allclose(moved, rope.key(keys, arange(4)), atol=1e-9)


HALFWAY = 2**31 - 1  # the last position that 32 bits hold


@pytest.mark.parametrize(
    "made",
    [
        lambda: posenc.positions.packed([3], first=2**40, xp="jax"),
        lambda: posenc.positions.packed(documents=jnp.zeros(3, int), first=HALFWAY),
        lambda: arange(3, offset=jnp.array([HALFWAY - 1])),
        lambda: posenc.positions.from_mask(jnp.ones((1, 3), int), first=HALFWAY - 1),
        lambda: timestamps(jnp.array([-2_000_000_000, 2_000_000_000])),
        lambda: timestamps(jnp.array([HALFWAY]), origin=-5),
    ],
    ids=["packed", "documents", "arange", "from_mask", "times", "origin"],
)
def test_what_32_bits_do_not_hold_is_refused(made) -> None:
    with pytest.raises(EncodingError, match=r"below 2\*\*31 in size"):
        made()


def test_distances_and_halves_in_32_bits() -> None:
    far = grouped(jnp.array([HALFWAY]), jnp.array([-5]), window=1024)
    assert not far.near.any()
    with pytest.raises(EncodingError, match=r"within 2\*\*24 of the origin"):
        timestamps(jnp.array([0, 16_777_217]), unit=2)


def test_unsigned_positions_in_compiled_code_are_refused() -> None:
    rope = posenc.Rope(dim=8, layout="half")
    with pytest.raises(EncodingError, match="signed in compiled code"):
        jax.jit(lambda at: posenc.tables(rope, at))(jnp.array([3_000_000_000], jnp.uint32))


def test_times_too_far_apart_and_origins_that_are_none() -> None:
    with pytest.raises(EncodingError, match=r"below 2\*\*53 in size"):
        timestamps(np.array([-(2**62) - 5, 2**62 + 5]))
    now, second = np.array(["2026-01-01"], "datetime64[ns]"), np.timedelta64(1, "s")
    with pytest.raises(EncodingError, match="near enough for their resolution"):
        timestamps(now, unit=second, origin=np.datetime64("0001-01-01"))
    for wrong in (np.datetime64("NaT"), 3):
        with pytest.raises(EncodingError, match="origin must be a date"):
            timestamps(now, unit=second, origin=wrong)
    for wrong in (float("nan"), "x"):
        with pytest.raises(EncodingError, match="origin must be a finite number"):
            timestamps(np.arange(3.0), origin=wrong)


def test_an_origin_between_two_whole_numbers() -> None:
    times = [10**9, 10**9 + 1]
    for take in (np.asarray, torch.asarray, jnp.asarray):
        since = timestamps(take(times), origin=10**9 - 0.5)
        np.testing.assert_allclose(np.asarray(since), [0.5, 1.5])


def test_float32_times_far_from_their_origin_are_refused() -> None:
    with pytest.raises(EncodingError, match=r"origin must be within 2\*\*24 of 0"):
        timestamps(np.array([0, 1, 2], np.float32), origin=2**30)


def test_numbers_that_float32_would_merge_are_refused_in_jax() -> None:
    times = timestamps(np.array([1.7e9, 1.7e9 + 1]), origin=0)
    rope = posenc.jax.Encoding(posenc.Rope(dim=2, layout="half"))
    x = jnp.ones((1, 2, 2))
    with pytest.raises(EncodingError, match="JAX has float32 alone"):
        rope(x, x, times)
    rope(x, x, timestamps(np.array([1.7e9, 1.7e9 + 0.1])))


def test_positions_in_any_order_of_bytes_and_strides() -> None:
    scheme = posenc.bind(posenc.Sinusoidal(dim=6), xp="torch")
    at = np.arange(8, 13)
    due = scheme.embed(at).flip(0)
    for odd in (at[::-1], at[::-1].astype(">i8"), at[::-1].astype(">f8")):
        torch.testing.assert_close(scheme.embed(odd), due, atol=1e-6, rtol=0)
