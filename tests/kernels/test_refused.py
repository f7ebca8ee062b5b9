"""Arguments that a loop must never see: each is one sentence at the outermost call."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.kernels import angles, rotate_at

ROPE = posenc.Rope(dim=16, layout="half")
COS, SIN = posenc.tables(ROPE, np.arange(50))
X = np.ones((50, 16), np.float32)
Q, STEPS = np.ones((1, 3, 4), np.float32), np.array([2**60, 2**59])
GRID, PLACES = np.arange(6).reshape(3, 2), np.arange(3)
ROOM = np.zeros(401, np.float32)
FLAT = np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (50, 16), (0, 4))


def at(positions: Any = PLACES, steps: Any = STEPS, **options: Any) -> Any:
    return rotate_at(Q, None, positions, steps, layout="half", **options)


def tables_into(*out: Any, positions: Any = None) -> Any:
    return posenc.tables(ROPE, np.arange(50) if positions is None else positions, out=out)


LAPPED = torch.zeros(1000).as_strided((50, 16), (8, 1))


def nested(layout: torch.layout) -> torch.Tensor:
    with warnings.catch_warnings():  # a prototype, torch says
        warnings.simplefilter("ignore")
        return torch.nested.nested_tensor([torch.ones(2, 16), torch.ones(3, 16)], layout=layout)


EXPANDED = torch.zeros(1, 16).expand(50, 16)
TURN = {"cos": torch.from_numpy(COS), "sin": torch.from_numpy(SIN), "layout": "half"}
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a coordinate far away": (lambda: at(GRID, axis=np.array([0, 10**9])), "axis must be"),
    "one before the first": (lambda: at(GRID, axis=np.array([0, -1])), "axis must be"),
    "half a coordinate": (lambda: at(GRID, axis=np.array([0, 0.5])), "axis must be"),
    "of torch": (
        lambda: rotate_at(
            *(torch.from_numpy(Q), None, torch.from_numpy(GRID), torch.from_numpy(STEPS)),
            layout="half",
            axis=torch.tensor([0, 7]),
        ),
        "axis must be",
    ),
    "to angles": (
        lambda: angles(GRID, STEPS, xp=np, axis=np.array([0, 2])),
        "axis must be of whole numbers from 0 to 1",
    ),
    "cast steps": (lambda: at(steps=STEPS.astype(np.int32)), "steps must be int64"),
    "a list": (lambda: at(steps=STEPS.tolist()), "steps must be of NumPy"),
    "half positions": (lambda: at(PLACES.astype(np.float16)), "positions must be"),
    "no position": (lambda: at(np.array([0, np.nan, 1])), "positions must be finite"),
    "a mask": (lambda: at(PLACES > 1), "positions must be integers"),
    "of another library": (
        lambda: posenc.rotate(X, COS, SIN, layout="half", out=torch.zeros(50, 16)),
        "out must be of NumPy; got 'PyTorch'",
    ),
    "wanted for a gradient": (
        lambda: posenc.rotate(
            torch.from_numpy(X), **TURN, out=torch.zeros(50, 16, requires_grad=True)
        ),
        r"requires a gradient'\. Pass out\.detach\(\)",
    ),
    "one array for both": (lambda: tables_into(COS, COS), "share no memory"),
    "overlapping": (
        lambda: tables_into(*(ROOM[i : i + 400].reshape(50, 8) for i in (0, 1))),
        "share no memory",
    ),
    "one row for all": (
        lambda: posenc.rotate(X, COS, SIN, layout="half", out=FLAT),
        "a place for each number",
    ),
    "an expanded tensor": (
        lambda: posenc.rotate(torch.from_numpy(X), **TURN, out=EXPANDED),
        "a place for each number",
    ),
    "one that laps over itself": (
        lambda: posenc.rotate(torch.from_numpy(X), **TURN, out=LAPPED),
        "a place for each number",
    ),
    "a number to write into": (
        lambda: posenc.rotate(X, COS, SIN, layout="half", out=1),
        r"^rotate\(\): out must be of NumPy, PyTorch",
    ),
    "a list for cosines": (
        lambda: posenc.rotate(X, COS.tolist(), SIN, layout="half"),
        r"^rotate\(\): cos must be of NumPy, PyTorch",
    ),
    "whole numbers for cosines": (
        lambda: posenc.rotate(X, COS.astype(int), SIN, layout="half"),
        "cos must be real numbers of the library of x, NumPy; got 'int64 of NumPy'",
    ),
    "extended numbers": (
        lambda: posenc.rotate(X.astype(np.longdouble), COS, SIN, layout="half"),
        "Cast it to float64",
    ),
    "a sparse tensor": (
        lambda: posenc.rotate(torch.from_numpy(X).to_sparse(), **TURN),
        r"x must be a dense tensor; got 'torch\.sparse_coo'\. Pass x\.to_dense\(\)",
    ),
    "a sparse place": (
        lambda: posenc.rotate(torch.from_numpy(X), **TURN, out=torch.from_numpy(X).to_sparse()),
        "out must be a dense tensor",
    ),
    "sparse positions": (
        lambda: posenc.tables(ROPE, torch.arange(9).to_sparse()),
        "positions must be a dense tensor",
    ),
    "rows of other lengths": (
        lambda: posenc.rotate(nested(torch.jagged), **TURN),
        "x must be a dense tensor; got 'torch.jagged, nested'",
    ),
    "rows of other lengths as they once were": (
        lambda: posenc.rotate(nested(torch.strided), **TURN),
        "x must be a dense tensor; got 'torch.strided, nested'",
    ),
    "another device": (
        lambda: posenc.rotate(torch.from_numpy(X), **TURN, out=torch.empty(50, 16, device="meta")),
        "on cpu",
    ),
    "a matrix": (
        lambda: posenc.rotate(X.view(np.matrix), COS, SIN, layout="half"),
        "numpy.matrix",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_in_one_sentence(what: str) -> None:
    call, message = REFUSED[what]
    with pytest.raises(EncodingError, match=message):
        call()


def test_what_inference_mode_made_changes_nowhere_else() -> None:
    with torch.inference_mode():
        out = torch.zeros(50, 16)
    with pytest.raises(EncodingError, match="can be written"):
        posenc.rotate(torch.from_numpy(X), **TURN, out=out)
    with torch.inference_mode():
        posenc.rotate(torch.from_numpy(X), **TURN, out=out)


def test_what_inference_mode_prepared_serves_training() -> None:
    x = torch.ones(1, 2, 5, 16, requires_grad=True)
    scheme = posenc.bind(ROPE)
    with torch.inference_mode():
        placed = scheme.prepare(torch.arange(5))
    scheme.query(x, placed).sum().backward()
    due = torch.ones(1, 2, 5, 16, requires_grad=True)
    scheme.query(due, torch.arange(5)).sum().backward()
    assert torch.equal(x.grad, due.grad)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_many_gradients_of_a_whole_head(layout: Any) -> None:
    scheme = posenc.bind(posenc.Rope(dim=16, layout=layout))
    x = torch.randn(1, 2, 3, 16, requires_grad=True)
    turned, each = scheme.query(x, torch.arange(3)), torch.randn(5, 1, 2, 3, 16)
    (found,) = torch.autograd.grad(turned, x, each, is_grads_batched=True, retain_graph=True)
    for got, upstream in zip(found, each, strict=True):
        (one,) = torch.autograd.grad(turned, x, upstream, retain_graph=True)
        torch.testing.assert_close(got, one)


def test_another_word_for_which_kernels(fresh_process: Callable[..., str]) -> None:
    code = """
import numpy as np, posenc
try:
    posenc.tables(posenc.Rope(dim=8, layout="half"), np.arange(5))
except posenc.EncodingError as error:
    print(error)
"""
    said = fresh_process(code, POSENC_KERNELS="PLAIN")
    assert said.strip() == "POSENC_KERNELS must be 'fast' or 'plain'; got 'PLAIN'."


@pytest.mark.parametrize("where", ["numpy", "torch"])
@pytest.mark.parametrize("way", ["halves", "woven", "turned round"])
def test_columns_of_one_buffer_are_two_tables(where: str, way: str) -> None:
    """They share no byte, although they lie among each other."""
    zeros: Any = {"numpy": np.zeros, "torch": torch.zeros}[where]
    room = zeros((50, 16), dtype=torch.float32 if where == "torch" else np.float32)
    ways = {
        "halves": (room[:, :8], room[:, 8:]),
        "woven": (room[:, ::2], room[:, 1::2]),
        "turned round": (room[:25].reshape(8, 50).T, room[25:].reshape(8, 50).T),
    }
    at = np.arange(50) if where == "numpy" else torch.arange(50)
    for got, due in zip(posenc.tables(ROPE, at, out=ways[way]), (COS, SIN), strict=True):
        np.testing.assert_allclose(np.asarray(got), due, atol=3e-7)
    with pytest.raises(EncodingError, match="share no memory"):
        posenc.tables(ROPE, at, out=(room[:, :8], room[:, 7:15]))


def test_a_read_only_half_of_out_is_found_before_the_other_is_written() -> None:
    cos, sin = np.full((50, 8), 7.0, np.float32), np.full((50, 8), 7.0, np.float32)
    sin.flags.writeable = False
    with pytest.raises(TypeError, match="can be written"):
        tables_into(cos, sin)
    assert (cos == 7).all()


def test_what_fails_inside_is_not_put_down_to_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any, **named: Any) -> None:
        raise ValueError("another fault")

    monkeypatch.setattr(posenc.kernels, "rotate", broken)
    monkeypatch.setattr(posenc.kernels, "angles", broken)
    with pytest.raises(ValueError, match="another fault"):
        posenc.rotate(X, COS, SIN, layout="half", out=X.copy())
    with pytest.raises(ValueError, match="another fault"):
        tables_into(np.ones_like(COS), np.ones_like(SIN))
