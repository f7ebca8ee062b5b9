"""Exported to ONNX with any length, and run where there is no torch."""

from __future__ import annotations

from collections import Counter

import onnxruntime
import pytest
import torch
from onnx import ModelProto

import posenc
import posenc.torch
from posenc.specs import Spec
from posenc.torch import Encoding

SPECS = {
    "half": posenc.Rope(dim=10, layout="half"),
    "interleaved": posenc.Rope(dim=10, layout="interleaved", base=5e5),
    "partial": posenc.Rope(dim=6, head_dim=10, layout="interleaved"),
    "float32": posenc.Rope(dim=6, head_dim=10, layout="half"),
    "alibi": posenc.Alibi(heads=6),  # slopes that are no powers of two
    "sinusoidal": posenc.Sinusoidal(dim=10),
}


@pytest.fixture(autouse=True)
def plain_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is exported is made of operations: it is held to the same ones, not to the loops."""
    for name in ("_angles", "_direct", "_rotate"):
        monkeypatch.setattr(f"posenc.kernels.{name}.compiled", lambda: False)


def arguments(spec: Spec, first: int, count: int) -> tuple[torch.Tensor, ...]:
    at = torch.arange(first, first + count)
    if spec.kind == "rope":
        q, k = torch.randn(2, 2, 3, count, 10, generator=torch.Generator().manual_seed(count))
        return q, k, at
    return (at, torch.arange(first - 3, first + 2 * count)) if spec.kind == "alibi" else (at,)


def exported(
    module: torch.nn.Module, given: tuple[torch.Tensor, ...], **options: int
) -> ModelProto:
    n = torch.export.Dim.DYNAMIC
    shapes = tuple({0: n} if x.ndim == 1 else {2: n} for x in given)
    program = torch.onnx.export(module.eval(), given, dynamo=True, dynamic_shapes=shapes, **options)
    return program.model_proto


def run(model: ModelProto, given: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    names = [i.name for i in session.get_inputs()]
    got = session.run(None, {n: x.numpy() for n, x in zip(names, given, strict=True)})
    return [torch.tensor(x) for x in got]


def operators(model: ModelProto) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)


def check(enc: Encoding, model: ModelProto) -> None:
    for first in (8, 70_001):
        for count in (1, 5, 9):
            given = arguments(enc.spec, first, count)
            due = enc(*given)
            due = due if isinstance(due, tuple) else (due,)
            for a, b in zip(run(model, given), due, strict=True):
                # Two libraries' float32 sums: a last bit of tokens of up to 4.
                torch.testing.assert_close(a, b, atol=5e-7, rtol=2.5e-7)


@pytest.mark.parametrize("name", SPECS)
def test_onnxruntime_gives_what_torch_gives(name: str) -> None:
    arithmetic = "float32" if name == "float32" else "exact"
    enc = Encoding(SPECS[name], arithmetic=arithmetic)
    check(enc, exported(enc, arguments(enc.spec, 0, 5)))


ROTARY = [name for name, spec in SPECS.items() if spec.kind == "rope"]


@pytest.mark.parametrize("name", ROTARY)
def test_the_operator_turns_as_the_arithmetic_does(name: str) -> None:
    enc = Encoding(SPECS[name])
    given = arguments(enc.spec, 0, 5)
    with posenc.torch.onnx_operators():
        model = exported(enc, given, opset_version=23)
    assert operators(model)["RotaryEmbedding"] == 2
    check(enc, model)
    assert not operators(exported(enc, given, opset_version=23))["RotaryEmbedding"]


class Turned(torch.nn.Module):
    """Queries alone, in any dtype and with heads on either side."""

    def __init__(self, dim: int, dtype: torch.dtype, head_axis: int = -3) -> None:
        super().__init__()
        self.enc = Encoding(posenc.Rope(dim=dim, layout="half"))
        self.dtype, self.head_axis = dtype, head_axis

    def forward(self, q: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        q = q.to(self.dtype).swapaxes(-3, self.head_axis)
        return self.enc(q, q, at, head_axis=self.head_axis)[0].float()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("dim", [6, 10, 64, 96])
def test_every_width_and_dtype(dim: int, dtype: torch.dtype) -> None:
    given = torch.randn(2, 3, 5, dim), torch.arange(70_001, 70_006)
    module = Turned(dim, dtype)
    (got,) = run(exported(module, given), given)
    # The same float32 sums, rounded once: a last bit of the dtype may fall the other way.
    bound = 8 * torch.finfo(dtype).eps
    torch.testing.assert_close(got, module(*given), atol=bound, rtol=bound)


@pytest.mark.parametrize(
    ("dtype", "head_axis", "count"),
    [(torch.float16, -3, 1), (torch.float64, -3, 0), (torch.float32, -2, 0)],
)
def test_the_operator_where_it_fits(dtype: torch.dtype, head_axis: int, count: int) -> None:
    given = torch.randn(2, 3, 5, 10), torch.arange(70_001, 70_006)
    module = Turned(10, dtype, head_axis)
    with posenc.torch.onnx_operators():
        model = exported(module, given, opset_version=23)
    assert operators(model)["RotaryEmbedding"] == count
    bound = 8 * max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    torch.testing.assert_close(run(model, given)[0], module(*given), atol=bound, rtol=bound)
