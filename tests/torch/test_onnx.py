"""Exported to ONNX with any length, and run where there is no torch."""

from __future__ import annotations

import onnxruntime
import pytest
import torch

import posenc
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

# torch's exporter copies graph specs by a check that torch itself deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:`isinstance.treespec, LeafSpec.`:FutureWarning")


def arguments(spec: Spec, first: int, count: int) -> tuple[torch.Tensor, ...]:
    at = torch.arange(first, first + count)
    if spec.kind == "rope":
        q, k = torch.randn(2, 2, 3, count, 10, generator=torch.Generator().manual_seed(count))
        return q, k, at
    return (at, torch.arange(first - 3, first + 2 * count)) if spec.kind == "alibi" else (at,)


def exported(enc: Encoding) -> onnxruntime.InferenceSession:
    n = torch.export.Dim.DYNAMIC
    given = arguments(enc.spec, 0, 5)
    shapes = tuple({0: n} if x.ndim == 1 else {2: n} for x in given)
    program = torch.onnx.export(enc.eval(), given, dynamo=True, dynamic_shapes=shapes)
    return onnxruntime.InferenceSession(program.model_proto.SerializeToString())


@pytest.mark.parametrize("name", SPECS)
def test_onnxruntime_gives_what_torch_gives(name: str) -> None:
    arithmetic = "float32" if name == "float32" else "exact"
    enc = Encoding(SPECS[name], arithmetic=arithmetic)
    session = exported(enc)
    names = [i.name for i in session.get_inputs()]
    for first in (8, 70_001):
        for count in (1, 5, 9):
            given = arguments(enc.spec, first, count)
            due = enc(*given)
            due = due if isinstance(due, tuple) else (due,)
            got = session.run(None, {n: x.numpy() for n, x in zip(names, given, strict=True)})
            for a, b in zip(got, due, strict=True):
                # Two libraries' float32 sums: a last bit of tokens of up to 4.
                torch.testing.assert_close(torch.tensor(a), b, atol=5e-7, rtol=2.5e-7)
