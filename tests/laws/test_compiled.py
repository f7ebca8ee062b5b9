"""Schemes inside torch.compile: several through one code, and code that is really generated."""

from typing import Any

import pytest
import torch

import posenc
from posenc.specs import Spec

SPECS: dict[str, Spec] = {
    "learned": posenc.Learned(rows=100, dim=6),
    "sinusoidal": posenc.Sinusoidal(dim=10),
    "rope": posenc.Rope(dim=6, head_dim=10, layout="interleaved"),
    "alibi": posenc.Alibi(heads=6),
    "t5": posenc.T5Bias(heads=6, bidirectional=True),
}


def answers(scheme: posenc.Scheme, x: Any, at: Any) -> list[Any]:
    """What the filled hooks give."""
    found = [scheme.embed(at)] if scheme.embed else []
    found += [scheme.query(x, at)] if scheme.query else []
    return found + ([scheme.bias(at)] if scheme.bias else [])


@pytest.fixture(autouse=True)
def fresh() -> None:
    torch.compiler.reset()


def test_tables_of_several_sizes_pass_through_one_code() -> None:
    """From the second on, sizes are traced as symbols."""
    at = torch.arange(8, 13)

    def embed(scheme: posenc.Scheme, at: torch.Tensor) -> torch.Tensor:
        return scheme.embed(at)

    compiled = torch.compile(embed, fullgraph=True, backend="aot_eager")
    for rows in (100, 80, 60):
        scheme = posenc.bind(posenc.Learned(rows=rows, dim=6), xp="torch")
        torch.testing.assert_close(compiled(scheme, at), scheme.embed(at), rtol=0, atol=0)


def test_buckets_of_several_sizes_pass_through_one_code() -> None:
    at = torch.arange(8, 80)

    def bias(scheme: posenc.Scheme, at: torch.Tensor) -> torch.Tensor:
        return scheme.bias(at, at)

    compiled = torch.compile(bias, fullgraph=True, backend="aot_eager")
    for distance in (128, 64, 32):
        spec = posenc.T5Bias(heads=3, bidirectional=False, max_distance=distance)
        scheme = posenc.bind(spec, xp="torch")
        torch.testing.assert_close(compiled(scheme, at), scheme.bias(at), rtol=0, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_generated_code_answers_as_eager_does(name: str) -> None:
    scheme = posenc.bind(SPECS[name], xp="torch")
    x, at = torch.randn(2, 3, 5, 10), torch.tensor([8, 9, 13, 70, 99])
    compiled = torch.compile(lambda x, at: answers(scheme, x, at), fullgraph=True)(x, at)
    for got, due in zip(compiled, answers(scheme, x, at), strict=True):
        torch.testing.assert_close(got, due, rtol=1e-6, atol=1e-6)
