"""Large results go past the caches, straight to memory, where their rows are whole lines of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import posenc
from posenc.kernels import _arrangement, _loops, _remembered
from posenc.kernels._loops import turning

LENGTHS = [1, 15, 16, 17, 40]  # a piece has 16 rows


@pytest.fixture
def past_caches(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Everything counts as large; filled with whether the loop that was chosen streams."""
    chosen: list[bool] = []

    def recorded(*kind: Any) -> Callable[..., Any]:
        chosen.append(kind[-1])
        return turning(*kind)

    for module in (_arrangement, _remembered):
        monkeypatch.setattr(module, "STREAMED", 1)
    monkeypatch.setattr(_remembered, "_known", {})
    monkeypatch.setattr(_loops, "turning", recorded)
    return chosen


def given(length: int, dim: int, dtype: torch.dtype) -> tuple[torch.Tensor, Any]:
    x = torch.randn(2, 3, length, dim, generator=torch.Generator().manual_seed(length))
    spec = posenc.Rope(dim=dim, layout="half")
    return x.to(dtype), posenc.tables(spec, torch.arange(70_001, 70_001 + length))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_every_number_arrives(
    dtype: torch.dtype, layout: Any, length: int, past_caches: list[bool], check_turned: Any
) -> None:
    x, (cos, sin) = given(length, 64, dtype)
    around = torch.full((2, 3, length + 2, 64), 7.0).to(dtype)
    posenc.rotate(x, cos, sin, layout=layout, out=around[:, :, 1:-1])
    assert past_caches == [True]
    check_turned(around[:, :, 1:-1], x, cos, sin, layout=layout)
    assert (around[:, :, [0, -1]] == 7).all()
    own = x.clone()
    assert torch.equal(posenc.rotate(own, cos, sin, layout=layout, out=own), around[:, :, 1:-1])
    assert past_caches == [True, False]


@pytest.mark.parametrize(
    ("why", "dim", "start"),
    [
        ("rows of half a line", 8, 0),
        ("rows that start within one", 64, 8),
        ("rows of four lines and a half", 72, 0),
        ("rows longer than what a call has room for", 1 << 13, 0),
    ],
)
def test_rows_that_share_lines_do_not_stream(
    why: str, dim: int, start: int, past_caches: list[bool], check_turned: Any
) -> None:
    x, (cos, sin) = given(40, dim, torch.float32)
    room = torch.zeros(x.numel() + start)
    out = room[start:].view(x.shape)
    posenc.rotate(x, cos, sin, layout="half", out=out)
    assert past_caches == [False]
    check_turned(out, x, cos, sin, layout="half")


def test_part_of_a_head_does_not_stream(past_caches: list[bool]) -> None:
    x = torch.randn(2, 3, 40, 64)
    scheme = posenc.bind(posenc.Rope(dim=32, layout="half", head_dim=64))
    scheme.query(x, torch.arange(40))
    assert past_caches == [False]


def test_what_is_compiled_says_so() -> None:
    """And what is large is streamed without being asked; a fresh result starts with a line."""
    loop = turning("float32", "float32", 64, False, False, True)
    x = torch.randn(1, 5, 4096, 128)
    cos, sin = posenc.tables(posenc.Rope(dim=128, layout="half"), torch.arange(4096))
    turned = posenc.rotate(x, cos, sin, layout="half")
    assert turned.data_ptr() % 64 == 0
    assert loop.signatures
    assert torch.equal(turned, posenc.rotate(x.clone(), cos, sin, layout="half", out=x))
