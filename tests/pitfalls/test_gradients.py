"""Gradients reach the projections, in every step."""

from __future__ import annotations

import pytest
import torch

import posenc
import posenc.torch
from posenc.torch import Encoding

SPECS = [
    posenc.Rope(dim=6, layout="half"),
    posenc.Rope(dim=4, head_dim=6, layout="interleaved"),
    posenc.T5Bias(heads=2, bidirectional=True),
]
specs = pytest.mark.parametrize("spec", SPECS, ids=["rope", "part", "t5"])


@specs
@pytest.mark.parametrize("prepared", [False, True])
def test_backward_goes_twice(spec: posenc.specs.Spec, prepared: bool) -> None:
    """B173: what was kept of the first step held a graph that was gone in the second."""
    enc, at = Encoding(spec), torch.arange(8, 13)
    project = torch.nn.Linear(6, 6)
    x = torch.randn(2, 5, 6, generator=torch.Generator().manual_seed(0))
    where = enc.prepare(at) if prepared else at
    grads = []
    for _ in range(2):
        project.zero_grad()
        q = project(x)
        posenc.torch.attend(q, q, q, enc, q_positions=where).square().sum().backward()
        grads.append(project.weight.grad.clone())
    assert grads[0].abs().max() > 0
    torch.testing.assert_close(*grads, atol=0, rtol=0)


@specs
@pytest.mark.parametrize("compiled", [False, True])
def test_projections_of_queries_and_keys_learn(spec: posenc.specs.Spec, compiled: bool) -> None:
    """B177: without gradients round the turning, ``wq.grad`` was None."""
    torch.manual_seed(0)
    enc, at = Encoding(spec), torch.arange(8, 13)
    wq, wk, wv = (torch.nn.Linear(6, 6, bias=False) for _ in range(3))
    x = torch.randn(2, 5, 6)

    def loss(x: torch.Tensor) -> torch.Tensor:
        return posenc.torch.attend(wq(x), wk(x), wv(x), enc, q_positions=at).square().sum()

    (torch.compile(loss, fullgraph=True, backend="aot_eager") if compiled else loss)(x).backward()
    step = 1e-2
    for w in (wq, wk, wv):
        grad = w.weight.grad
        assert grad is not None
        with torch.no_grad():
            w.weight += step * grad / grad.norm()
            above = loss(x)
            w.weight -= 2 * step * grad / grad.norm()
            slope = (above - loss(x)) / (2 * step)
            w.weight += step * grad / grad.norm()
        torch.testing.assert_close(slope, grad.norm(), atol=1e-2, rtol=2e-2)
