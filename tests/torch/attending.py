"""What is attended, where, and who sees whom, in the tests of attending."""

from __future__ import annotations

import pytest
import torch

import posenc

ROPE = posenc.Rope(dim=10, layout="half")
ALIBI = posenc.Alibi(heads=4)
T5 = posenc.T5Bias(heads=4, bidirectional=True)
SPECS = {"rope": ROPE, "alibi": ALIBI, "t5": T5, "both": posenc.Stack(ROPE, T5)}
QUERIES, KEYS = 70, 90  # more than one block of rows, and queries shorter than keys
WAYS = [
    "sdpa",
    "rows",
    pytest.param("flex", marks=pytest.mark.slow),  # generates code, which takes a C++ compiler
]
FIRST = 70_001
CLOSE = {"atol": 3e-6, "rtol": 1e-5}


def drawn(dtype: torch.dtype = torch.float32, k_heads: int = 2, grad: bool = False):
    make = torch.Generator().manual_seed(0)
    sizes = ((2, 4, QUERIES, 10), (2, k_heads, KEYS, 10), (2, k_heads, KEYS, 6))
    made = [torch.randn(*size, generator=make).to(dtype) for size in sizes]
    return [x.requires_grad_(grad) for x in made]


def arrays(spec: posenc.specs.Spec) -> dict[str, torch.Tensor] | None:
    make = torch.Generator().manual_seed(1)
    return {n: torch.randn(*s, generator=make) for n, s in spec.learned().items()} or None


def last(k: torch.Tensor) -> dict[str, torch.Tensor]:
    """The queries are the last of the keys."""
    return {"q_positions": k[..., -QUERIES:], "k_positions": k}


def counted() -> dict[str, torch.Tensor]:
    return last(torch.arange(FIRST, FIRST + KEYS))


def by_row() -> dict[str, torch.Tensor]:
    k = torch.arange(FIRST, FIRST + KEYS)
    return last(torch.stack([k, 2 * k - FIRST]))


def in_documents() -> dict[str, torch.Tensor]:
    return last(torch.cat([torch.arange(60), torch.arange(KEYS - 60)]))


def scattered() -> dict[str, torch.Tensor]:
    return last(torch.arange(KEYS) ** 3)


PLACES = {f.__name__: f for f in (counted, by_row, in_documents)}


def sight() -> dict[str, dict]:
    mask = torch.rand(2, 1, QUERIES, KEYS, generator=torch.Generator().manual_seed(2)) > 0.3
    mask[0, 0, 5] = False  # a query that sees nothing
    return {
        "all": {},
        "causal": {"causal": True},
        "window": {"window": 7},
        "causal window": {"causal": True, "window": 40},
        "mask": {"mask": mask},
        "keys": {"mask": mask[:1, :, :1], "causal": True},
    }
