"""Every way of attending answers as the reference does, and everyone sees the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError

from .attending import (
    ALIBI,
    CLOSE,
    FIRST,
    KEYS,
    PLACES,
    QUERIES,
    ROPE,
    SPECS,
    T5,
    WAYS,
    arrays,
    counted,
    drawn,
    sight,
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seen", sight())
@pytest.mark.parametrize("name", SPECS)
def test_every_way_equals_the_reference(name: str, seen: str, way: str) -> None:
    spec, options = SPECS[name], sight()[seen]
    q, k, v = drawn()
    for place in PLACES.values():
        given = {**place(), "arrays": arrays(spec), **options}
        due = posenc.attend(q, k, v, spec, **given)
        got = posenc.torch.attend(q, k, v, spec, backend=way, **given)
        torch.testing.assert_close(got, due, **CLOSE)
        if seen == "mask":
            assert not got[0, :, 5].any()


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"causal": True}, {"window": 170}, {}], ids=str)
def test_blocks_that_are_seen_whole(options: dict[str, Any]) -> None:
    """Several blocks of queries and of keys, some of which nobody has to ask about."""
    make = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(2, 4, n, 10, generator=make) for n in (300, 420, 420))
    at = torch.arange(420)
    given = {"q_positions": at[-300:], "k_positions": at, **options}
    due = posenc.attend(q, k, v, ALIBI, **given)
    got = posenc.torch.attend(q, k, v, ALIBI, backend="flex", **given)
    torch.testing.assert_close(got, due, **CLOSE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_rounds_no_bias(dtype: torch.dtype, way: str) -> None:
    """ALiBi at 8192 tokens is thousands: rounded in bfloat16 it would be whole steps off."""
    q, k, v = drawn(dtype)
    at = counted()
    given = {**at, "k_positions": at["k_positions"] - 8000}
    due = posenc.attend(q.double(), k.double(), v.double(), ALIBI, **given)
    got = posenc.torch.attend(q, k, v, ALIBI, backend=way, **given)
    assert got.dtype == dtype
    torch.testing.assert_close(got.double(), due, atol=2e-2, rtol=2e-2)


def test_autocast_does_not_reach_the_blocks() -> None:
    q, k, v = drawn(grad=True)
    results = []
    for on in (False, True):
        with torch.autocast("cpu", torch.bfloat16, enabled=on):
            y = posenc.torch.attend(q, k, v, ALIBI, backend="rows", **counted())
        results.append((y, *torch.autograd.grad(y.sum(), (q, k, v))))
    for got, due in zip(*results, strict=True):
        torch.testing.assert_close(got, due, rtol=0, atol=0)


@pytest.mark.parametrize("name", SPECS)
def test_a_decode_step_equals_the_full_pass(name: str) -> None:
    """B59, B145: one query at the end of its keys, turned before or raw."""
    spec = SPECS[name]
    scheme = posenc.bind(spec, arrays(spec), xp="torch")
    q, k, v = drawn()
    q = torch.cat([torch.randn(2, 4, KEYS - QUERIES, 10), q], dim=-2)
    at = torch.arange(FIRST, FIRST + KEYS)
    full = posenc.torch.attend(q, k, v, scheme, q_positions=at, causal=True)
    step = {"q_positions": at[-1:], "k_positions": at, "causal": True}
    last = posenc.torch.attend(q[:, :, -1:], k, v, scheme, **step)
    torch.testing.assert_close(last, full[:, :, -1:], **CLOSE)
    turned = scheme.key(k, at) if scheme.key else k
    last = posenc.torch.attend(q[:, :, -1:], turned, v, scheme, keys="turned", **step)
    torch.testing.assert_close(last, full[:, :, -1:], **CLOSE)


def test_a_module_attends_as_its_spec() -> None:
    enc = posenc.torch.Encoding(T5)
    q, k, v = drawn()
    table = {n: p.detach() for n, p in enc.learned.arrays().items()}
    given = counted()
    due = posenc.attend(q, k, v, T5, arrays=table, **given)
    torch.testing.assert_close(posenc.torch.attend(q, k, v, enc, **given), due, **CLOSE)
    torch.testing.assert_close(posenc.attend(q, k, v, enc, **given), due, rtol=0, atol=0)
    got = posenc.torch.attend(q, k, v, enc, q_positions=enc.prepare(*given.values()))
    torch.testing.assert_close(got, due, **CLOSE)
    with pytest.raises(EncodingError, match="a spec to take arrays or a length"):
        posenc.torch.attend(q, k, v, enc, length=9, **given)


def test_no_tokens_and_no_keys() -> None:
    """B160."""
    for n, m in ((0, 5), (5, 0), (0, 0)):
        q, k, v = torch.ones(2, 4, n, 10), torch.ones(2, 2, m, 10), torch.ones(2, 2, m, 6)
        at = {"q_positions": torch.arange(n), "k_positions": torch.arange(m)}
        y = posenc.torch.attend(q, k, v, ALIBI, **at)
        assert y.shape == (2, 4, n, 6)
        assert not y.any()


def test_numpy_positions_are_taken_along() -> None:
    q, k, v = drawn()
    at = counted()
    due = posenc.torch.attend(q, k, v, ALIBI, **at)
    got = posenc.torch.attend(q, k, v, ALIBI, **{n: np.asarray(p) for n, p in at.items()})
    torch.testing.assert_close(got, due, rtol=0, atol=0)


@pytest.mark.parametrize("way", ["sdpa", "rows"])
def test_masks_of_few_axes(way: str) -> None:
    q, k, v = drawn()
    given = counted()
    for mask in (torch.tensor(True), torch.tensor([True]), torch.arange(KEYS) > 3):
        for spec in (ROPE, ALIBI):
            due = posenc.attend(q, k, v, spec, mask=mask, **given)
            got = posenc.torch.attend(q, k, v, spec, mask=mask, backend=way, **given)
            torch.testing.assert_close(got, due, **CLOSE)


@pytest.mark.parametrize("backend", ["sdpa", "rows", "reference"])
def test_what_was_prepared_is_no_view_of_the_callers_positions(backend: str) -> None:
    q, k, v = drawn()
    at = counted().values()
    enc = posenc.torch.Encoding(ALIBI)
    placed = enc.prepare(*at)
    due = posenc.torch.attend(q, k, v, enc, q_positions=placed, backend=backend)
    for positions in at:
        positions.mul_(3)
    got = posenc.torch.attend(q, k, v, enc, q_positions=placed, backend=backend)
    assert torch.equal(got, due)


@pytest.mark.parametrize("scale", [0.0, -1.0])
def test_a_scale_that_is_not_positive(scale: float) -> None:
    q = k = torch.randn(2, 3, 7, 10)
    given = {"causal": True, "scale": scale}
    got = posenc.torch.attend(q, k, k, posenc.NoPE(), **given)
    torch.testing.assert_close(got, posenc.attend(q, k, k, posenc.NoPE(), **given))
