"""Every way of attending against the reference: answers, gradients, who sees whom."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import posenc
import posenc.torch
from posenc.errors import EncodingError

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


def drawn(dtype: torch.dtype = torch.float32, k_heads: int = 2, grad: bool = False):
    make = torch.Generator().manual_seed(0)
    sizes = ((2, 4, QUERIES, 10), (2, k_heads, KEYS, 10), (2, k_heads, KEYS, 6))
    made = [torch.randn(*size, generator=make).to(dtype) for size in sizes]
    return [x.requires_grad_(grad) for x in made]


def arrays(spec: posenc.specs.Spec) -> dict[str, torch.Tensor] | None:
    make = torch.Generator().manual_seed(1)
    return {n: torch.randn(*s, generator=make) for n, s in spec.learned().items()} or None


def counted() -> tuple[torch.Tensor, torch.Tensor]:
    k = torch.arange(FIRST, FIRST + KEYS)
    return k[-QUERIES:], k


def by_row() -> tuple[torch.Tensor, torch.Tensor]:
    _, k = counted()
    k = torch.stack([k, 2 * k - FIRST])
    return k[:, -QUERIES:], k


def in_documents() -> tuple[torch.Tensor, torch.Tensor]:
    k = torch.cat([torch.arange(60), torch.arange(KEYS - 60)])
    return k[-QUERIES:], k


def scattered() -> tuple[torch.Tensor, torch.Tensor]:
    k = torch.arange(KEYS) ** 3
    return k[-QUERIES:], k


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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seen", sight())
@pytest.mark.parametrize("name", SPECS)
def test_every_way_equals_the_reference(name: str, seen: str, way: str) -> None:
    spec, options = SPECS[name], sight()[seen]
    q, k, v = drawn()
    for at in (counted(),) if way == "flex" else (counted(), by_row(), in_documents()):
        given = {"q_positions": at[0], "k_positions": at[1], "arrays": arrays(spec), **options}
        due = posenc.attend(q, k, v, spec, **given)
        got = posenc.torch.attend(q, k, v, spec, backend=way, **given)
        torch.testing.assert_close(got, due, atol=3e-6, rtol=1e-5)
        if seen == "mask":
            assert not got[0, :, 5].any()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seen", ["all", "causal window", "mask"])
def test_gradients_are_those_of_the_reference(place: str, seen: str, way: str) -> None:
    """Those of q, k, v and of the table of the bias, whatever shares it."""
    options, at = sight()[seen], PLACES[place]()
    weight = torch.randn(2, 4, QUERIES, 6, generator=torch.Generator().manual_seed(3))
    grads = []
    for attend, more in ((posenc.attend, {}), (posenc.torch.attend, {"backend": way})):
        q, k, v = drawn(grad=True)
        table = arrays(T5)["table"].requires_grad_()
        y = attend(
            q,
            k,
            v,
            T5,
            q_positions=at[0],
            k_positions=at[1],
            arrays={"table": table},
            **options,
            **more,
        )
        grads.append(torch.autograd.grad((y * weight).sum(), (q, k, v, table)))
    for got, due in zip(grads[1], grads[0], strict=True):
        torch.testing.assert_close(got, due, atol=5e-5, rtol=1e-4)


def test_a_bias_at_scattered_or_real_positions_goes_by_rows() -> None:
    q, k, v = drawn(grad=True)
    real = tuple(p.double() / 3 for p in counted())
    for spec, at in ((T5, scattered()), (ALIBI, real)):
        grads = []
        table = {n: a.requires_grad_() for n, a in (arrays(spec) or {}).items()} or None
        given = {"q_positions": at[0], "k_positions": at[1], "arrays": table, "causal": True}
        for way in ("reference", "rows"):
            y = posenc.torch.attend(q, k, v, spec, backend=way, **given)
            leaves = (q, k, v, *(table or {}).values())
            grads.append((y, *torch.autograd.grad(y.square().sum(), leaves)))
        for got, due in zip(*reversed(grads), strict=True):
            torch.testing.assert_close(got, due, atol=5e-5, rtol=1e-4)
        with pytest.raises(EncodingError, match="backend must be 'rows' for this bias"):
            posenc.torch.attend(q, k, v, spec, backend="flex", **given)


@pytest.mark.parametrize("way", ["sdpa", "rows"])
def test_rows_check_their_gradient_in_float64(way: str) -> None:
    q, k, v = (x[:1, :2, :9].double().detach().requires_grad_() for x in drawn(k_heads=4))
    at, spec = torch.arange(8, 17), posenc.T5Bias(heads=2, bidirectional=False, buckets=8)
    table = torch.randn(8, 2, dtype=torch.float64, requires_grad=True)

    def attended(q, k, v, table):
        given = {"q_positions": at, "arrays": {"table": table}, "causal": True}
        return posenc.torch.attend(q, k, v, spec, backend=way, **given)

    assert torch.autograd.gradcheck(attended, (q, k, v, table))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_rounds_no_bias(dtype: torch.dtype, way: str) -> None:
    """ALiBi at 8192 tokens is thousands: rounded in bfloat16 it would be whole steps off."""
    q, k, v = drawn(dtype)
    at = counted()
    far = (at[0], at[1] - 8000)
    given = {"q_positions": far[0], "k_positions": far[1]}
    due = posenc.attend(q.double(), k.double(), v.double(), ALIBI, **given)
    got = posenc.torch.attend(q, k, v, ALIBI, backend=way, **given)
    assert got.dtype == dtype
    torch.testing.assert_close(got.double(), due, atol=2e-2, rtol=2e-2)


def test_autocast_does_not_reach_the_blocks() -> None:
    q, k, v = drawn(grad=True)
    at = counted()
    results = []
    for on in (False, True):
        with torch.autocast("cpu", torch.bfloat16, enabled=on):
            y = posenc.torch.attend(
                q, k, v, ALIBI, q_positions=at[0], k_positions=at[1], backend="rows"
            )
        results.append((y, *torch.autograd.grad(y.sum(), (q, k, v))))
    for got, due in zip(*results, strict=True):
        torch.testing.assert_close(got, due, rtol=0, atol=0)


@pytest.mark.parametrize("name", SPECS)
def test_a_decode_step_equals_the_full_pass(name: str) -> None:
    """B59, B145: one query at the end of its keys, turned before or raw."""
    spec = SPECS[name]
    scheme = posenc.bind(spec, arrays(spec), xp="torch")
    q, k, v = drawn()
    q = torch.cat([torch.randn(2, 4, KEYS - QUERIES, 10), q], dim=-2)
    at = torch.arange(FIRST, FIRST + KEYS)
    full = posenc.torch.attend(q, k, v, scheme, q_positions=at, causal=True)
    step = {"q_positions": at[-1:], "k_positions": at, "causal": True}
    last = posenc.torch.attend(q[:, :, -1:], k, v, scheme, **step)
    torch.testing.assert_close(last, full[:, :, -1:], atol=3e-6, rtol=1e-5)
    turned = scheme.key(k, at) if scheme.key else k
    last = posenc.torch.attend(q[:, :, -1:], turned, v, scheme, keys="turned", **step)
    torch.testing.assert_close(last, full[:, :, -1:], atol=3e-6, rtol=1e-5)


def test_a_module_attends_as_its_spec() -> None:
    enc = posenc.torch.Encoding(T5)
    q, k, v = drawn()
    at = counted()
    table = {n: p.detach() for n, p in enc.learned.arrays().items()}
    given = {"q_positions": at[0], "k_positions": at[1]}
    due = posenc.attend(q, k, v, T5, arrays=table, **given)
    torch.testing.assert_close(
        posenc.torch.attend(q, k, v, enc, **given), due, atol=3e-6, rtol=1e-5
    )
    torch.testing.assert_close(posenc.attend(q, k, v, enc, **given), due, rtol=0, atol=0)
    placed = enc.prepare(*at)
    got = posenc.torch.attend(q, k, v, enc, q_positions=placed)
    torch.testing.assert_close(got, due, atol=3e-6, rtol=1e-5)
    with pytest.raises(EncodingError, match="a spec to take arrays or a length"):
        posenc.torch.attend(q, k, v, enc, length=9, **given)


def test_it_picks_by_what_there_is_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.torch import _attend

    ran = []
    for name in ("by_rows", "by_sdpa"):
        original = getattr(_attend, name)
        monkeypatch.setattr(
            _attend, name, lambda *a, f=original, n=name, **o: ran.append(n) or f(*a, **o)
        )
    monkeypatch.setattr(_attend._flex, "available", lambda: False)
    monkeypatch.setattr(_attend, "_FEW", 2 * 4 * QUERIES * KEYS - 1)
    q, k, v = drawn()
    at = counted()
    given = {"q_positions": at[0], "k_positions": at[1]}
    posenc.torch.attend(q, k, v, ALIBI, **given)
    posenc.torch.attend(q[:, :, :60], k, v, ALIBI, q_positions=at[0][:60], k_positions=at[1])
    posenc.torch.attend(q, k, v, ROPE, **given)
    assert ran == ["by_rows", "by_sdpa", "by_sdpa"]


def test_no_tokens_and_no_keys() -> None:
    """B160."""
    for n, m in ((0, 5), (5, 0), (0, 0)):
        q, k, v = torch.ones(2, 4, n, 10), torch.ones(2, 2, m, 10), torch.ones(2, 2, m, 6)
        at = {"q_positions": torch.arange(n), "k_positions": torch.arange(m)}
        y = posenc.torch.attend(q, k, v, ALIBI, **at)
        assert y.shape == (2, 4, n, 6)
        assert not y.any()


def test_refusals() -> None:
    q, k, v = drawn()
    at = counted()
    given = {"q_positions": at[0], "k_positions": at[1]}
    with pytest.raises(EncodingError, match="Did you mean 'rows'"):
        posenc.torch.attend(q, k, v, ALIBI, backend="row", **given)
    with pytest.raises(EncodingError, match="keys must be 'raw' or 'turned'"):
        posenc.torch.attend(q, k, v, ALIBI, keys="cooked", **given)
    for way in ("sdpa", "rows"):
        with pytest.raises(EncodingError, match="for the 4 heads of q; got 8"):
            posenc.torch.attend(q, k, v, posenc.Alibi(heads=8), backend=way, **given)


def test_numpy_positions_are_taken_along() -> None:
    q, k, v = drawn()
    at = counted()
    due = posenc.torch.attend(q, k, v, ALIBI, q_positions=at[0], k_positions=at[1])
    numpy = [np.asarray(p) for p in at]
    got = posenc.torch.attend(q, k, v, ALIBI, q_positions=numpy[0], k_positions=numpy[1])
    torch.testing.assert_close(got, due, rtol=0, atol=0)


@pytest.mark.parametrize("name", SPECS)
def test_it_compiles_as_one_graph(name: str) -> None:
    q, k, v = drawn()
    at, spec = counted(), SPECS[name]
    enc = posenc.torch.Encoding(spec)

    def attended(q, k, v, q_at, k_at):
        given = {"q_positions": q_at, "k_positions": k_at, "causal": True}
        return posenc.torch.attend(q, k, v, enc, **given)

    compiled = torch.compile(attended, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(q, k, v, *at), attended(q, k, v, *at), atol=3e-6, rtol=1e-5)


def test_compiled_with_a_batch_of_several_shapes() -> None:
    enc = posenc.torch.Encoding(ROPE)

    def attended(q, at):
        return posenc.torch.attend(q, q, q, enc, q_positions=at, causal=True)

    compiled = torch.compile(attended, fullgraph=True, backend="aot_eager")
    for batch, n in ((2, 6), (2, 4), (3, 9)):
        q, at = torch.randn(batch, 4, n, 10), torch.arange(FIRST, FIRST + n)
        torch.testing.assert_close(compiled(q, at), attended(q, at), atol=3e-6, rtol=1e-5)


@pytest.mark.parametrize("way", ["reference", "sdpa", "rows"])
def test_the_gradient_of_a_bfloat16_table_is_summed_in_float32(way: str) -> None:
    make = torch.Generator().manual_seed(0)
    spec, n = posenc.T5Bias(heads=2, bidirectional=False), 300
    table = arrays(spec)["table"].bfloat16()
    q, weight = (torch.randn(1, 2, n, 8, generator=make) for _ in range(2))
    grads = []
    for kind in (torch.bfloat16, torch.float32):
        leaf = table.to(kind).requires_grad_()
        given = {"q_positions": torch.arange(n), "arrays": {"table": leaf}, "causal": True}
        y = posenc.torch.attend(q, q, q, spec, backend=way, **given)
        grads.append(torch.autograd.grad((y * weight).sum(), leaf)[0].float())
    torch.testing.assert_close(*grads, rtol=1e-2, atol=1e-2)


def test_a_table_of_another_dtype_at_positions_that_are_not_straight() -> None:
    q, k, v = drawn(grad=True)
    at = in_documents()
    for kind in (torch.bfloat16, torch.float64):
        table = arrays(T5)["table"].to(kind).requires_grad_()
        given = {"q_positions": at[0], "k_positions": at[1], "arrays": {"table": table}}
        y = posenc.torch.attend(q, k, v, T5, backend="rows", **given)
        due = posenc.attend(q, k, v, T5, **given)
        torch.testing.assert_close(y, due, atol=3e-6, rtol=1e-5)
        assert torch.autograd.grad(y.sum(), table)[0].dtype == kind


def test_blocks_refuse_to_be_differentiated_twice() -> None:
    q, k, v = drawn(grad=True)
    at = counted()
    given = {"q_positions": at[0], "k_positions": at[1], "backend": "rows"}
    y = posenc.torch.attend(q, k, v, ALIBI, **given)
    (grad,) = torch.autograd.grad(y.square().sum(), q, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        grad.sum().backward()


def test_several_dtypes_are_left_to_the_reference() -> None:
    q, k, v = drawn()
    at = counted()
    given = {"q_positions": at[0], "k_positions": at[1]}
    got = posenc.torch.attend(q, k.double(), v, ALIBI, **given)
    torch.testing.assert_close(got, posenc.attend(q, k, v, ALIBI, **given), atol=3e-6, rtol=1e-5)
    with pytest.raises(EncodingError, match="'reference' for q, k and v of several dtypes"):
        posenc.torch.attend(q, k.double(), v, ALIBI, backend="rows", **given)


@pytest.mark.parametrize("way", ["sdpa", "rows"])
def test_masks_of_few_axes(way: str) -> None:
    q, k, v = drawn()
    at = counted()
    given = {"q_positions": at[0], "k_positions": at[1]}
    for mask in (torch.tensor(True), torch.tensor([True]), torch.arange(KEYS) > 3):
        for spec in (ROPE, ALIBI):
            due = posenc.attend(q, k, v, spec, mask=mask, **given)
            got = posenc.torch.attend(q, k, v, spec, mask=mask, backend=way, **given)
            torch.testing.assert_close(got, due, atol=3e-6, rtol=1e-5)


def test_what_numpy_prepared_is_refused_for_torch() -> None:
    scheme = posenc.bind(ALIBI)
    q, k, v = drawn()
    placed = scheme.prepare(*(np.asarray(p) for p in counted()))
    with pytest.raises(EncodingError, match="prepared in the library of q"):
        posenc.torch.attend(q, k, v, scheme, q_positions=placed)


@pytest.mark.parametrize("places", ["far apart", "real"])
def test_long_text_at_places_that_are_no_range(places: str, monkeypatch) -> None:
    """Its distances are too many to tabulate: it goes by rows, without being told to."""
    from posenc.torch import _attend

    monkeypatch.setattr(_attend, "_FEW", 0)
    monkeypatch.setattr(_attend._flex, "available", lambda: True)
    q, k, v = drawn()
    at = [p * (50 if places == "far apart" else 0.5) for p in counted()]
    given = {"q_positions": at[0], "k_positions": at[1], "causal": True}
    got = posenc.torch.attend(q, k, v, ALIBI, **given)
    torch.testing.assert_close(got, posenc.attend(q, k, v, ALIBI, **given), atol=3e-6, rtol=1e-5)
    with pytest.raises(EncodingError, match=r"'rows' for this bias; got 'flex'\. Its"):
        posenc.torch.attend(q, k, v, ALIBI, backend="flex", **given)


def test_functorch_over_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from posenc.torch import _attend

    monkeypatch.setattr(_attend, "_FEW", 0)
    q, k, v = drawn()
    at = counted()

    def loss(q: torch.Tensor) -> torch.Tensor:
        given = {"q_positions": at[0], "k_positions": at[1]}
        return posenc.torch.attend(q, k, v, ALIBI, **given).square().sum()

    x = q.clone().requires_grad_()
    due = torch.autograd.grad(loss(x), x)[0]
    torch.testing.assert_close(torch.func.grad(loss)(q), due, atol=2e-5, rtol=1e-5)
