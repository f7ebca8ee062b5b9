"""The gradients of every way of attending, against the reference."""

from __future__ import annotations

import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError

from .attending import (
    ALIBI,
    CLOSE,
    PLACES,
    QUERIES,
    T5,
    WAYS,
    arrays,
    counted,
    drawn,
    in_documents,
    scattered,
    sight,
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seen", ["all", "causal window", "mask"])
def test_gradients_are_those_of_the_reference(place: str, seen: str, way: str) -> None:
    """Those of q, k, v and of the table of the bias, whatever shares it."""
    options, at = sight()[seen], PLACES[place]()
    weight = torch.randn(2, 4, QUERIES, 6, generator=torch.Generator().manual_seed(3))
    grads = []
    for attend, more in ((posenc.attend, {}), (posenc.torch.attend, {"backend": way})):
        q, k, v = drawn(grad=True)
        table = arrays(T5)["table"].requires_grad_()
        y = attend(q, k, v, T5, arrays={"table": table}, **at, **options, **more)
        grads.append(torch.autograd.grad((y * weight).sum(), (q, k, v, table)))
    for got, due in zip(grads[1], grads[0], strict=True):
        torch.testing.assert_close(got, due, atol=5e-5, rtol=1e-4)


def test_a_bias_at_scattered_or_real_positions_goes_by_rows() -> None:
    q, k, v = drawn(grad=True)
    real = {n: p.double() / 3 for n, p in counted().items()}
    for spec, at in ((T5, scattered()), (ALIBI, real)):
        grads = []
        table = {n: a.requires_grad_() for n, a in (arrays(spec) or {}).items()} or None
        given = {**at, "arrays": table, "causal": True}
        for way in ("reference", "rows"):
            y = posenc.torch.attend(q, k, v, spec, backend=way, **given)
            leaves = (q, k, v, *(table or {}).values())
            grads.append((y, *torch.autograd.grad(y.square().sum(), leaves)))
        for got, due in zip(*reversed(grads), strict=True):
            torch.testing.assert_close(got, due, atol=5e-5, rtol=1e-4)
        with pytest.raises(EncodingError, match="backend must be 'rows' for this bias"):
            posenc.torch.attend(q, k, v, spec, backend="flex", **given)


@pytest.mark.parametrize("way", ["sdpa", "rows"])
def test_rows_check_their_gradient_in_float64(way: str) -> None:
    q, k, v = (x[:1, :2, :9].double().detach().requires_grad_() for x in drawn(k_heads=4))
    at, spec = torch.arange(8, 17), posenc.T5Bias(heads=2, bidirectional=False, buckets=8)
    table = torch.randn(8, 2, dtype=torch.float64, requires_grad=True)

    def attended(q, k, v, table):
        given = {"q_positions": at, "arrays": {"table": table}, "causal": True}
        return posenc.torch.attend(q, k, v, spec, backend=way, **given)

    assert torch.autograd.gradcheck(attended, (q, k, v, table))


@pytest.mark.parametrize("way", ["reference", "sdpa", "rows"])
def test_the_gradient_of_a_bfloat16_table_is_summed_in_float32(way: str) -> None:
    make = torch.Generator().manual_seed(0)
    spec, n = posenc.T5Bias(heads=2, bidirectional=False), 300
    table = arrays(spec)["table"].bfloat16()
    q, weight = (torch.randn(1, 2, n, 8, generator=make) for _ in range(2))
    grads = []
    for kind in (torch.bfloat16, torch.float32):
        leaf = table.to(kind).requires_grad_()
        given = {"q_positions": torch.arange(n), "arrays": {"table": leaf}, "causal": True}
        y = posenc.torch.attend(q, q, q, spec, backend=way, **given)
        grads.append(torch.autograd.grad((y * weight).sum(), leaf)[0].float())
    torch.testing.assert_close(*grads, rtol=1e-2, atol=1e-2)


def test_a_table_of_another_dtype_at_positions_that_are_not_straight() -> None:
    q, k, v = drawn(grad=True)
    for kind in (torch.bfloat16, torch.float64):
        table = arrays(T5)["table"].to(kind).requires_grad_()
        given = {**in_documents(), "arrays": {"table": table}}
        y = posenc.torch.attend(q, k, v, T5, backend="rows", **given)
        due = posenc.attend(q, k, v, T5, **given)
        torch.testing.assert_close(y, due, **CLOSE)
        assert torch.autograd.grad(y.sum(), table)[0].dtype == kind


def test_functorch_over_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.torch import _attend

    monkeypatch.setattr(_attend, "_FEW", 0)
    q, k, v = drawn()

    def loss(q: torch.Tensor) -> torch.Tensor:
        return posenc.torch.attend(q, k, v, ALIBI, **counted()).square().sum()

    x = q.clone().requires_grad_()
    due = torch.autograd.grad(loss(x), x)[0]
    torch.testing.assert_close(torch.func.grad(loss)(q), due, atol=2e-5, rtol=1e-5)


def test_second_gradients_are_right_or_refused() -> None:
    """Even where the gradient that comes from above is a constant."""
    q, k, v = drawn()
    given = counted()

    def grad(backend: str) -> torch.Tensor:
        x = q.clone().requires_grad_()
        y = posenc.torch.attend(x, k, v, ALIBI, backend=backend, **given)
        return torch.autograd.grad(y.sum(), x, create_graph=True)[0]

    assert grad("sdpa").requires_grad
    with pytest.raises(EncodingError, match="'sdpa' where gradients are differentiated in turn"):
        grad("rows")


@pytest.mark.parametrize("spread", [1, 50])
def test_a_mask_written_to_before_the_backward_pass_is_refused(spread: int) -> None:
    q, k, v = drawn()
    at = {n: p * spread for n, p in counted().items()}
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    x = q.clone().requires_grad_()
    y = posenc.torch.attend(x, k, v, ALIBI, mask=mask, backend="rows", **at)
    mask[:, 3:] = False
    with pytest.raises(EncodingError, match="mask must be as it was until the backward pass"):
        y.sum().backward()
