"""Gradients through the compiled rotation: first and second, batched, and refused when stale."""

from __future__ import annotations

from typing import Any

import array_api_compat.torch as xp
import pytest
import torch
from torch import Tensor

import posenc
from posenc import kernels
from posenc.functional import _rotary

COS, SIN = posenc.tables(posenc.Rope(dim=6, layout="half"), torch.arange(70_001, 70_006))


def drawn(seed: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def turned(x: Tensor, layout: Any = "half", start: int = 1) -> Tensor:
    return kernels.rotate(x, COS, SIN, layout=layout, xp=xp, start=start)


@pytest.mark.parametrize("start", [0, 1, 2])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_first_and_second_gradients(layout: Any, start: int, bodies: list[str]) -> None:
    def rotated(x: Tensor) -> Tensor:
        return turned(x, layout, start)

    def squared(x: Tensor) -> Tensor:
        return rotated(x) ** 2

    x = drawn(0).requires_grad_()
    assert torch.autograd.gradcheck(rotated, (x,))
    assert torch.autograd.gradgradcheck(squared, (x,))
    assert bodies[0] == "loop"


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_the_gradient_is_that_of_the_plain_body(
    dtype: str, bodies: list[str], check_turned: Any
) -> None:
    x, upstream = drawn(0, getattr(torch, dtype)), drawn(1, getattr(torch, dtype))
    x.requires_grad_()
    turned(x).backward(upstream)
    assert bodies == ["loop", "loop"]
    check_turned(x.grad, upstream, COS, -SIN, layout="half", start=1)


@pytest.mark.parametrize("how", ["one for all", "strided", "none"])
def test_upstream_gradients_of_any_memory(how: str) -> None:
    leaf = drawn(0).requires_grad_()
    due = drawn(0).requires_grad_()
    plain = _rotary.rotate(due, COS, SIN, layout="half", xp=xp, start=1)
    for y in (turned(leaf), plain):
        if how == "one for all":
            y.sum().backward()
        elif how == "strided":
            (y.transpose(0, 1)[..., ::2] * torch.arange(4)).sum().backward()
        else:
            y.new_zeros(()).requires_grad_().backward()
    if how == "none":
        assert leaf.grad is None
    else:
        torch.testing.assert_close(leaf.grad, due.grad, atol=1e-12, rtol=0)


def test_batched_gradients() -> None:
    x = drawn(0).requires_grad_()
    assert torch.autograd.gradcheck(turned, (x,), check_batched_grad=True, check_forward_ad=True)


def test_a_jacobian_at_once() -> None:
    x = drawn(0)
    once = torch.autograd.functional.jacobian(turned, x, vectorize=True)
    each = torch.autograd.functional.jacobian(turned, x)
    torch.testing.assert_close(once, each, atol=1e-12, rtol=0)


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning")  # both torch's
@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
def test_a_compiled_backward_pass() -> None:
    """The graph of gradients is compiled on its own, and has to be of operations."""
    x = drawn(0).requires_grad_()
    due = torch.autograd.grad(turned(x).square().sum(), x)
    compiler = torch.compile(backend="aot_eager", fullgraph=True)
    loss = turned(x).square().sum()
    with torch._dynamo.compiled_autograd._enable(compiler):
        loss.backward()
    torch.testing.assert_close(x.grad, due[0], atol=1e-12, rtol=0)


def test_hessian_vector_products() -> None:
    def total(x: Tensor) -> Tensor:
        return turned(x).pow(3).sum()

    def wanted(x: Tensor) -> Tensor:
        return _rotary.rotate(x, COS, SIN, layout="half", xp=xp, start=1).pow(3).sum()

    x, v = drawn(0), drawn(1)
    for product in (torch.autograd.functional.hvp, torch.autograd.functional.vhp):
        torch.testing.assert_close(product(total, x, v)[1], product(wanted, x, v)[1])


def test_tables_that_want_gradients_get_them(bodies: list[str]) -> None:
    cos = COS.clone().requires_grad_()
    kernels.rotate(drawn(0), cos, SIN, layout="half", xp=xp, start=1).sum().backward()
    assert set(bodies) == {"plain"}
    a, b = drawn(0)[..., 1:7].chunk(2, -1)
    torch.testing.assert_close(cos.grad, (a + b).sum(0).float(), atol=1e-6, rtol=0)


@pytest.mark.parametrize("what", ["x", "out"])
def test_what_was_saved_and_then_overwritten_is_missed(what: str, bodies: list[str]) -> None:
    """A product needs its factor for the gradient; the loop wrote over it unseen."""
    weight = torch.ones(8, dtype=torch.float64, requires_grad=True)
    buffer, other = drawn(0), drawn(1)
    product = (buffer * weight).sum()
    with torch.no_grad():
        source = buffer if what == "x" else other
        kernels.rotate(source, COS, SIN, layout="half", xp=xp, start=1, out=buffer)
    assert bodies == ["loop"]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_tables_overwritten_before_the_gradient_are_missed() -> None:
    cos, x = COS.clone(), drawn(0).requires_grad_()
    y = kernels.rotate(x, cos, SIN, layout="half", xp=xp, start=1)
    cos.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_result_may_be_changed_in_place() -> None:
    for size in (1, 1 << 16):  # the larger one has memory of another kind
        x = torch.randn(size, 5, 8, requires_grad=True)
        weight = torch.ones((), requires_grad=True)
        turned(x).mul_(weight).sum().backward()
        assert torch.isfinite(x.grad).all()
        y = turned(x.detach())
        y.mul_(weight).sum().backward()
        leaf = turned(x.detach()).requires_grad_()
        leaf.square().sum().backward()
        torch.testing.assert_close(leaf.grad, 2 * leaf.detach())


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients(mode: Any, bodies: list[str]) -> None:
    x = drawn(0).requires_grad_()
    with mode():
        y = turned(x)
        own = x.clone()
        into = kernels.rotate(own, COS, SIN, layout="half", xp=xp, start=1, out=own)
    assert bodies == ["loop", "loop"]
    assert not y.requires_grad
    assert torch.equal(y, into)


def test_checkpoints_and_saved_tensors_kept_elsewhere() -> None:
    due = drawn(0).requires_grad_()
    turned(due).square().sum().backward()
    x = drawn(0).requires_grad_()
    torch.utils.checkpoint.checkpoint(turned, x, use_reentrant=False).square().sum().backward()
    assert torch.equal(x.grad, due.grad)
    x.grad = None
    with torch.autograd.graph.save_on_cpu():
        turned(x).square().sum().backward()
    assert torch.equal(x.grad, due.grad)
