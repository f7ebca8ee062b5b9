"""Where a compiler, a tracer or a transformation looks on, it sees operations and bakes in none."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import array_api_compat.torch as xp
import pytest
import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import posenc
from posenc import kernels

ROPE = posenc.Rope(dim=8, layout="half")
SCHEME = posenc.bind(ROPE)
RATES = ROPE.constants()["rates"]
POSITIONS = torch.arange(70_001, 70_006)


def drawn(seed: int) -> Tensor:
    return torch.randn(2, 3, 5, 8, generator=torch.Generator().manual_seed(seed))


def turned(x: Tensor, positions: Tensor, *, scheme: posenc.Scheme = SCHEME) -> Tensor:
    """As users write it."""
    placed = scheme.prepare(positions)
    y = scheme.query(x, placed)
    return y + scheme.key(y, placed)


def by_kernels(x: Tensor, positions: Tensor, rates: Any) -> Tensor:
    """The same without a look at the positions, which those who trace real numbers refuse."""
    cos, sin = kernels.angles(positions, rates, xp=xp)
    y = kernels.rotate(x, cos, sin, layout="half", xp=xp)
    return y + kernels.rotate(y, cos, sin, layout="half", xp=xp)


def due(x: Tensor, positions: Tensor) -> Tensor:
    """The same in float64, straight from the formula."""
    angle = positions.double()[:, None] * torch.from_numpy(ROPE.frequencies())
    turn = torch.polar(torch.ones_like(angle), angle)
    pairs = torch.complex(*x.double().chunk(2, -1))
    both = pairs * turn + pairs * turn * turn
    return torch.cat([both.real, both.imag], -1)


def compiled(f: Callable[..., Tensor], *given: Any) -> Callable[..., Tensor]:
    return torch.compile(f, fullgraph=True, backend="aot_eager")


def exported(f: Callable[..., Tensor], *given: Any) -> Callable[..., Tensor]:
    class Module(torch.nn.Module):
        def forward(self, x: Tensor, positions: Tensor) -> Tensor:
            return f(x, positions)

    return torch.export.export(Module(), given).module()


def strictly_exported(f: Callable[..., Tensor], *given: Any) -> Callable[..., Tensor]:
    class Module(torch.nn.Module):
        def forward(self, x: Tensor, positions: Tensor) -> Tensor:
            return f(x, positions)

    return torch.export.export(Module(), given, strict=True).module()


def traced(f: Callable[..., Tensor], *given: Any) -> Callable[..., Tensor]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.trace(lambda *given: f(*given), given)


def graph(mode: str, *, early: bool = False) -> Callable[..., Any]:
    return lambda f, *given: make_fx(f, tracing_mode=mode, pre_dispatch=early)(*given)


CAPTURES = {
    "compile": compiled,
    "export": exported,
    "export, strict": strictly_exported,
    "jit.trace": traced,
    "make_fx": graph("real"),
    "make_fx, fake": graph("fake"),
    "make_fx, symbolic": graph("symbolic"),
    "make_fx before dispatch": graph("real", early=True),
    "make_fx before dispatch, symbolic": graph("symbolic", early=True),
}


@pytest.mark.parametrize("grad", [False, True], ids=["plain", "grad"])
@pytest.mark.parametrize("how", CAPTURES)
def test_what_was_captured_turns_other_numbers_too(how: str, grad: bool) -> None:
    fake = "fake" in how or "symbolic" in how  # where constants must not be tensors
    rates = RATES if fake else torch.from_numpy(RATES)
    scheme = SCHEME if fake else posenc.bind(ROPE, xp="torch")
    ways = [partial(by_kernels, rates=rates), partial(turned, scheme=scheme)]
    for f in ways if fake or "make_fx" not in how else ways[:1]:
        f(drawn(0), POSITIONS)  # as in life, the loops have run before
        captured = CAPTURES[how](f, drawn(0).requires_grad_(grad), POSITIONS)
        with torch.no_grad():
            for seed in (0, 1, 2):
                x, at = drawn(seed), POSITIONS + 1000 * seed
                torch.testing.assert_close(captured(x, at).double(), due(x, at), atol=3e-6, rtol=0)


def test_a_prepared_step_is_not_baked_in_either() -> None:
    """The direct step is known for this very form when tracing begins."""
    placed = SCHEME.prepare(POSITIONS)
    x = drawn(0)
    for _ in range(3):
        SCHEME.query(x, placed)
    for how in ("compile", "jit.trace", "make_fx", "make_fx before dispatch"):
        captured = CAPTURES[how](lambda x: SCHEME.query(x, placed), x)
        got = captured(drawn(1))
        torch.testing.assert_close(got, SCHEME.query(drawn(1), placed), atol=1e-6, rtol=0)


def test_vmap_over_tokens_and_over_positions() -> None:
    x, at = torch.stack([drawn(i) for i in range(4)]), POSITIONS + 10 * torch.arange(4)[:, None]
    want = torch.stack([due(*each) for each in zip(x, at, strict=True)])
    got = torch.vmap(turned)(x, at)
    torch.testing.assert_close(got.double(), want, atol=3e-6, rtol=0)
    got = torch.vmap(turned, (0, None))(x, POSITIONS)
    want = torch.stack([due(each, POSITIONS) for each in x])
    torch.testing.assert_close(got.double(), want, atol=3e-6, rtol=0)


def test_forward_derivatives() -> None:
    x, tangent = drawn(0), drawn(1)
    _, along = torch.func.jvp(lambda x: turned(x, POSITIONS), (x,), (tangent,))
    torch.testing.assert_close(along.double(), due(tangent, POSITIONS), atol=3e-6, rtol=0)
    placed = SCHEME.prepare(POSITIONS)
    SCHEME.query(x, placed)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, tangent)
        for _ in range(2):
            along = torch.autograd.forward_ad.unpack_dual(SCHEME.query(dual, placed)).tangent
            want = SCHEME.query(tangent, placed)
            torch.testing.assert_close(along, want, atol=1e-6, rtol=0)


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.jacrev, torch.func.jacfwd])
def test_transformed_functions(transform: Any) -> None:
    def total(x: Tensor) -> Tensor:
        return turned(x, POSITIONS).square().sum()

    def wanted(x: Tensor) -> Tensor:
        return due(x, POSITIONS).square().sum()

    x = drawn(0)
    want = transform(wanted)(x.double())
    torch.testing.assert_close(transform(total)(x).double(), want, atol=3e-5, rtol=0)
    each = torch.vmap(transform(total))(torch.stack([x, x]))
    torch.testing.assert_close(each[1].double(), want, atol=3e-5, rtol=0)


def test_fake_tensors_stay_fake() -> None:
    with FakeTensorMode():
        out = turned(torch.empty(2, 3, 5, 8), torch.arange(5))
    assert type(out).__name__ == "FakeTensor"
    assert out.shape == (2, 3, 5, 8)
    with torch.device("meta"):
        assert turned(torch.empty(2, 3, 5, 8), torch.arange(5)).is_meta


def test_a_dispatch_mode_sees_the_operations() -> None:
    class Listening(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            seen.add(func.overloadpacket.__name__)
            return func(*args, **(kwargs or {}))

    seen: set[str] = set()
    placed = SCHEME.prepare(POSITIONS)
    x = drawn(0)
    SCHEME.query(x, placed)
    with Listening():
        SCHEME.query(x, placed)
    assert "mul" in seen


class Named(Tensor):
    pass


@pytest.mark.parametrize("kind", ["subclass", "parameter", "buffer"])
def test_subclasses_and_parameters(kind: str) -> None:
    x = drawn(0)
    given = {
        "subclass": lambda: x.as_subclass(Named),
        "parameter": lambda: torch.nn.Parameter(x),
        "buffer": lambda: torch.nn.Buffer(x),
    }[kind]()
    got = turned(given, POSITIONS)
    assert isinstance(got, Named) == (kind == "subclass")
    assert got.requires_grad == (kind == "parameter")
    torch.testing.assert_close(
        got.detach().as_subclass(Tensor).double(), due(x, POSITIONS), atol=3e-6, rtol=0
    )


@pytest.mark.parametrize("call", ["posenc.tables(rope, at)", "posenc.rotate(x, *t, layout='half')"])
@pytest.mark.parametrize("device", ["meta", "cpu"])
def test_a_default_device_is_not_where_the_given_tensors_are(
    call: str, device: str, fresh_process: Callable[..., str]
) -> None:
    """In a process of its own: a buffer on another device would have no address to write to."""
    code = f"""
import torch, posenc
rope = posenc.Rope(dim=8, layout='half')
x, at = torch.randn(2, 3, 5, 8), torch.arange(5)
t = posenc.tables(rope, at)
with torch.device({device!r}):
    out = {call}
print((out[0] if isinstance(out, tuple) else out).device)
"""
    assert fresh_process(code).split() == ["cpu"]


def test_zeros_without_memory() -> None:
    """A tensor that PyTorch makes of nothing, for gradients that are zero, has no address."""
    zeros = torch._efficientzerotensor((1, 2, 5, 8))
    cos, sin = posenc.tables(ROPE, torch.arange(5))
    assert torch.equal(posenc.rotate(zeros, cos, sin, layout="half"), torch.zeros(1, 2, 5, 8))
