"""A rotation of a form that was checked before: as fast as can be, and no less careful."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from posenc import EncodingError, Rope, rotate, tables
from posenc.kernels import _remembered, _rotate

ROPE = Rope(dim=32, layout="half")


def given(where: str, seed: int, dtype: str = "float32") -> tuple[Any, Any, Any]:
    """x, cos and sin, in memory of their own."""
    x = np.random.default_rng(seed).normal(size=(3, 40, 32)).astype("f4")
    cos, sin = tables(ROPE, np.arange(seed, seed + 40))
    if where == "numpy":
        return x, cos, sin
    return (
        torch.from_numpy(x).to(getattr(torch, dtype)),
        torch.from_numpy(cos),
        torch.from_numpy(sin),
    )


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Filled whenever arrays are looked at from the start; nothing is remembered yet."""
    times: list[None] = []
    arrangement = _rotate.arrangement

    def counted(*arrays: Any, **options: Any) -> Any:
        times.append(None)
        return arrangement(*arrays, **options)

    monkeypatch.setattr(_remembered, "_known", {})
    monkeypatch.setattr(_rotate, "arrangement", counted)
    return times


def due(x: Any, cos: Any, sin: Any, layout: Any = "half") -> Any:
    return rotate(x, cos, sin, layout=layout)


def same(got: Any, want: Any) -> bool:
    return bool((got == want).all())


@pytest.mark.parametrize(
    ("where", "dtype"), [("numpy", "float32"), ("torch", "float32"), ("torch", "bfloat16")]
)
@pytest.mark.parametrize("in_place", [False, True])
def test_what_has_the_same_form_is_looked_at_once(
    where: str, dtype: str, in_place: bool, looked_at: list[None]
) -> None:
    kept = []  # no memory is used twice
    for seed in range(5):
        x, cos, sin = given(where, seed, dtype)
        want = due(x, cos, sin)
        looked_at.clear()
        out = x if in_place else (x + 1)
        assert rotate(x, cos, sin, layout="half", out=out) is out
        assert same(out, want)
        assert len(looked_at) == (seed == 0)
        kept.append((x, cos, sin, out))


@pytest.mark.parametrize("where", ["numpy", "torch"])
def test_each_form_is_its_own(where: str, looked_at: list[None]) -> None:
    x, cos, sin = given(where, 1)
    for layout in ("half", "interleaved"):
        for rows in (40, 39, 1):
            for step in (1, 2):
                part = x[:, :rows:step], cos[:rows:step], sin[:rows:step]
                want = due(*part, layout)
                for _ in range(2):
                    out = x[:, :rows:step] + 0
                    assert same(rotate(*part, layout=layout, out=out), want)


def test_order_in_memory_belongs_to_a_form(looked_at: list[None]) -> None:
    x, cos, sin = given("numpy", 8)
    want = due(x, cos, sin)
    turned_round = np.asfortranarray(x)
    for tokens in (x, turned_round, x):
        for like in (x, turned_round):
            assert same(rotate(tokens, cos, sin, layout="half", out=like.copy("K")), want)
    wide = np.repeat(cos, 2, axis=-1)[:, ::2]
    assert same(rotate(x, wide, sin, layout="half", out=x.copy()), want)


def test_dtype_belongs_to_a_form(looked_at: list[None]) -> None:
    for dtype in ("float16", "bfloat16", "float16"):
        x, cos, sin = given("torch", 9, dtype)
        assert same(rotate(x, cos, sin, layout="half", out=x.clone()), due(x, cos, sin))


def test_where_lines_begin_belongs_to_a_large_form(looked_at: list[None]) -> None:
    """Past the caches whole lines are written, which begin with a line."""
    x = torch.randn(70_000, 32, generator=torch.Generator().manual_seed(10))
    cos, sin = tables(ROPE, torch.arange(70_000))
    want = due(x, cos, sin)
    room = torch.zeros(x.numel() + 32)
    start = -room.data_ptr() // 4 % 16
    for shift in (0, 1, 0, 5):
        out = room[start + shift :][: x.numel()].view_as(x)
        assert same(rotate(x, cos, sin, layout="half", out=out), want)


@pytest.mark.parametrize("where", ["numpy", "torch"])
def test_memory_that_is_shared_is_seen_each_time(where: str, looked_at: list[None]) -> None:
    """The same form where arrays lie apart, and then where they do not."""
    x, cos, sin = given(where, 2)
    for start in (1, 4, 2, 0):
        room = np.zeros((8, 40, 32), "f4") if where == "numpy" else torch.zeros(8, 40, 32)
        room[1:4] = x
        want = due(x, cos, sin)
        got = rotate(room[1:4], cos, sin, layout="half", out=room[start : start + 3])
        assert same(got, want)
    # What is turned stands where its table does.
    one = x[0, :, :16] + 0
    table = one + 0
    want = due(x[0], table, sin)
    assert same(rotate(x[0], table, sin, layout="half", out=x[0] + 0), want)
    flat = np.zeros(40 * 32, "f4") if where == "numpy" else torch.zeros(40 * 32)
    out, inside = flat.reshape(40, 32), flat[: 40 * 16].reshape(40, 16)
    inside[...] = table
    assert same(rotate(x[0], inside, sin, layout="half", out=out), want)


def test_what_may_not_be_written_is_refused_each_time(looked_at: list[None]) -> None:
    x, cos, sin = given("numpy", 3)
    rotate(x, cos, sin, layout="half", out=x + 0)
    fixed = x + 0
    fixed.flags.writeable = False
    with pytest.raises(EncodingError, match="can be written"):
        rotate(x, cos, sin, layout="half", out=fixed)
    tokens = given("torch", 3)
    rotate(*tokens, layout="half", out=tokens[0] + 0)
    with pytest.raises(EncodingError, match="can be written"):
        rotate(*tokens, layout="half", out=(tokens[0] + 0).requires_grad_())
    with torch.inference_mode():
        own = tokens[0] + 0
        rotate(*tokens, layout="half", out=own)
    with pytest.raises(EncodingError, match="can be written"):
        rotate(*tokens, layout="half", out=own)


def test_autograd_hears_of_every_change(looked_at: list[None]) -> None:
    x, cos, sin = given("torch", 4)
    for _ in range(2):
        out = torch.zeros_like(x)
        weight = torch.ones_like(x, requires_grad=True)
        product = (weight * out).sum()
        rotate(x, cos, sin, layout="half", out=out)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            product.backward()


def test_what_others_turned_was_not_checked(looked_at: list[None]) -> None:
    """Tables that serve a layer whose rotation begins at the first channel, say."""
    from posenc.kernels import rotate as turned

    x, cos, sin = given("numpy", 5)
    turned(x, cos[:, :8], sin[:, :8], layout="half", xp=np, out=x + 0)
    with pytest.raises(EncodingError, match="half of x's last axis"):
        rotate(x, cos[:, :8], sin[:, :8], layout="half", out=x + 0)


def test_a_layout_that_is_none_is_refused(looked_at: list[None]) -> None:
    x, cos, sin = given("numpy", 5)
    wrong: Any = ["half"]
    with pytest.raises(EncodingError, match="layout must be"):
        rotate(x, cos, sin, layout=wrong, out=x + 0)


def test_tables_of_another_dtype_are_converted_each_time(looked_at: list[None]) -> None:
    x, cos, sin = given("numpy", 6)
    for scale in (1.0, 2.0):
        wide = scale * cos.astype("f8"), scale * sin.astype("f8")
        got = rotate(x, *wide, layout="half", out=x + 0)
        np.testing.assert_allclose(got, scale * due(x, cos, sin), atol=1e-6)


def test_few_forms_are_held(monkeypatch: pytest.MonkeyPatch, looked_at: list[None]) -> None:
    monkeypatch.setattr(_remembered, "MOST", 4)
    x, cos, sin = given("numpy", 7)
    for rows in range(1, 30):
        rotate(x[:, :rows], cos[:rows], sin[:rows], layout="half", out=x[:, :rows] + 0)
        assert len(_remembered._known) <= 4
