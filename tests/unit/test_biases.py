"""Biases: what sets their conventions apart, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import posenc
from posenc import (
    Alibi,
    DynamicBias,
    EncodingError,
    Fire,
    Kerple,
    Sandwich,
    SwinBias,
    SwinV2Bias,
    T5Bias,
)
from posenc.positions import grid

WINDOW = (2, 3)
CELLS = grid(h=2, w=3, order="hw")
CLASS = np.concatenate([[[-1, -1]], CELLS])


@pytest.mark.parametrize("ranks", [2, 3, 4, 6])
def test_ranks_take_slices_of_the_slopes_of_all_heads(ranks: int) -> None:
    """Slopes made for a rank's own number of heads would be others."""
    whole, share = Alibi(heads=12), 12 // ranks
    at = np.arange(8, 13)
    due, own = posenc.bind(whole).bias(at), posenc.bind(Alibi(heads=share)).bias(at)
    for rank in range(ranks):
        mine = slice(rank * share, (rank + 1) * share)
        part = Alibi(heads=share, slopes=whole.head_slopes()[mine])
        np.testing.assert_array_equal(posenc.bind(part).bias(at), due[mine])
        assert not np.array_equal(own, due[mine])


def test_slopes_of_every_row_of_a_batch_are_slopes_of_more_heads() -> None:
    """FlashAttention takes ``alibi_slopes`` of (batch, heads)."""
    slopes = np.random.default_rng(0).uniform(0.01, 1, (4, 3))
    q, k = np.arange(70_001, 70_006), np.arange(70_001, 70_010)
    bias = posenc.bind(Alibi(heads=12, slopes=slopes.ravel(), symmetric=True)).bias(q, k)
    due = -slopes[..., None, None] * abs(q[:, None] - k)
    np.testing.assert_allclose(bias.reshape(4, 3, 5, 9), due, rtol=2e-7)


def test_falcon_and_mpt_change_slopes_alone() -> None:
    plain = Alibi(heads=12).head_slopes()
    np.testing.assert_allclose(Alibi(heads=12, head_dim=16).head_slopes(), plain / 4, rtol=1e-15)
    given = Alibi(heads=2, slopes=[0.5, 2.0], head_dim=4)
    np.testing.assert_array_equal(given.head_slopes(), [0.25, 1.0])
    np.testing.assert_allclose(Alibi(heads=12, bias_max=16).head_slopes(), plain**2, rtol=1e-15)


def test_kerples_numbers_start_as_the_authors_draw_them() -> None:
    drawn = Kerple(heads=5_000).init(np.random.default_rng(0))
    for name, top in (("p", 2.0), ("a", 1.0)):
        assert drawn[name].dtype == np.float32
        assert 0 <= drawn[name].min() < 0.01 * top
        assert 0.99 * top < drawn[name].max() <= top
        assert drawn[name].mean() == pytest.approx(top / 2, rel=0.05)


@pytest.mark.parametrize("form", ["log", "power"])
def test_kerple_has_a_gradient_at_the_token_itself(form: str) -> None:
    """0^p has a derivative by p of 0 times minus infinity, if one writes it so."""
    spec = Kerple(heads=2, form=form)
    arrays = {n: torch.tensor([0.3, 1.5], requires_grad=True) for n in "pa"}
    at = torch.arange(4)
    grads = torch.autograd.grad(posenc.bind(spec, arrays).bias(at).sum(), list(arrays.values()))
    assert all(g.isfinite().all() for g in grads)

    def total(p: jax.Array) -> jax.Array:
        return posenc.bind(spec, {"p": p, "a": p}).bias(jnp.arange(4)).sum()

    theirs = jax.grad(total)(jnp.array([0.3, 1.5]))
    np.testing.assert_allclose(theirs, grads[0] + grads[1], rtol=1e-4)


def test_sandwich_starts_at_one() -> None:
    """A sum from 0 to d/2 - 1, as of a sinusoidal code, gives 62.093683806 in place of this."""
    scheme = posenc.bind(Sandwich(heads=8, dim=128))
    bias = scheme.bias(np.array([70_009]), np.array([70_009, 70_008]))[0, 0]
    assert abs(bias[0]) < 1e-12
    assert bias[1] + 64 == pytest.approx(62.553381495, abs=5e-9)


def test_fire_depends_on_the_query_past_its_threshold_alone() -> None:
    spec = Fire(heads=3, threshold=20.0)
    scheme = posenc.bind(spec)

    def at(query: int) -> Any:
        return scheme.bias(np.array([query]), np.array([query - 5]))

    np.testing.assert_array_equal(at(8), at(20))
    assert np.abs(at(21) - at(20)).max() > 1e-4
    assert not spec.relative


def test_fire_starts_as_the_paper_says() -> None:
    drawn = Fire(heads=3).init(np.random.default_rng(0))
    assert drawn["c"] == np.float32(0.1)
    assert drawn["multiplier"] == 1
    assert {n: a.shape for n, a in drawn.items()} == Fire(heads=3).learned()
    assert np.abs(drawn["weight1"]).max() <= 1
    assert 0.9 / np.sqrt(32) < np.abs(drawn["weight2"]).max() <= 1 / np.sqrt(32)


def test_a_window_of_another_size_is_another_table() -> None:
    """B138: a table of window 7 in window 12 goes no further than its shape."""
    table = {"table": np.zeros((13 * 13, 4))}
    with pytest.raises(EncodingError) as caught:
        posenc.bind(SwinBias(heads=4, window=(12, 12)), table)
    due = "bind(): arrays['table'] must be of shape (529, 4); got (169, 4)."
    assert str(caught.value) == due


def test_the_offset_of_a_key_is_seen_from_the_query() -> None:
    """The other sign would be the transposed table."""
    table = np.arange(15.0)[:, None]
    scheme = posenc.bind(SwinBias(heads=1, window=WINDOW), {"table": table})
    down_right = scheme.bias(np.array([[1, 2]]), np.array([[0, 0]]))
    up_left = scheme.bias(np.array([[0, 0]]), np.array([[1, 2]]))
    assert (down_right.item(), up_left.item()) == (14, 0)


def test_a_class_token_is_one_that_says_so() -> None:
    rows = 15
    spec = SwinBias(heads=1, window=WINDOW, class_token=True)
    table = {"table": np.arange(18.0)[:, None]}
    bias = posenc.bind(spec, table).bias(CLASS)[0]
    assert bias[0, 0] == rows + 2
    assert set(bias[0, 1:]) == {rows}
    assert set(bias[1:, 0]) == {rows + 1}
    plain = posenc.bind(SwinBias(heads=1, window=WINDOW), {"table": table["table"][:rows]})
    np.testing.assert_array_equal(bias[1:, 1:], plain.bias(CELLS)[0])
    assert not spec.relative
    assert SwinBias(heads=1, window=WINDOW).relative
    with pytest.raises(EncodingError, match="query minus key must be an offset within a window"):
        plain.bias(CLASS - [[2, 0]], CELLS)


def test_swin_v2_in_a_larger_window_than_it_knows() -> None:
    """The largest coordinate is no 1; in a window of 16 trained at 8 it is larger still."""
    offsets = SwinV2Bias(heads=1, window=(16, 16), pretrained_window=(8, 8)).log_offsets()
    assert offsets[-1] == pytest.approx([1.393776588, 1.393776588], abs=5e-10)
    assert offsets.max() == -offsets.min()
    flat = SwinV2Bias(heads=1, window=(1, 4)).log_offsets()
    assert np.isfinite(flat).all()
    assert not flat[:, 0].any()


FAR = {
    "swin": SwinBias(heads=2, window=WINDOW),
    "levit": SwinBias(heads=2, window=WINDOW, offsets="absolute"),
    "beit": SwinBias(heads=2, window=WINDOW, class_token=True),
    "swin-v2": SwinV2Bias(heads=2, window=WINDOW, hidden=3),
}


@pytest.mark.parametrize("name", FAR)
def test_cells_out_of_the_window_are_refused_and_under_jit_nan(name: str) -> None:
    q, k = np.array([[70_001, 9]]), np.array([[70_000, 7], [70_001, 12], [70_003, 9]])
    inside = np.array([[[True, False, False]]] * 2)
    scheme = posenc.bind(FAR[name])
    with pytest.raises(EncodingError) as caught:
        scheme.bias(q, k)
    due = "bias(): query minus key must be an offset within a window of 2 x 3; got (0, -3). "
    assert str(caught.value) == due + "The table ends there; a larger window is another table."
    traced = jax.jit(posenc.bind(FAR[name], xp="jax").bias)(jnp.asarray(q), jnp.asarray(k))
    np.testing.assert_array_equal(np.isfinite(traced), inside)
    bound = posenc.bind(FAR[name], xp="torch")
    compiled = torch.compile(lambda q, k: bound.bias(q, k), fullgraph=True, backend="aot_eager")
    got = compiled(torch.as_tensor(q), torch.as_tensor(k))
    np.testing.assert_array_equal(got.isfinite(), inside)


def test_positions_of_a_window_that_wrap_round_are_out_of_it() -> None:
    """In 32 bits the ends of the range differ by -1."""
    ends = jnp.array([[2**31 - 1, 0]]), jnp.array([[-(2**31), 0]])
    with pytest.raises(EncodingError, match="within a window of 2 x 3"):
        posenc.bind(FAR["swin"]).bias(*ends)


def test_a_page_is_biased_by_one_coordinate_each() -> None:
    table = {"table": np.random.default_rng(0).normal(size=(32, 3))}
    at = np.array([[8, 70, 400], [9, 12, 400], [10, 90, 13]])
    for axis in range(3):
        spec = T5Bias(heads=3, bidirectional=True, coordinates=3, axis=axis, scale=0.5)
        plain = posenc.bind(T5Bias(heads=3, bidirectional=True), table).bias(at[:, axis])
        np.testing.assert_allclose(posenc.bind(spec, table).bias(at), plain / 2, rtol=1e-15)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (
        lambda: Alibi(heads=2, slopes=[0.5, 0.25], bias_max=4),
        "Alibi.bias_max must be left out; got 4.0. It says how slopes are made, and these are "
        "given.",
    ),
    (lambda: Alibi(heads=2, head_dim=0), "Alibi.head_dim must be at least 1; got 0."),
    (
        lambda: T5Bias(heads=2, bidirectional=True, axis=1),
        "T5Bias.axis must be below coordinates 1; got 1.",
    ),
    (
        lambda: Sandwich(heads=2, dim=7),
        "Sandwich.dim must be even; got 7. Channels turn in pairs.",
    ),
    (
        lambda: Kerple(heads=2, form="exp"),
        "Kerple.form must be 'log' or 'power'; got 'exp'. Known: log, power.",
    ),
    (lambda: Fire(heads=2, threshold=0), "Fire.threshold must be above 0; got 0."),
    (lambda: DynamicBias(heads=2, dim=4, depth=0), "DynamicBias.depth must be at least 1; got 0."),
    (
        lambda: SwinBias(heads=2, window=(7,)),
        "SwinBias.window must be of 2 to 3 numbers; got 1.",
    ),
    (
        lambda: SwinBias(heads=64, window=(4096, 4096)),
        "SwinBias.window must be such that the table has at most 4194304 rows for 64 heads; "
        "got (4096, 4096).",
    ),
    (
        lambda: SwinV2Bias(heads=2, window=(4, 4), form="cr", pretrained_window=(8, 8)),
        "SwinV2Bias.pretrained_window must be left out with form 'cr'; got (8, 8). Its offsets "
        "have one scale for all windows.",
    ),
    (
        lambda: SwinV2Bias(heads=2, window=(4, 4), pretrained_window=(1, 8)),
        "SwinV2Bias.pretrained_window[0] must be at least 2; got 1.",
    ),
    (
        lambda: posenc.bind(SwinBias(heads=2, window=WINDOW)).bias(CELLS + 0.5),
        "bias(): q_positions must be integers for this encoding; got 'float64'. It counts tokens; "
        "round real positions yourself if that is what they mean.",
    ),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        call()
    assert str(caught.value) == message
