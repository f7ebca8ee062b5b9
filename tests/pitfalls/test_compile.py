"""Compiled, captured and exported code."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
from posenc.errors import EncodingError
from posenc.torch import Encoding


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_answers_share_no_memory_with_what_is_kept(layout: str) -> None:
    """B186: a table that was a view of the last answer, when that was written over."""
    enc, at = Encoding(posenc.Rope(dim=10, layout=layout)), torch.arange(8, 13)
    x = torch.ones(2, 3, 5, 10)
    placed = enc.prepare(at)
    first, second = enc(x, x, placed), enc(x, x, placed)
    due = first[0].clone()
    kept = (*enc._derived.arrays().values(), *placed.q, *placed.k, x)
    held = {t.untyped_storage().data_ptr() for t in kept}
    answers = {t.untyped_storage().data_ptr() for t in (*first, *second)}
    assert len(answers) == 4
    assert not held & answers
    for t in first:
        t.fill_(-1)
    torch.testing.assert_close(enc(x, x, placed)[0], due, atol=0, rtol=0)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_the_exported_graph_repeats_nothing(layout: str) -> None:
    """B187, B188: pairs are joined by stacking, and lengths may vary as positions are an input."""
    enc, auto = Encoding(posenc.Rope(dim=10, layout=layout)), torch.export.Dim.AUTO
    x, at = torch.randn(2, 3, 5, 10), torch.arange(8, 13)
    shapes = ({2: auto}, {2: auto}, {0: auto})
    program = torch.export.export(enc, (x, x, at), dynamic_shapes=shapes)
    names = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    assert any("aten.cos" in name for name in names)
    assert not [name for name in names if "repeat" in name]
    x, at = torch.randn(2, 3, 9, 10), torch.arange(70_001, 70_010)
    torch.testing.assert_close(program.module()(x, x, at), enc(x, x, at), atol=1e-6, rtol=1e-6)


def test_rows_of_a_table_need_not_be_as_many_as_tokens() -> None:
    """B189: five tokens from a table of sixteen; one position stands for one token."""
    spec = posenc.Rope(dim=10, layout="half")
    x, at = np.ones((2, 5, 10)), np.array([8, 9, 10, 15, 11])
    cos, sin = posenc.tables(spec, np.arange(16), float64=True)
    got = posenc.rotate(x, cos[at], sin[at], layout="half")
    np.testing.assert_allclose(got, posenc.bind(spec).query(x, at), atol=1e-12)
    with pytest.raises(EncodingError, match=r"broadcast with \(2, 5, 10\); got \(16, 5\)"):
        posenc.rotate(x, cos, sin, layout="half")
    with pytest.raises(EncodingError, match=r"must be of shape \(5,\).*; got \(1,\)"):
        posenc.bind(spec).query(x, np.array([8]))
