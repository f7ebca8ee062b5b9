"""Learned curves of the distance, and biases of windows, through every way of attending."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

import posenc
import posenc.torch
from posenc.specs import Spec

HEADS, QUERIES, KEYS = 4, 70, 90
CURVES: dict[str, Spec] = {
    "kerple-log": posenc.Kerple(heads=HEADS),
    "kerple-power": posenc.Kerple(heads=HEADS, form="power"),
    "sandwich": posenc.Sandwich(heads=HEADS, dim=10),
    "dynamic": posenc.DynamicBias(heads=HEADS, dim=5, log_distance=True),
}
OTHERS: dict[str, Spec] = {
    "fire": posenc.Fire(heads=HEADS, hidden=6, threshold=40.0),
    "swin": posenc.SwinBias(heads=HEADS, window=(9, 10)),
    "beit": posenc.SwinBias(heads=HEADS, window=(9, 10), class_token=True),
    "swin-v2": posenc.SwinV2Bias(heads=HEADS, window=(9, 10), hidden=6),
    "page": posenc.T5Bias(heads=HEADS, bidirectional=True, coordinates=2, axis=1),
}


def tokens(*sizes: int) -> Tensor:
    make = torch.Generator().manual_seed(len(sizes))
    return torch.randn(2, *sizes, generator=make).requires_grad_()


def places(spec: Spec) -> tuple[Tensor, Tensor]:
    if posenc.bind(spec).coordinates == 2:
        at = posenc.positions.grid(h=9, w=10, order="hw", xp="torch")
        return at[-QUERIES:], at
    at = torch.arange(8, 8 + KEYS)
    return at[-QUERIES:], at


def drawn(spec: Spec) -> dict[str, Tensor]:
    learned = posenc.torch.Encoding(spec).learned.arrays()
    make = torch.Generator().manual_seed(1)
    return {
        n: (a.detach() + 0.1 * torch.rand(a.shape, generator=make)).requires_grad_()
        for n, a in learned.items()
    }


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("way", ["sdpa", "rows"])
@pytest.mark.parametrize("name", [*CURVES, *OTHERS])
def test_answers_and_gradients_are_those_of_the_reference(
    name: str, way: str, causal: bool
) -> None:
    spec = (CURVES | OTHERS)[name]
    q, k, v = tokens(HEADS, QUERIES, 10), tokens(2, KEYS, 10), tokens(2, KEYS, 6)
    at, arrays = places(spec), drawn(spec)
    found = []
    for backend in ("reference", way):
        y = posenc.torch.attend(
            q,
            k,
            v,
            spec,
            q_positions=at[0],
            k_positions=at[1],
            causal=causal,
            arrays=arrays or None,
            backend=backend,
        )
        leaves = [q, k, v, *arrays.values()]
        found.append((y, *torch.autograd.grad(y.square().sum(), leaves, allow_unused=True)))
    for got, due in zip(found[1], found[0], strict=True):
        assert due is None or due.abs().max() > 0 or name == "swin-v2"
        torch.testing.assert_close(got, due, atol=5e-5, rtol=1e-4)


class Largest(TorchDispatchMode):
    """The most numbers that any operation made at once."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for made in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(made, Tensor):
                self.numbers = max(self.numbers, made.numel())
        return out


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_of_the_distance_is_never_a_matrix(name: str) -> None:
    """There are 2 n - 1 distances, forward and backward, where heads times n times n pairs are."""
    spec, n = CURVES[name], 600
    q, at, arrays = tokens(HEADS, n, 2), torch.arange(70_001, 70_001 + n), drawn(spec)
    made = {}
    for way in ("rows", "reference"):
        with Largest() as largest:
            y = posenc.torch.attend(
                q, q, q, spec, q_positions=at, causal=True, arrays=arrays or None, backend=way
            )
            y.sum().backward()
        made[way] = largest.numbers
    assert made["reference"] >= HEADS * n * n
    assert made["rows"] <= 2 * HEADS * n * n / 4
