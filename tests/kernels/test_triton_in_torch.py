"""The GPU's program as PyTorch sees it: gradients, compiled graphs, and who gets the plain body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import array_api_compat.torch as xp
import numpy as np
import pytest
import torch
from torch.autograd import forward_ad
from torch.func import jvp, vmap

import posenc
import posenc.torch  # what compiled code needs, loaded before
from posenc.kernels import counted, rotate_at

pytestmark = [
    pytest.mark.triton,
]

PLACES = torch.tensor([8, 70_001, 2**31 - 1])
SPEC = posenc.Rope(dim=6, head_dim=10, layout="half", at="back", scaling=posenc.Ntk(factor=2.0))
STEPS = torch.from_numpy(SPEC.constants()["rates"])
TOLD: dict[str, Any] = {"layout": "half", "start": 4, "factor": 1.25}


@pytest.fixture(autouse=True)
def launches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What the interpreter ran, which serves the CPU here."""
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    from posenc.kernels import _gpu, _triton

    assert _triton.INTERPRETED, "loops were made before the interpreter was asked for"
    made: list[Any] = []
    launch = _gpu.launch

    def counted(*arguments: Any) -> None:
        made.append(arguments)
        launch(*arguments)

    monkeypatch.setattr(_gpu, "launch", counted)
    monkeypatch.setattr(_gpu, "DEVICES", {"cpu", "cuda"})
    return made


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``rotate_at`` as it is where there is no GPU."""
    from posenc.kernels import _gpu

    def answered(*arguments: Any, **options: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(_gpu, "DEVICES", {"cuda"})
            return rotate_at(*arguments, **options)

    return answered


def leaves(dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    drawn = torch.Generator().manual_seed(0)
    shapes = (1, 2, 3, 10), (1, 1, 3, 10)
    return [torch.randn(s, generator=drawn).to(dtype).requires_grad_() for s in shapes]


def near(got: Any, due: Any) -> None:
    torch.testing.assert_close(got, due, atol=3e-6, rtol=1e-6)


def test_gradients_are_those_of_the_plain_body(plain: Any, launches: list[Any]) -> None:
    weights = torch.randn(10, generator=torch.Generator().manual_seed(1))
    q, k = leaves()
    found = []
    for body in (rotate_at, plain):
        turned = body(q, k, PLACES, STEPS, **TOLD)
        loss = sum((t * weights).square().sum() for t in turned)
        first = torch.autograd.grad(loss, (q, k), create_graph=True)
        second = torch.autograd.grad(sum(g.square().sum() for g in first), (q, k))
        found.append([*turned, *first, *second])
    for got, due in zip(*found, strict=True):
        torch.testing.assert_close(got, due, atol=1e-4, rtol=1e-5)
    assert len(launches) > 2  # backward is a launch as well


def test_a_gradient_of_one_of_two(launches: list[Any]) -> None:
    q, k = leaves()
    turned, _ = rotate_at(q, k, PLACES, STEPS, **TOLD)
    turned.sum().backward()
    assert q.grad is not None
    assert k.grad is None or not k.grad.any()
    back, _ = rotate_at(torch.ones_like(q), None, PLACES, STEPS, **TOLD, reverse=True)
    near(q.grad, back)


def test_positions_of_inference_mode_serve_training() -> None:
    with torch.inference_mode():
        at, steps = PLACES.clone(), STEPS.clone()
    q, k = leaves()
    turned, _ = rotate_at(q, k, at, steps, **TOLD)
    turned.sum().backward()
    assert q.grad is not None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_gradients_keep_the_dtype(dtype: torch.dtype) -> None:
    q, k = leaves(dtype)
    rotate_at(q, k, PLACES, STEPS, **TOLD)[1].sum().backward()
    assert k.grad is not None
    assert k.grad.dtype == dtype


def test_the_operation_is_what_torch_expects_of_one() -> None:
    q, k = leaves()
    rows = [x.detach().movedim(-3, -2).requires_grad_() for x in (q, k)]
    at = PLACES[None, :, None]
    operation = torch.ops.posenc.turn.default
    for tokens in (rows, rows[:1]):
        torch.library.opcheck(operation, (tokens, at, STEPS, None, False, 4, 1.25, False))
    axis = torch.tensor([0, 1, 1])
    both = at.expand(1, 3, 2).contiguous()
    torch.library.opcheck(operation, (rows, both, STEPS, axis, True, 0, 1.0, True))


def test_compiled_it_is_one_operation_in_one_graph_of_any_length(launches: list[Any]) -> None:
    graphs: list[torch.fx.GraphModule] = []

    def kept(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    def step(q: torch.Tensor, k: torch.Tensor, at: torch.Tensor) -> Any:
        turned = rotate_at(q * 2, k, at, STEPS, **TOLD)
        return [t + 1 for t in turned]

    torch.compiler.reset()
    compiled = torch.compile(step, backend=kept, fullgraph=True, dynamic=True)
    q, k = (x.detach() for x in leaves())
    for n in (4, 7):  # what no other axis has, or the two would be taken for one
        given = q[:, :, :1].repeat(1, 1, n, 1), k[:, :, :1].repeat(1, 1, n, 1), torch.arange(n)
        near(compiled(*given), step(*given))
    names = [str(node.target) for graph in graphs for node in graph.graph.nodes]
    assert len(graphs) == 1
    assert sum("posenc.turn" in name for name in names) == 1
    assert len(launches) == 4


@pytest.mark.parametrize("in_place", [False, True])
def test_compiled_with_gradients_it_is_the_same(in_place: bool) -> None:
    def step(q: torch.Tensor, k: torch.Tensor) -> Any:
        return rotate_at(q * 1, k * 1, PLACES, STEPS, **TOLD, in_place=in_place)

    torch.compiler.reset()
    compiled = torch.compile(step, backend="aot_eager", fullgraph=True)
    found = []
    for body in (compiled, step):
        q, k = leaves()
        turned = body(q, k)
        sum(t.square().sum() for t in turned).backward()
        found.append([*turned, q.grad, k.grad])
    near(*found)


def not_for_it() -> dict[str, Callable[[Any], Any]]:
    q, k = (x.detach() for x in leaves())
    real = PLACES.double() + 0.25
    freqs = torch.tensor([0.5, 0.25, 0.125])

    def exported(body: Any) -> Any:
        class Layer(torch.nn.Module):
            def forward(self, q: torch.Tensor, k: torch.Tensor) -> Any:
                return body(q, k, PLACES, STEPS, **TOLD)

        program = torch.export.export(Layer(), (q, k))
        assert "posenc" not in program.graph_module.code
        return program.module()(q, k)

    def forward_mode(body: Any) -> Any:
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(q, q)
            return forward_ad.unpack_dual(body(dual, None, PLACES, STEPS, **TOLD)[0])

    return {
        "float64": lambda body: body(q.double(), k.double(), PLACES, STEPS, **TOLD),
        "one in float64": lambda body: body(q, k.double(), PLACES, STEPS, **TOLD),
        "real positions": lambda body: body(q, k, real, STEPS, **TOLD),
        "frequencies": lambda body: body(q, k, PLACES % 100, freqs, **TOLD),
        "vmap": lambda body: vmap(lambda x: body(x, None, PLACES, STEPS, **TOLD)[0])(q),
        "forward mode": forward_mode,
        "jvp": lambda body: jvp(lambda x: body(x, None, PLACES, STEPS, **TOLD)[0], (q,), (q,)),
        "export": exported,
    }


@pytest.mark.parametrize("case", list(not_for_it()))
def test_whoever_has_to_see_inside_gets_the_plain_body(
    case: str, plain: Any, launches: list[Any]
) -> None:
    torch.compiler.reset()
    found = not_for_it()[case](rotate_at)
    assert launches == []
    near(found, not_for_it()[case](plain))


def test_on_the_meta_device_there_is_nothing_to_launch(launches: list[Any]) -> None:
    q, k = (x.detach().to("meta") for x in leaves())
    turned, _ = rotate_at(q, k, PLACES.to("meta"), STEPS, **TOLD)
    assert turned.shape == q.shape
    assert launches == []


def test_what_is_counted_from_stands_in_for_tables(launches: list[Any]) -> None:
    """Also of ladders so steep that positions are stretched."""
    axes = posenc.Axial(dims=(4, 6), ladder="turns")
    spec = posenc.Rope(dim=10, layout="interleaved", axes=axes)
    at = torch.tensor([[8, 70_001], [-9, 11], [2**31 - 1, 3]])
    ready = counted(at, **spec.constants(), xp=xp)
    assert ready is not None
    q, _ = leaves()
    turned, _ = rotate_at(q, None, *ready[:2], axis=ready.axis, layout="interleaved")
    assert len(launches) == 1
    near(turned.double(), posenc.bind(spec).query(q.double(), at))


def test_where_tables_serve_better_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.kernels import _gpu

    rates = SPEC.constants()["rates"]
    assert counted(PLACES, rates, xp=xp) is not None
    assert counted(PLACES.float(), rates, xp=xp) is None
    assert counted(PLACES, rates.astype(np.float32), xp=xp) is None
    assert counted(PLACES.numpy(), rates, xp=np) is None
    seen: list[Any] = []
    torch.compiler.reset()

    def prepared(at: torch.Tensor) -> torch.Tensor:
        seen.append(counted(at, STEPS, xp=xp))
        return at + 1

    torch.compile(prepared, backend="eager")(PLACES)
    assert seen == [None]
    monkeypatch.setattr(_gpu, "DEVICES", {"cuda"})
    assert counted(PLACES, rates, xp=xp) is None
