"""The compiled rotation, against the formula in wider numbers and against the plain body."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rope, bind, kernels, tables
from posenc.functional import _rotary

DIMS = (2, 6, 10, 64, 96, 128)
DTYPES = ("float32", "float64", "float16", "bfloat16")
LAYOUTS = ("half", "interleaved")
SPACES = {"numpy": np, "torch": array_api_compat.torch}


def array(where: str, values: np.ndarray, dtype: str) -> Any:
    if where == "numpy":
        return values.astype(dtype)
    return torch.from_numpy(values.copy()).to(getattr(torch, dtype))


def tokens(where: str, shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> Any:
    return array(where, np.random.default_rng(seed).normal(size=shape), dtype)


def waves(where: str, shape: tuple[int, ...], dtype: str = "float32", seed: int = 1) -> Any:
    turn = np.random.default_rng(seed).uniform(-4, 4, shape)
    return array(where, np.cos(turn), dtype), array(where, np.sin(turn), dtype)


def ulps(a: Any, b: Any) -> int:
    """How many numbers of their dtype lie between two arrays at most."""
    words = {2: np.int16, 4: np.int32, 8: np.int64}[a.itemsize]
    counts = []
    for each in (a, b):
        bits = each.view(getattr(torch, np.dtype(words).name)).numpy() if _torch(a) else each
        bits = bits.view(words).astype(object)
        counts.append(np.where(bits < 0, -(2 ** (8 * a.itemsize - 1)) - bits, bits))
    return int(np.abs(counts[0] - counts[1]).max(initial=0))


def _torch(array: Any) -> bool:
    return isinstance(array, torch.Tensor)


EVERYWHERE = [(w, d) for w in SPACES for d in DTYPES if (w, d) != ("numpy", "bfloat16")]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize(("where", "dtype"), EVERYWHERE)
def test_every_width(
    where: str, dtype: str, dim: int, layout: Any, bodies: list[str], check_turned: Any
) -> None:
    x, (cos, sin) = tokens(where, (2, 3, 7, dim), dtype), waves(where, (7, dim // 2))
    got = kernels.rotate(x, cos, sin, layout=layout, xp=SPACES[where])
    assert bodies == ["loop"]
    check_turned(got, x, cos, sin, layout=layout)


@pytest.mark.parametrize("start", [0, 2, 3, 32])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("where", "dtype"), EVERYWHERE)
@pytest.mark.parametrize("in_place", [False, True])
def test_part_of_a_head(
    where: str,
    dtype: str,
    start: int,
    layout: Any,
    in_place: bool,
    bodies: list[str],
    check_turned: Any,
) -> None:
    x, (cos, sin) = tokens(where, (3, 5, 64), dtype), waves(where, (5, 16))
    before = x.copy() if where == "numpy" else x.clone()
    options = {"layout": layout, "xp": SPACES[where], "start": start}
    got = kernels.rotate(x, cos, sin, **options, out=x if in_place else None)
    assert bodies == ["loop"]
    assert (got is x) == in_place
    check_turned(got, before, cos, sin, layout=layout, start=start)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_plain_body_gives_the_same_number_or_its_neighbour(dtype: str, layout: Any) -> None:
    x = tokens("torch", (4, 257, 64), dtype).abs() + 1  # positive, and angles so that nothing
    turn = torch.rand(257, 32, generator=torch.Generator().manual_seed(3)) * -0.7  # cancels
    options = {"layout": layout, "xp": array_api_compat.torch}
    first = torch.arange(32) if layout == "half" else torch.arange(0, 64, 2)
    got = kernels.rotate(x, turn.cos(), turn.sin(), **options)[..., first]
    due = _rotary.rotate(x, turn.cos(), turn.sin(), **options)[..., first]
    assert ulps(got.contiguous(), due.contiguous()) <= 1
    if dtype in ("float16", "bfloat16"):  # only ties may be seen otherwise
        assert (got != due).double().mean() < 1e-3


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_widths_are_rounded_to_nearest_ties_to_even(dtype: str, bodies: list[str]) -> None:
    """Products by a power of two are exact: what is left is one rounding, of every pattern."""
    every = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16)
    x = every.view(getattr(torch, dtype)).reshape(-1, 2)
    for scale in (1.0, 0.75, 2.0**-7, 1 + 2.0**-9):
        cos, sin = torch.full((1,), scale), torch.zeros(1)
        got = kernels.rotate(x, cos, sin, layout="half", xp=array_api_compat.torch)
        a, b = x.float().unbind(-1)
        due = torch.stack([a * scale - b * 0, a * 0 + b * scale], -1).to(x.dtype)
        assert torch.equal(got.isnan(), due.isnan())
        bits = [torch.where(t.isnan(), 0, t).view(torch.int16) for t in (got, due)]
        assert torch.equal(*bits)
    assert set(bodies) == {"loop"}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bits", [0x7FFFFFFF, 0x7F800001, -1, -0x7FFFFF])
def test_every_nan_of_a_table_comes_out_as_nan(bits: int, dtype: str) -> None:
    """Rounded as the number that its bits spell, some would become zero or infinity."""
    cos = torch.tensor([[bits]], dtype=torch.int32).view(torch.float32)
    x = torch.ones(3, 2, dtype=getattr(torch, dtype))
    got = kernels.rotate(x, cos, torch.zeros(1, 1), layout="half", xp=array_api_compat.torch)
    assert got.isnan().all()


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("lead", [(), (5,), (2, 5), (2, 3, 5), (2, 1, 3, 5), (2, 3, 1, 2, 5)])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_any_number_of_leading_axes(
    where: str, lead: tuple[int, ...], dtype: str, check_turned: Any
) -> None:
    x = tokens(where, (*lead, 10), dtype)
    for axes in {lead, lead[-1:], (*(1 for _ in lead[:-1]), *lead[-1:]), (1,) * len(lead), ()}:
        cos, sin = waves(where, (*axes, 5))
        got = kernels.rotate(x, cos, sin, layout="half", xp=SPACES[where])
        check_turned(got, x, cos, sin, layout="half")


@pytest.mark.parametrize("part", [{}, {"head_dim": 16}, {"head_dim": 16, "at": "back"}])
@pytest.mark.parametrize("rows", [False, True], ids=["same rows", "each row its own"])
@pytest.mark.parametrize("head_axis", [-3, -2, None])
@pytest.mark.parametrize(("where", "dtype"), EVERYWHERE)
def test_heads_on_either_side(
    where: str,
    dtype: str,
    head_axis: int | None,
    rows: bool,
    part: Any,
    bodies: list[str],
    check_turned: Any,
) -> None:
    """As users turn queries: one position for all heads of a token, per row or for all."""
    rope = Rope(dim=10, layout="half", **part)
    width = rope.head_dim or 10
    shape = {-3: (2, 3, 7, width), -2: (2, 7, 3, width), None: (2, 7, width)}[head_axis]
    at = np.arange(70_001, 70_008) + 1000 * np.arange(2)[:, None] * rows
    at = at if rows else at[0]
    x, p = tokens(where, shape, dtype), at if where == "numpy" else torch.from_numpy(at)
    scheme = bind(rope)
    got = scheme.query(x, scheme.prepare(p), head_axis=head_axis)
    assert bodies == ["loop"]
    cos, sin = tables(rope, at)
    if head_axis is not None and (rows or head_axis == -2):
        cos, sin = (np.expand_dims(t, head_axis) for t in (cos, sin))
    start = width - 10 if rope.at == "back" else 0
    check_turned(got, x, cos, sin, layout="half", start=start)


@pytest.mark.parametrize("where", SPACES)
@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_tables_in_another_width_are_read_as_float32(where: str, dtype: str) -> None:
    x = tokens(where, (4, 6))
    cos, sin = waves(where, (4, 3), dtype)
    options: Any = {"layout": "half", "xp": SPACES[where]}
    got, due = (f(x, cos, sin, **options) for f in (kernels.rotate, _rotary.rotate))
    assert abs(got - due).max() <= 4e-7


sizes = st.integers(1, 4)


@given(st.data())
def test_any_shape_any_table_any_place(check_turned: Any, data: Any) -> None:
    """Broadcasting, order of axes in memory, share of the head and buffer, all drawn."""
    lead = tuple(data.draw(st.lists(sizes, max_size=5)))
    pairs, before, after = data.draw(sizes), data.draw(st.integers(0, 3)), data.draw(sizes) - 1
    dtype, layout = data.draw(st.sampled_from(DTYPES)), data.draw(st.sampled_from(LAYOUTS))
    shared = tuple(n if data.draw(st.booleans()) else 1 for n in lead)
    table = shared[data.draw(st.integers(0, len(lead))) :]
    order = data.draw(st.permutations(range(len(lead))))
    wide = before + 2 * pairs + after

    def laid(seed: int) -> torch.Tensor:
        """Axes in the drawn order in memory, with a gap after each row."""
        size = [lead[i] for i in order]
        whole = tokens("torch", (*size, wide + 2), dtype, seed)
        back = np.argsort(order).tolist() if order else []
        return whole.permute(*back, len(lead))[..., 1 : wide + 1]

    x, (cos, sin) = laid(4), waves("torch", (*table, pairs))
    options: Any = {"layout": layout, "xp": array_api_compat.torch, "start": before}
    given_out = data.draw(st.sampled_from(["fresh", "in place", "another"]))
    out = {"fresh": None, "in place": x, "another": laid(5)}[given_out]
    source = x.clone()
    got = kernels.rotate(x, cos, sin, **options, out=out)
    check_turned(got, source, cos, sin, layout=layout, start=before)
    if given_out != "in place":
        assert torch.equal(x, source)
