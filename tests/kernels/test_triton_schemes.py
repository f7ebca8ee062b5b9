"""What users call takes the kernel by itself where there is a GPU, q and k in one launch."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError
from posenc.scheme import turned as turn_both

pytestmark = pytest.mark.triton

PLACES = torch.tensor([8, 9, 70_001, 2**31 - 1])
SPECS = {
    "whole": posenc.Rope(dim=6, layout="half"),
    "interleaved": posenc.Rope(dim=10, layout="interleaved"),
    "a part, with a factor": posenc.Rope(
        dim=6,
        head_dim=10,
        layout="half",
        at="back",
        scaling=posenc.Yarn(factor=8, trained_length=64),
    ),
    "sections": posenc.Rope(dim=12, layout="half", axes=posenc.Sections(sizes=(1, 2, 3))),
    "axes": posenc.Rope(dim=16, layout="half", axes=posenc.Axial(dims=(6, 10))),
}
WIDTHS = {"whole": 6, "interleaved": 10, "a part, with a factor": 10, "sections": 12, "axes": 16}


@pytest.fixture(autouse=True)
def launches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Filled with how many tensors each launch turned; the interpreter serves the CPU here."""
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    from posenc.kernels import _gpu

    made: list[int] = []
    launch = _gpu.launch

    def counted(tokens: Any, *rest: Any) -> None:
        made.append(len(tokens))
        launch(tokens, *rest)

    monkeypatch.setattr(_gpu, "launch", counted)
    monkeypatch.setattr(_gpu, "DEVICES", {"cpu", "cuda"})
    return made


def given(name: str, dtype: torch.dtype = torch.float32) -> tuple[Any, torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(0)
    q = torch.randn(2, 4, 4, WIDTHS[name], generator=draw, dtype=torch.float64)
    k = torch.randn(2, 2, 4, WIDTHS[name], generator=draw, dtype=torch.float64)
    return SPECS[name], q.to(dtype), k.to(dtype)


def places(spec: Any) -> torch.Tensor:
    """Where the tokens are, on as many axes as the encoding has."""
    return torch.stack([PLACES - i for i in range(spec.axes.count)], -1).squeeze(-1)


def due(spec: Any, x: torch.Tensor, side: str) -> torch.Tensor:
    """From NumPy, which no kernel of a GPU serves."""
    hook = getattr(posenc.bind(spec), side)
    return torch.from_numpy(hook(x.double().numpy(), places(spec).numpy()))


@pytest.mark.parametrize("name", SPECS)
def test_hooks_take_it(name: str, launches: list[int]) -> None:
    spec, q, k = given(name)
    scheme = posenc.bind(spec)
    for at in (places(spec), scheme.prepare(places(spec))):
        launches.clear()
        for x, side in ((q, "query"), (k, "key")):
            got = getattr(scheme, side)(x, at)
            torch.testing.assert_close(got.double(), due(spec, x, side), atol=3e-6, rtol=0)
        assert set(launches) == {1}


@pytest.mark.parametrize("name", SPECS)
def test_a_module_turns_q_and_k_in_one_launch_for_each_span(name: str, launches: list[int]) -> None:
    spec, q, k = given(name)
    module = posenc.torch.Encoding(spec)
    got = module(q, k, module.prepare(places(spec)))
    assert launches == [2] * max(1, len(spec.axes.spans or ()))
    for x, turned, side in zip((q, k), got, ("query", "key"), strict=True):
        torch.testing.assert_close(turned.double(), due(spec, x, side), atol=3e-6, rtol=0)


def test_attention_takes_one_launch(launches: list[int]) -> None:
    spec, q, k = given("whole", torch.bfloat16)
    posenc.torch.attend(q, k, k, spec, q_positions=PLACES)
    assert launches == [2]


def test_float64_is_turned_plainly(launches: list[int]) -> None:
    spec, q, _ = given("whole", torch.float64)
    scheme = posenc.bind(spec)
    got = scheme.query(q, scheme.prepare(PLACES, float64=True))
    torch.testing.assert_close(got, due(spec, q, "query"), atol=1e-12, rtol=0)
    assert launches == []


def test_together_they_are_refused_as_one_by_one(launches: list[int]) -> None:
    spec, q, k = given("whole")
    module, other = posenc.torch.Encoding(spec), posenc.torch.Encoding(SPECS["interleaved"])
    with pytest.raises(EncodingError, match="query"):
        module(q, k, other.prepare(PLACES))
    with pytest.raises(EncodingError, match="of 6 channels"):
        module(q, k[..., :4], module.prepare(PLACES))
    with pytest.raises(EncodingError, match="key"):
        module(q, k[..., :3, :], module.prepare(PLACES))
    assert launches == []


def test_q_in_float32_beside_narrow_keys(launches: list[int]) -> None:
    """The attention factor is on q, in float32 until it is."""
    spec = posenc.Rope(dim=6, layout="half", scaling=posenc.Yarn(factor=8, trained_length=64))
    _, q, k = given("whole", torch.bfloat16)
    module = posenc.torch.Encoding(spec)
    got = module(q, k, module.prepare(PLACES))
    assert launches == [2]
    factor = spec.attention_factor() ** 2
    assert (got[0].double() - factor * due(spec, q, "query")).abs().max() < 2e-2
    assert (got[1].double() - due(spec, k, "key")).abs().max() < 2e-2
    assert [x.dtype for x in got] == [torch.bfloat16] * 2


def test_keys_that_stretch_are_turned_on_their_own(launches: list[int]) -> None:
    spec, q, k = given("whole")
    module = posenc.torch.Encoding(spec)
    placed = module.prepare(PLACES)
    for other in (k[:1], k.double()):
        launches.clear()
        turned = module(q, other, placed)[1]
        torch.testing.assert_close(turned.double(), due(spec, other, "key"), atol=3e-6, rtol=0)
        assert launches[0] == 1


def test_a_hook_put_in_the_place_of_another_is_called(launches: list[int]) -> None:
    """Also one that wraps it, and so has its attributes."""
    spec, q, k = given("whole")
    scheme = posenc.bind(spec)

    @functools.wraps(scheme.key)
    def doubled(x: torch.Tensor, at: Any, **options: Any) -> torch.Tensor:
        return 2 * scheme.key(x, at, **options)

    placed = scheme.prepare(PLACES)
    replaced = scheme._replace(key=doubled)
    turned = turn_both(replaced, q, k, placed, placed)[1]
    torch.testing.assert_close(turned, 2 * scheme.key(k, placed))
    assert 2 not in launches


def test_many_gradients_at_once(launches: list[int]) -> None:
    spec, q, _ = given("a part, with a factor")
    q.requires_grad_()
    turned = posenc.bind(spec).query(q, PLACES)
    each = torch.randn(3, *turned.shape)
    (found,) = torch.autograd.grad(turned, q, each, is_grads_batched=True, retain_graph=True)
    for got, upstream in zip(found, each, strict=True):
        (one,) = torch.autograd.grad(turned, q, upstream, retain_graph=True)
        torch.testing.assert_close(got, one)


def test_positions_may_be_counted_up_before_the_gradient_comes(launches: list[int]) -> None:
    spec, q, _ = given("whole")
    at = PLACES.clone()
    q.requires_grad_()
    turned = posenc.bind(spec).query(q, at)
    at += 4
    turned.sum().backward()
    assert q.grad is not None
    again = q.detach().requires_grad_()
    posenc.bind(spec).query(again, PLACES).sum().backward()
    assert torch.equal(q.grad, again.grad)


def test_without_the_kernel_if_that_is_asked_for(
    launches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from posenc.kernels import _gpu

    monkeypatch.setattr(_gpu, "plain", lambda: True)
    monkeypatch.setattr(_gpu, "runs", _gpu.runs.__wrapped__)
    spec, q, _ = given("whole")
    posenc.bind(spec).query(q, PLACES)
    assert launches == []
