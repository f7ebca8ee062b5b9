"""How often torch compiles a rotation anew while texts of many lengths come by."""

from __future__ import annotations

from typing import Any

from posenc.bench._case import Size
from posenc.bench.works import Call
from posenc.bench.works._rotation_peers import rotated

_LENGTHS = (2, 3, 16, 33, 70, 128)


def _graphs(function: Any, size: Size, inputs: Any) -> Call:
    import torch
    from torch._dynamo import testing

    counted: Any = testing.CompileCounter

    def run() -> float:
        torch._dynamo.reset()
        counter = counted()
        fused: Any = torch.compile(function, backend=counter)
        for length in (*_LENGTHS, *([1] if size.token else [])):
            fused(*inputs(length))
        return float(counter.frame_count)

    return Call(run, None, told=True)


def compiled(size: Size) -> Call:
    """A module of ours over q and k."""
    import torch

    import posenc.torch

    encoding = posenc.torch.Encoding(posenc.Rope(dim=16, layout="half"))

    def inputs(length: int) -> Any:
        return torch.ones(1, 4, length, 16), torch.ones(1, 2, length, 16), torch.arange(length)

    return _graphs(encoding, size, inputs)


def torch_compile(size: Size) -> Call:
    """The usual formula, tables given."""
    import torch

    def inputs(length: int) -> Any:
        tables = torch.ones(2, 1, length, 16)
        return torch.ones(1, 4, length, 16), torch.ones(1, 2, length, 16), *tables

    return _graphs(rotated, size, inputs)


SIDES = {"ours/compiled": compiled, "torch-compile": torch_compile}
