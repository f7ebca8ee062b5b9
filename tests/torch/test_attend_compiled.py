"""Attending compiled, exported, and where there are no numbers to look at."""

from __future__ import annotations

import pytest
import torch

import posenc
import posenc.torch

from .attending import ALIBI, CLOSE, FIRST, ROPE, SPECS, counted, drawn


@pytest.mark.parametrize("name", SPECS)
def test_it_compiles_as_one_graph(name: str) -> None:
    q, k, v = drawn()
    at, enc = counted().values(), posenc.torch.Encoding(SPECS[name])

    def attended(q, k, v, q_at, k_at):
        given = {"q_positions": q_at, "k_positions": k_at, "causal": True}
        return posenc.torch.attend(q, k, v, enc, **given)

    compiled = torch.compile(attended, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(q, k, v, *at), attended(q, k, v, *at), **CLOSE)


def test_compiled_with_a_batch_of_several_shapes() -> None:
    enc = posenc.torch.Encoding(ROPE)

    def attended(q, at):
        return posenc.torch.attend(q, q, q, enc, q_positions=at, causal=True)

    compiled = torch.compile(attended, fullgraph=True, backend="aot_eager")
    for batch, n in ((2, 6), (2, 4), (3, 9)):
        q, at = torch.randn(batch, 4, n, 10), torch.arange(FIRST, FIRST + n)
        torch.testing.assert_close(compiled(q, at), attended(q, at), **CLOSE)


def test_compiled_with_sizes_held_open() -> None:
    torch._dynamo.reset()
    enc, none = posenc.torch.Encoding(ROPE), posenc.torch.Encoding(posenc.NoPE())
    attended = torch.compile(
        lambda q, k, at: posenc.torch.attend(*enc(q, k, at), k, none, causal=True),
        fullgraph=True,
        dynamic=True,
        backend="eager",
    )
    for n, heads in ((5, 4), (9, 2), (12, 1)):
        q, k, at = torch.randn(2, 4, n, 10), torch.randn(2, heads, n, 10), torch.arange(n)
        due = posenc.attend(*enc(q, k, at), k, posenc.NoPE(), causal=True)
        torch.testing.assert_close(attended(q, k, at), due, atol=2e-6, rtol=1e-5)


def test_exported_with_lengths_of_their_own() -> None:
    enc, auto = posenc.torch.Encoding(ROPE), torch.export.Dim.AUTO

    class Layer(torch.nn.Module):
        def forward(self, q, k, q_at, k_at):  # type: ignore[no-untyped-def]
            places = {"q_positions": q_at, "k_positions": k_at}
            return posenc.torch.attend(q, k, k, enc, causal=True, **places)

    def given(n: int, m: int) -> tuple[torch.Tensor, ...]:
        return torch.randn(1, 4, n, 10), torch.randn(1, 4, m, 10), torch.arange(n), torch.arange(m)

    shapes = ({2: auto}, {2: auto}, {0: auto}, {0: auto})
    program = torch.export.export(Layer(), given(5, 7), dynamic_shapes=shapes).module()
    for sizes in ((5, 7), (6, 6), (3, 9)):
        inputs = given(*sizes)
        torch.testing.assert_close(program(*inputs), Layer()(*inputs), atol=2e-6, rtol=1e-5)


def test_long_text_where_nothing_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.torch import _attend

    monkeypatch.setattr(_attend, "_FEW", 0)
    q, k, v = (x.to("meta") for x in drawn())
    given = {n: p.to("meta") for n, p in counted().items()}
    enc = posenc.torch.Encoding(ALIBI, device="meta")
    assert posenc.torch.attend(q, k, v, enc, **given).is_meta
