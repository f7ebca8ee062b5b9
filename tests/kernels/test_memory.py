"""Where numbers lie: strides, views and foreign memory to read from, and buffers to write to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_compat.torch
import numpy as np
import pytest
import torch

import posenc
from posenc import kernels
from posenc.functional import _rotary

SHAPE = (4, 6, 10)
TABLES = np.cos(np.arange(30.0)).reshape(6, 5).astype("f4"), np.sin(np.arange(30.0)).reshape(6, 5)
COS, SIN = (t.astype(np.float32) for t in TABLES)


def tokens(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape or SHAPE).astype(dtype)


def unaligned(array: np.ndarray) -> np.ndarray:
    room = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    room[...] = array
    assert not room.flags.aligned
    return room


def fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


class Named(np.ndarray):
    pass


READ = {
    "in order": lambda: tokens(),
    "rows of a wider array": lambda: tokens(4, 6, 14)[..., 2:12],
    "every other row": lambda: tokens(8, 12, 10)[::2, ::2],
    "backwards": lambda: tokens()[::-1, ::-1],
    "channels backwards": lambda: tokens()[..., ::-1],
    "every other channel": lambda: tokens(4, 6, 20)[..., ::2],
    "axes swapped": lambda: tokens(6, 4, 10).swapaxes(0, 1),
    "channels first": lambda: np.moveaxis(tokens(10, 4, 6), 0, -1),
    "one row for all": lambda: np.broadcast_to(tokens(6, 10), SHAPE),
    "one number for all": lambda: np.broadcast_to(np.float32(1.5), SHAPE),
    "read-only": lambda: fixed(tokens()),
    "unaligned": lambda: unaligned(tokens()),
    "of the other byte order": lambda: tokens().astype(">f4"),
    "a field of records": lambda: np.array(tokens(), [("x", "f4"), ("y", "u1")])["x"],
    "an aligned field": lambda: np.array(
        tokens(), np.dtype([("x", "f4"), ("y", "u1")], align=True)
    )["x"],
    "the real part": lambda: (tokens() + 1j).astype("c8").real,
    "a subclass": lambda: tokens().view(Named),
    "float16, unaligned": lambda: unaligned(tokens(dtype="float16")),
    "float64, backwards": lambda: tokens(dtype="float64")[:, ::-1],
    "no rows": lambda: tokens(0, 6, 10),
    "no heads": lambda: tokens(4, 0, 6, 10),
}


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("how", READ)
def test_tokens_of_any_memory(how: str, layout: Any, check_turned: Any) -> None:
    x = READ[how]()
    before = x.copy()
    got = kernels.rotate(x, COS, SIN, layout=layout, xp=np)
    check_turned(got, before, COS, SIN, layout=layout)
    assert np.array_equal(x, before)


@pytest.mark.parametrize("how", [n for n in READ if n not in ("no rows", "no heads")])
def test_tables_of_any_memory(how: str, check_turned: Any) -> None:
    cos, x = READ[how](), tokens(4, 6, 20)
    for tables in ((cos, cos), (cos, np.ascontiguousarray(cos)), (np.ascontiguousarray(cos), cos)):
        got = kernels.rotate(x, *tables, layout="half", xp=np)
        check_turned(got, x, *tables, layout="half")


def test_no_tokens_and_no_positions() -> None:
    x = np.empty((4, 0, 10), np.float32)
    out = np.empty_like(x)
    assert posenc.rotate(x, COS[:0], SIN[:0], layout="half").shape == x.shape
    assert posenc.rotate(x, COS[:0], SIN[:0], layout="half", out=out) is out


def buffers() -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    return {
        "fresh": np.empty_like,
        "strided": lambda x: np.empty((*x.shape[:-1], 30), x.dtype)[..., 5:15],
        "every other channel": lambda x: np.empty((*x.shape[:-1], 20), x.dtype)[..., ::2],
        "transposed": lambda x: np.empty((6, 4, 10), x.dtype).swapaxes(0, 1),
        "backwards": lambda x: np.empty_like(x)[::-1],
        "unaligned": unaligned,
        "of the other byte order": lambda x: np.empty(x.shape, x.dtype.newbyteorder()),
        "a subclass": lambda x: np.empty_like(x).view(Named),
        "x": lambda x: x,
        "the same memory": lambda x: x[:],
        "x backwards": lambda x: x[::-1],
        "heads of x in another order": lambda x: x[[1, 0, 3, 2]],
    }


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("how", buffers())
def test_into_a_buffer(how: str, dtype: str) -> None:
    x = tokens(dtype=dtype)
    due = posenc.rotate(x, COS, SIN, layout="half")
    out = buffers()[how](x)
    assert posenc.rotate(x, COS, SIN, layout="half", out=out) is out
    assert np.allclose(out, due, rtol=2e-3 if dtype == "float16" else 1e-6, atol=1e-6)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("shift", [-60, -10, -5, -3, -1, 1, 3, 5, 10, 60])
def test_a_buffer_that_overlaps_gives_what_one_apart_gives(
    shift: int, dtype: str, layout: Any
) -> None:
    room = tokens(240 + 2 * 60, dtype=dtype)
    x, out = room[60:300].reshape(SHAPE), room[60 + shift : 300 + shift].reshape(SHAPE)
    due = posenc.rotate(x.copy(), COS, SIN, layout=layout)
    around = [room[: 60 + shift].copy(), room[300 + shift :].copy()]
    posenc.rotate(x, COS, SIN, layout=layout, out=out)
    assert np.allclose(out, due, rtol=2e-3 if dtype == "float16" else 1e-6, atol=1e-6)
    assert np.array_equal(room[: 60 + shift], around[0])
    assert np.array_equal(room[300 + shift :], around[1])


@pytest.mark.parametrize("start", [0, 20, 25, 29, 30])
def test_a_buffer_over_the_tables(start: int) -> None:
    room = np.concatenate([COS.ravel(), SIN.ravel(), np.empty(240, np.float32)])
    cos, sin = room[:30].reshape(6, 5), room[30:60].reshape(6, 5)
    x, due = tokens(), posenc.rotate(tokens(), COS, SIN, layout="half")
    out = posenc.rotate(x, cos, sin, layout="half", out=room[start : start + 240].reshape(SHAPE))
    assert np.allclose(out, due, rtol=1e-6, atol=1e-6)


def test_only_the_buffer_is_written_to() -> None:
    room = np.full((4, 6, 30), 7, np.float32)
    posenc.rotate(tokens(), COS, SIN, layout="half", out=room[..., 10:20])
    assert (room[..., :10] == 7).all()
    assert (room[..., 20:] == 7).all()


REFUSED = {
    "a read-only array": (tokens, lambda: fixed(np.empty(SHAPE, np.float32))),
    "one row for all": (tokens, lambda: np.broadcast_to(np.empty((6, 10), np.float32), SHAPE)),
    "one row of a tensor for all": (
        lambda: torch.from_numpy(tokens()),
        lambda: torch.empty(6, 10).expand(SHAPE),
    ),
    "a leaf that wants a gradient": (
        lambda: torch.from_numpy(tokens()),
        lambda: torch.empty(SHAPE, requires_grad=True),
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_written_is_refused_in_one_sentence(what: str) -> None:
    x, out = (each() for each in REFUSED[what])
    cos, sin = (torch.from_numpy(t) if isinstance(x, torch.Tensor) else t for t in (COS, SIN))
    with pytest.raises(posenc.EncodingError, match=r"^rotate\(\): out must be an array .*; got"):
        posenc.rotate(x, cos, sin, layout="half", out=out)


@pytest.mark.parametrize("where", ["numpy", "torch"])
def test_what_does_not_fit_is_never_given_to_a_loop(where: str) -> None:
    """Whoever calls the kernel itself is answered by the plain body, or refused by it."""
    from posenc import kernels

    xp: Any = {"numpy": np, "torch": array_api_compat.torch}[where]
    x, c = xp.ones((64, 8)), xp.ones((64, 4))

    def turned(cos: Any, **options: Any) -> Any:
        return kernels.rotate(x, cos, cos, layout="half", xp=xp, **options)

    for wrong in (
        lambda: turned(c, out=xp.zeros((2, 8))),
        lambda: turned(c[:2]),
        lambda: turned(c[:, :2], start=-1),
        lambda: turned(xp.ones((64, 5))),
    ):
        with pytest.raises((ValueError, RuntimeError)):
            wrong()
    other = xp.zeros((64, 8), dtype=xp.float64 if x.dtype == xp.float32 else xp.float32)
    assert (turned(c, out=other) == xp.astype(turned(c), other.dtype)).all()


def test_tables_of_inference_mode_are_not_written_outside_of_it() -> None:
    with torch.inference_mode():
        own = torch.zeros(5, 4), torch.zeros(5, 4)
    spec = posenc.Rope(dim=8, layout="half")
    with pytest.raises(posenc.EncodingError, match="can be written"):
        posenc.tables(spec, torch.arange(5), out=own)
    with torch.inference_mode():
        posenc.tables(spec, torch.arange(5), out=own)


VIEWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "sliced": lambda t: t[:, 1:5],
    "transposed": lambda t: t.transpose(0, 1),
    "one row for all": lambda t: t[:1].expand(4, 6, 10),
    "one number for all": lambda t: t[..., :1].expand(4, 6, 10),
    "rows over each other": lambda t: t.as_strided((4, 6, 10), (3, 7, 1)),
    "windows": lambda t: t.unfold(-1, 6, 1),
    "channels first": lambda t: t.movedim(0, -1)[..., :4],
    "negated when it is read": torch._neg_view,
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("how", VIEWS)
def test_views_of_tensors(how: str, dtype: str, check_turned: Any) -> None:
    x = VIEWS[how](torch.from_numpy(tokens()).to(getattr(torch, dtype)))
    turn = torch.arange(x.shape[-2] * (x.shape[-1] // 2)).reshape(x.shape[-2], -1).float()
    cos, sin = turn.cos(), turn.sin()
    got = kernels.rotate(x, cos, sin, layout="half", xp=array_api_compat.torch)
    check_turned(got, x, cos, sin, layout="half")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, -0.0, 1e-42, -1e-45, 6e-8, 3e38, 7e4])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_what_is_no_ordinary_number_stays_what_the_plain_body_makes_of_it(
    number: float, dtype: str, layout: Any
) -> None:
    """Angles of which products are exact, so that the two bodies may not differ at all."""
    x = torch.tensor([[number, 1.0, 0.0, -0.0], [0.0, number, number, -number]] * 2)
    x = x.to(getattr(torch, dtype))
    cos, sin = torch.tensor([1.0, -1.0, 0.0, 0.5])[:, None], torch.tensor([0.0, -0.0, 1.0, 0.5])
    options: Any = {"layout": layout, "xp": array_api_compat.torch}
    tables = cos.expand(4, 2), sin[:, None].expand(4, 2)
    got, due = (f(x, *tables, **options) for f in (kernels.rotate, _rotary.rotate))
    assert torch.equal(got.isnan(), due.isnan())
    assert torch.equal(got.nan_to_num(0, 1, -1), due.nan_to_num(0, 1, -1))
    assert torch.equal(got.signbit() & ~got.isnan(), due.signbit() & ~due.isnan())
