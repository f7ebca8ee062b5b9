"""The step that checks its first call only: the same answers as the checked one, whatever comes."""

from __future__ import annotations

import functools
import gc
import itertools
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import posenc
from posenc import kernels
from posenc._owner import mark_of, owned
from posenc.functional import _rotary

ROPES = {
    "half": posenc.Rope(dim=8, layout="half"),
    "interleaved": posenc.Rope(dim=8, layout="interleaved"),
    "part at the front": posenc.Rope(dim=4, head_dim=8, layout="half"),
    "part at the back": posenc.Rope(dim=4, head_dim=8, at="back", layout="interleaved"),
    "part with a factor": posenc.Rope(
        dim=4, head_dim=8, layout="half", scaling=posenc.Yarn(factor=4.0, trained_length=64)
    ),
    "two coordinates": posenc.Rope(dim=8, layout="half", axes=posenc.Axial(dims=(4, 4))),
}


def tokens(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> Tensor:
    drawn = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return drawn.to(dtype)


def checked(spec: Any, x: Tensor, positions: Tensor, head_axis: int | None = -3) -> Tensor:
    """By a scheme of its own, which has no call to remember."""
    scheme = posenc.bind(spec)
    return scheme.query(x, scheme.prepare(positions), head_axis=head_axis)


@pytest.fixture
def direct(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Filled with the sizes of the tokens that took the short way."""
    from posenc.specs import _rope

    taken: list[int] = []
    step = kernels.direct

    def watched(*given: Any, **options: Any) -> Any:
        turned = step(*given, **options)

        def counted(x: Tensor) -> Any:
            out = turned(x)
            taken.extend([] if out is None else [x.numel()])
            return out

        return counted if turned is not None else None

    monkeypatch.setattr(_rope, "direct", watched)
    return taken


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ROPES)
def test_many_layers_of_one_step(name: str, dtype: str, direct: list[int]) -> None:
    spec, kind = ROPES[name], getattr(torch, dtype)
    at = torch.tensor([70_001] if name != "two coordinates" else [[70_001, 9]])
    scheme = posenc.bind(spec)
    placed = scheme.prepare(at)
    outs, inputs = [], []
    for layer in range(4):
        x = tokens(2, 3, 1, 8, dtype=kind, seed=layer)
        inputs.append(x)
        outs.append(scheme.query(x, placed))
    if name != "two coordinates":
        assert len(direct) == (0 if dtype == "float64" else 3)  # tables of its dtype alone are kept
    for x, out in zip(inputs, outs, strict=True):
        assert out.dtype is kind
        assert torch.equal(out, checked(spec, x, at))
    places = [t.untyped_storage().data_ptr() for t in (*inputs, *outs, *placed.q)]
    assert len(set(places)) == len(places)


def test_whatever_changes_between_two_calls(direct: list[int]) -> None:
    """Every pair of forms in a row, through one scheme."""
    spec = ROPES["part at the back"]
    scheme = posenc.bind(spec)
    one, other, five = torch.tensor([70_001]), torch.tensor([3]), torch.arange(9, 14)
    rows = torch.tensor([[8], [70_001]])
    at = {k: (p, scheme.prepare(p)) for k, p in enumerate((one, other, five, rows))}
    forms = [
        (0, -3, tokens(2, 3, 1, 8)),
        (0, -3, tokens(2, 3, 1, 8, seed=1)),
        (0, -3, tokens(2, 1, 3, 8).transpose(1, 2)),
        (0, -3, tokens(2, 3, 1, 8, dtype=torch.bfloat16)),
        (0, -3, tokens(2, 3, 1, 8, dtype=torch.float16)),
        (0, -3, tokens(1, 3, 1, 8)),
        (0, -3, tokens(3, 1, 8)),
        (0, -3, tokens(2, 3, 1, 8).requires_grad_()),
        (0, -3, torch.nn.Parameter(tokens(2, 3, 1, 8))),
        (0, -3, tokens(2, 3, 1, 16)[..., ::2]),
        (0, -3, tokens(1, 1, 1, 8).expand(2, 3, 1, 8)),
        (1, -3, tokens(2, 3, 1, 8)),
        (3, -3, tokens(2, 3, 1, 8)),
        (2, -3, tokens(5, 5, 5, 8)),
        (2, -2, tokens(5, 5, 5, 8)),
        (2, None, tokens(5, 5, 5, 8)),
        (2, -3, tokens(4, 64, 5, 8)),
        (0, -3, tokens(256, 64, 1, 8)),  # too large for the short way
    ]
    due = [checked(spec, x, at[k][0], head_axis) for k, head_axis, x in forms]
    for pair in itertools.product(range(len(forms)), repeat=2):
        for i in (*pair, pair[1]):
            k, head_axis, x = forms[i]
            got = scheme.query(x, at[k][1], head_axis=head_axis)
            assert torch.equal(got, due[i]), f"{forms[i][:2]} of {tuple(x.shape)} after {pair}"
            assert got.requires_grad == x.requires_grad
    assert direct


def test_tokens_that_are_negated_when_they_are_read() -> None:
    scheme, x = posenc.bind(ROPES["half"]), tokens(2, 3, 1, 8)
    placed = scheme.prepare(torch.tensor([7]))
    due = -scheme.query(x, placed)
    torch.testing.assert_close(scheme.query(torch._neg_view(x), placed), due, atol=1e-6, rtol=0)


def test_numbers_that_change_in_place_are_read_again(direct: list[int]) -> None:
    scheme, at = posenc.bind(ROPES["half"]), torch.tensor([7])
    placed, x = scheme.prepare(at), tokens(2, 3, 1, 8)
    first = scheme.query(x, placed)
    x.mul_(-2)
    assert torch.equal(scheme.query(x, placed), -2 * first)
    assert direct


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_tables_that_change_in_place_are_read_again(dtype: str) -> None:
    """As a captured step does that is run again with other positions in the same buffers."""
    scheme = posenc.bind(ROPES["half"])
    placed, later = scheme.prepare(torch.tensor([7])), scheme.prepare(torch.tensor([70_001]))
    x = tokens(2, 3, 1, 8, dtype=getattr(torch, dtype))
    scheme.query(x, placed)
    for table, other in zip(placed.q, later.q, strict=True):
        table.copy_(other)
    assert torch.equal(scheme.query(x, placed), checked(ROPES["half"], x, torch.tensor([70_001])))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_results_are_whole_tensors(dtype: str, direct: list[int]) -> None:
    """They may be changed, trained, saved and grown as any other."""
    scheme = posenc.bind(ROPES["half"])
    placed, x = scheme.prepare(torch.tensor([7])), tokens(2, 3, 1, 8, dtype=getattr(torch, dtype))
    scheme.query(x, placed)
    y, weight = scheme.query(x, placed), torch.ones((), requires_grad=True, dtype=x.dtype)
    kept = y.clone()
    assert not y._is_view()
    y.mul_(weight).sum().backward()
    torch.testing.assert_close(weight.grad, kept.sum())
    leaf = scheme.query(x, placed).requires_grad_()
    leaf.square().sum().backward()
    assert torch.equal(leaf.grad, 2 * kept)
    assert len(direct) == 2


def test_gradients_switched_on_between_calls(direct: list[int]) -> None:
    scheme = posenc.bind(ROPES["half"])
    placed, x = scheme.prepare(torch.tensor([7])), tokens(2, 3, 1, 8)
    due = scheme.query(x, placed)
    assert scheme.query(x, placed).grad_fn is None
    x.requires_grad_()
    assert torch.equal(scheme.query(x, placed), due)
    assert scheme.query(x, placed).grad_fn is not None
    taken = len(direct)
    with torch.no_grad():
        assert scheme.query(x, placed).grad_fn is None
    with torch.inference_mode():
        assert scheme.query(x, placed).grad_fn is None
    assert len(direct) == taken + 2


def test_inside_a_compiled_function(direct: list[int]) -> None:
    scheme = posenc.bind(ROPES["half"], xp="torch")
    placed, x = scheme.prepare(torch.tensor([7])), tokens(2, 3, 1, 8)
    due = scheme.query(x, placed)
    scheme.query(x, placed)
    taken = len(direct)
    run = torch.compile(lambda x: scheme.query(x, placed) * 2, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(run(x), 2 * due, atol=1e-6, rtol=0)
    assert len(direct) == taken
    assert torch.equal(scheme.query(x, placed), due)


def test_in_threads_that_share_a_scheme() -> None:
    spec = ROPES["half"]
    scheme = posenc.bind(spec)
    at = [torch.tensor([p]) for p in (3, 70_001)]
    placed = [scheme.prepare(p) for p in at]
    x = [tokens(2, 3, 1, 8, seed=i) for i in range(4)]
    due = [[checked(spec, each, p) for p in at] for each in x]

    def work(i: int) -> bool:
        return all(
            torch.equal(scheme.query(x[i], placed[j]), due[i][j])
            for j in (k // 3 % 2 for k in range(200))
        )

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_what_is_remembered_is_small() -> None:
    """One query among many keys: their tables are let go."""
    scheme = posenc.bind(ROPES["half"])
    placed = scheme.prepare(torch.tensor([99_999]), torch.arange(100_000))
    scheme.query(tokens(2, 3, 1, 8), placed)
    large = weakref.ref(placed.k[0])
    del placed
    gc.collect()
    assert large() is None


def test_only_the_last_is_remembered() -> None:
    scheme = posenc.bind(ROPES["half"])
    seen = []
    for p in range(4):
        placed = scheme.prepare(torch.tensor([p]))
        scheme.query(tokens(2, 3, 1, 8), placed)
        seen.append(weakref.ref(placed.q[0]))
    del placed
    gc.collect()
    assert [r() is not None for r in seen[:3]] == [False] * 3


def test_a_wrong_call_is_refused_after_a_right_one() -> None:
    scheme, stranger = posenc.bind(ROPES["half"]), posenc.bind(ROPES["interleaved"])
    placed, x = scheme.prepare(torch.tensor([7])), tokens(2, 3, 1, 8)
    for _ in range(2):
        scheme.query(x, placed)
    for wrong in (
        lambda: scheme.query(x[..., :6], placed),
        lambda: scheme.query(x, placed, head_axis=-1),
        lambda: scheme.query(x.int(), placed),
        lambda: scheme.query(x, stranger.prepare(torch.tensor([7]))),
        lambda: scheme.query(x.numpy(), placed),
        lambda: scheme.query(x.expand(2, 3, 2, 8), placed),
    ):
        with pytest.raises(posenc.EncodingError):
            wrong()


@pytest.mark.parametrize(
    ("why", "given"),
    [
        ("large tokens", lambda: (tokens(1, 2049, 8), *_turns(2049))),
        ("channels apart", lambda: (tokens(5, 16)[:, ::2], *_turns(5))),
        ("none at all", lambda: (tokens(0, 8), *_turns(0))),
        ("tables that learn", lambda: (tokens(5, 8), *(t.requires_grad_() for t in _turns(5)))),
        ("a subclass", lambda: (torch.nn.Parameter(tokens(5, 8)), *_turns(5))),
    ],
)
def test_no_short_way(why: str, given: Any) -> None:
    x, cos, sin = given()
    step = kernels.direct(x, cos, sin, layout="half")
    assert step is None or step(x) is None


def _turns(n: int) -> tuple[Tensor, Tensor]:
    angle = torch.arange(4.0 * n).reshape(n, 4)
    return angle.cos(), angle.sin()


def test_by_itself_it_gives_what_the_plain_body_gives() -> None:
    import array_api_compat.torch as xp

    x, (cos, sin) = tokens(3, 5, 8), _turns(5)
    step = kernels.direct(x, cos, sin, layout="half")
    del cos, sin  # it keeps them
    gc.collect()
    other = tokens(3, 5, 8, seed=1)
    torch.testing.assert_close(
        step(other), _rotary.rotate(other, *_turns(5), layout="half", xp=xp), atol=1e-6, rtol=0
    )


def test_what_wraps_a_hook_is_not_passed_by() -> None:
    """A plug-in may bind another's spec and add to its hooks; ``wraps`` copies their attributes."""
    spec = posenc.Rope(dim=64, layout="half")
    bound = spec.bind(spec.constants())

    @functools.wraps(bound.query)
    def doubled(x: torch.Tensor, at: Any, **options: Any) -> torch.Tensor:
        return 2 * bound.query(x, at, **options)

    scheme = owned(bound._replace(query=doubled), mark_of("doubled"))
    x, placed = torch.randn(1, 4, 1, 64), scheme.prepare(torch.tensor([70_001]))
    due = 2 * posenc.bind(spec).query(x, torch.tensor([70_001]))
    for _ in range(3):
        assert torch.equal(scheme.query(x, placed), due)


@pytest.mark.parametrize("name", ROPES)
def test_arrays_of_numpy_too(name: str) -> None:
    """Whatever comes after the first: other numbers, another dtype, order of bytes or place."""
    scheme, draw = posenc.bind(ROPES[name]), np.random.default_rng(0)
    at = np.array([[70_001, 3]]) if name == "two coordinates" else np.array([70_001])
    placed = scheme.prepare(at)
    room = np.zeros(8 * 4 + 1, np.uint8)
    for dtype in ("f4", "f4", "f8", "f2", ">f4", "f4", "f4"):
        x = draw.normal(size=(1, 4, 1, 8)).astype(dtype)
        fresh = posenc.bind(ROPES[name])
        due = fresh.query(x, fresh.prepare(at))
        for given in (x, x.copy(), x[..., ::-1][..., ::-1], x):
            got = scheme.query(given, placed)
            assert got.dtype == due.dtype
            assert np.array_equal(got, due)
            assert not np.shares_memory(got, given)
    unaligned = room[1:].view("f4").reshape(1, 1, 1, 8)
    assert np.array_equal(scheme.query(unaligned, placed), np.zeros((1, 1, 1, 8), "f4"))
