"""Attention compiled with every size held open: no spec looks at a size in a way that fixes it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

import posenc
import posenc.torch
from posenc.specs import Spec
from posenc.testing import cells
from posenc.testing.laws import case

ACTING = ("query", "bias", "adjust", "logit_scale")


def one_of_each() -> Iterator[tuple[str, Spec]]:
    """An entry of every class that acts in attention, and of every way to read coordinates."""
    seen = set()
    for entry in posenc.encodings(plugins=False).values():
        spec = entry.make(dim=12, heads=3, length=1024)
        sort = entry.cls, getattr(spec, "axes", None) and spec.axes.kind, getattr(spec, "form", "")
        hooks = case(spec).hooks
        if sort not in seen and any(getattr(hooks, hook) for hook in ACTING):
            seen.add(sort)
            yield entry.name, spec


SPECS = dict(one_of_each())


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_one_graph_for_open_sizes(spec: Spec) -> None:
    enc = posenc.torch.Encoding(spec, length=64 if spec.needs_length else None)
    made = case(spec, xp="torch")

    def attend(q: torch.Tensor, k: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        return posenc.torch.attend(q, k, k, enc, q_positions=at, k_positions=at, causal=True)

    torch._dynamo.reset()
    compiled = torch.compile(attend, fullgraph=True, dynamic=True, backend="eager")
    for count in (5, 11):
        q, k = (torch.randn(2, made.heads, count, made.width) for _ in range(2))
        at = torch.from_numpy(cells(made.hooks, range(count)))
        torch.testing.assert_close(compiled(q, k, at), attend(q, k, at), atol=1e-5, rtol=1e-5)
