"""The one module: what it does, and everything that must not change it."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys

import pytest
import torch
import torch.nn.utils.parametrize
import torch.nn.utils.prune
from torch.func import functional_call, vmap

import posenc
from posenc.errors import EncodingError
from posenc.torch import Encoding

PLACES = torch.tensor([8, 9, 40, 70_001, 70_002])
DIMS = (6, 10, 64, 96)
ROPE = posenc.Rope(dim=10, layout="half", base=5e5)
STACK = posenc.Stack(posenc.Learned(rows=90_000, dim=6), posenc.Alibi(heads=3))


def tokens(dim: int = 10, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Two rows of five tokens, three heads: B != S."""
    drawn = torch.randn(2, 3, 5, dim, generator=torch.Generator().manual_seed(0))
    return drawn.to(dtype)


X = tokens()
DUE = posenc.bind(ROPE).query(X, PLACES)


def check(enc: Encoding, x: torch.Tensor = X, due: torch.Tensor = DUE) -> None:
    q, k = enc(x, x, PLACES)
    torch.testing.assert_close(q.float(), due, atol=5e-7, rtol=1e-6)
    torch.testing.assert_close(k.float(), due, atol=5e-7, rtol=1e-6)


@pytest.mark.parametrize("name", list(posenc.encodings(plugins=False)))
def test_every_encoding_is_a_module_that_does_what_its_scheme_does(name: str) -> None:
    spec = posenc.encodings()[name].make(dim=10, heads=3, length=128)
    enc = Encoding(spec, length=128)
    arrays = {n: p.detach() for n, p in enc.learned.arrays().items()}
    scheme = posenc.bind(spec, arrays, length=128)
    places = range(8, 10) if name == "one-hot" else range(8, 13)
    at = torch.as_tensor(posenc.testing.cells(scheme, places))
    x = X[:, :, : len(places)]
    if scheme.embed:
        torch.testing.assert_close(enc(at), scheme.embed(at), rtol=0, atol=0)
    if scheme.bias:
        torch.testing.assert_close(enc(at, at), scheme.bias(at), rtol=0, atol=0)
    if scheme.query:
        factor = scheme.logit_scale(at) if scheme.logit_scale else 1.0
        factor = factor[..., None] if hasattr(factor, "shape") else factor
        for got, due in zip(
            enc(x, x, at), (scheme.query(x, at) * factor, scheme.key(x, at)), strict=True
        ):
            torch.testing.assert_close(got, due, rtol=0, atol=0)
    assert repr(spec) in repr(enc)


@pytest.mark.parametrize(
    "cast",
    [
        lambda enc: enc.half().float(),
        lambda enc: enc.to(torch.bfloat16),
        lambda enc: enc.double(),
        copy.deepcopy,
        lambda enc: pickle.loads(pickle.dumps(enc)),
        lambda enc: Encoding(enc.spec, device="meta").to_empty(device="cpu"),
    ],
    ids=["half", "bfloat16", "double", "deepcopy", "pickle", "to_empty"],
)
def test_no_cast_copy_or_meta_build_reaches_a_frequency(cast) -> None:
    check(cast(Encoding(ROPE)))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_no_cast_reaches_the_slopes(dtype: torch.dtype) -> None:
    spec = posenc.Alibi(heads=12)
    got = Encoding(spec).to(dtype)(PLACES, PLACES)
    torch.testing.assert_close(got, posenc.bind(spec).bias(PLACES), rtol=0, atol=0)


def test_autocast_reaches_nothing() -> None:
    with torch.autocast("cpu", torch.bfloat16):
        check(Encoding(ROPE))


@pytest.mark.parametrize("spec", [ROPE, posenc.Alibi(heads=3), STACK])
def test_there_is_nothing_for_a_loader_to_fill(spec: posenc.specs.Spec) -> None:
    """B75: memory that nobody wrote is finite, so nothing else would notice."""
    enc = Encoding(spec)
    assert not list(enc.buffers())
    assert {n for n, _ in enc.named_parameters()} == {f"learned.{n}" for n in spec.learned()}


def test_made_and_moved_in_inference_mode() -> None:
    with torch.inference_mode():
        enc = Encoding(ROPE).float()
        check(enc)
    x = X.clone().requires_grad_()
    torch.autograd.grad(enc(x, x, PLACES)[0].sum(), x)


def test_compiled_as_the_first_call_of_a_process() -> None:
    code = """
import torch, posenc, posenc.torch
enc = posenc.torch.Encoding(posenc.Rope(dim=8, layout="half"))
x, at = torch.ones(1, 2, 5, 8), torch.arange(5)
torch.compile(enc, fullgraph=True, backend="eager")(x, x, at)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_state_dict_has_what_is_learned_and_nothing_else() -> None:
    """B76, B78."""
    assert not Encoding(ROPE).state_dict()
    enc, other = Encoding(STACK), Encoding(STACK)
    assert list(enc.state_dict()) == ["learned.0.table"]
    other.load_state_dict(enc.state_dict())
    at = torch.arange(8, 13)
    torch.testing.assert_close(other(at), enc(at), rtol=0, atol=0)


def test_frequencies_that_others_stored_are_compared_and_left_out() -> None:
    """B77: ``inv_freq`` of older releases, ``rope.freqs`` of Meta's."""
    freqs = torch.tensor(ROPE.frequencies())
    for name in ("inv_freq", "rope.freqs"):
        for dtype in (torch.float32, torch.bfloat16):
            Encoding(ROPE).load_state_dict({name: freqs.to(dtype), "position_ids": PLACES})
    wrong = torch.tensor(posenc.Rope(dim=10, layout="half").frequencies())
    with pytest.raises(
        EncodingError, match=r"inv_freq\[4\] must be .*trained with other positions"
    ):
        Encoding(ROPE).load_state_dict({"inv_freq": wrong})
    with pytest.raises(RuntimeError, match="Unexpected key"):
        Encoding(ROPE).load_state_dict({"weight": freqs})


def test_learned_arrays_come_from_torchs_generator() -> None:
    spec = posenc.Learned(rows=64, dim=64)
    tables = []
    for _ in range(2):
        torch.manual_seed(7)
        tables.append(Encoding(spec).learned.arrays()["table"].detach())
    torch.testing.assert_close(*tables, rtol=0, atol=0)
    assert not torch.equal(tables[0], Encoding(spec).learned.arrays()["table"])
    assert tables[0].std().item() == pytest.approx(0.02, rel=0.05)
    enc = Encoding(spec, device="meta").to_empty(device="cpu")
    enc.reset_parameters()
    assert enc.learned.arrays()["table"].std().item() == pytest.approx(0.02, rel=0.05)


def test_functional_call_and_vmap() -> None:
    enc = Encoding(STACK)
    table = torch.full((90_000, 6), 2.0)
    got = functional_call(enc, {"learned.0.table": table}, (PLACES[:3],))
    torch.testing.assert_close(got, torch.full((3, 6), 2.0))
    rope = Encoding(ROPE)
    got = functional_call(rope, {}, (X, X, PLACES))[0]
    torch.testing.assert_close(got, DUE, atol=5e-7, rtol=1e-6)
    many = vmap(lambda x: rope(x, x, PLACES)[0])(torch.stack([X, 2 * X]))
    torch.testing.assert_close(many[1], 2 * DUE, atol=1e-6, rtol=1e-6)


def test_gradients_are_those_of_the_formula() -> None:
    """B175, B176: partial rotation too, whose other channels pass through."""
    for spec in (posenc.Rope(dim=6, layout="half"), posenc.Rope(dim=4, head_dim=6, layout="half")):
        enc = Encoding(spec)
        x = torch.randn(2, 5, 6, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(lambda x, enc=enc: enc(x, x, PLACES)[0], (x,))
        grad = torch.autograd.grad(enc(x, x, PLACES)[0].sum(), x)[0]
        back = posenc.bind(spec).query(torch.ones_like(x), -PLACES)
        torch.testing.assert_close(grad, back, atol=1e-9, rtol=1e-9)


OTHERS = [(posenc.Alibi(heads=3), torch.float32), (posenc.Sinusoidal(dim=10), torch.float32)]
TURNS = [
    (posenc.Rope(dim=dim, layout="half"), dtype)
    for dim in DIMS
    for dtype in (torch.float32, torch.bfloat16, torch.float16)
]


@pytest.mark.parametrize(("spec", "dtype"), TURNS + OTHERS)
def test_twenty_lengths_take_two_graphs(
    spec: posenc.specs.Spec, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B182. The graph is of operations, and held to the same ones rather than to the loops."""
    for name in ("_angles", "_direct", "_rotate"):
        monkeypatch.setattr(f"posenc.kernels.{name}.compiled", lambda: False)
    torch._dynamo.reset()
    seen = []

    def counted(graph, inputs):
        seen.append(graph)
        return graph

    enc = Encoding(spec)
    compiled = torch.compile(enc, fullgraph=True, backend=counted)
    for n in range(2, 22):
        at = torch.arange(70_001, 70_001 + n)
        x = torch.randn(2, 3, n, spec.dim if spec.kind == "rope" else 1, dtype=dtype)
        given = {"rope": (x, x, at), "alibi": (at, at), "sinusoidal": (at,)}[spec.kind]
        for got, due in zip(compiled(*given), enc(*given), strict=True):
            torch.testing.assert_close(got, due, atol=1e-6, rtol=1e-6)
    assert len(seen) <= 2


def test_exported_with_any_length() -> None:
    enc, auto = Encoding(ROPE), torch.export.Dim.AUTO
    shapes = ({2: auto}, {2: auto}, {0: auto})
    program = torch.export.export(enc, (X, X, PLACES), dynamic_shapes=shapes)
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    again = torch.export.load(file).module()
    for n in (2, 5, 9):
        at, x = torch.arange(70_001, 70_001 + n), torch.randn(2, 3, n, 10)
        torch.testing.assert_close(again(x, x, at), enc(x, x, at), atol=1e-6, rtol=1e-6)


def test_another_length_is_another_module_with_the_same_arrays() -> None:
    """B82 to B85: a rule whose frequencies follow the length."""
    rule = posenc.DynamicNtk(factor=4.0, trained_length=64)
    spec = posenc.Stack(
        posenc.Learned(rows=99, dim=6), posenc.Rope(dim=6, layout="half", scaling=rule)
    )
    short = Encoding(spec, length=64)
    long = short.for_length(256)
    x, at = tokens(6), torch.arange(8, 13)
    torch.testing.assert_close(long(at), short(at), rtol=0, atol=0)
    assert dict(long.named_parameters()).items() == dict(short.named_parameters()).items()
    assert not torch.equal(long(x, x, at)[0], short(x, x, at)[0])
    due = posenc.bind(spec.parts[1], length=256).query(x, at)
    torch.testing.assert_close(long(x, x, at)[0], due, atol=1e-6, rtol=1e-6)
    with pytest.raises(EncodingError, match="length must be given for this spec"):
        Encoding(spec)
    with pytest.raises(EncodingError, match="own prepare"):
        long(x, x, short.prepare(at))


def test_prepared_once_for_all_layers() -> None:
    first, second = Encoding(ROPE), Encoding(ROPE)
    placed = first.prepare(PLACES)
    for enc in (first, second):
        torch.testing.assert_close(enc(X, X, placed)[0], DUE, rtol=0, atol=0)


def test_heads_on_either_side() -> None:
    q = Encoding(ROPE)(X.transpose(1, 2), X.transpose(1, 2), PLACES, head_axis=-2)[0]
    torch.testing.assert_close(q.transpose(1, 2), DUE, rtol=0, atol=0)


def test_calls_that_it_cannot_answer() -> None:
    with pytest.raises(EncodingError, match="must have the 'embed' hook"):
        Encoding(ROPE)(PLACES)
    with pytest.raises(EncodingError, match="must have the 'query' hook"):
        Encoding(posenc.Alibi(heads=3))(X, X, PLACES)
    with pytest.raises(EncodingError, match="spec must be a spec"):
        Encoding("rope")
    with pytest.raises(EncodingError, match=r"q_positions must be given, to turn q and k"):
        Encoding(ROPE)(X, X)
    with pytest.raises(
        EncodingError, match=r"k_positions must be given where k has another number"
    ):
        Encoding(ROPE)(X[:, :, -1:], X, PLACES[-1:])


@pytest.mark.parametrize(
    "scaling",
    [
        posenc.Yarn(factor=4.0, trained_length=64),
        posenc.LongRope(short=[1.0] * 5, long=[2.0] * 5, trained_length=64, factor=32.0),
    ],
)
def test_what_it_turns_can_go_to_any_attention(scaling: posenc.specs.Scaling) -> None:
    """What multiplies logits comes back on q: nothing is left for the caller to forget."""
    spec = posenc.Rope(dim=10, layout="half", scaling=scaling)
    enc = Encoding(spec, length=128)
    due = posenc.attend(X, X, X, spec, q_positions=PLACES, length=128)
    for heads in (-3, -2):
        x = X if heads == -3 else X.transpose(1, 2)
        q, k = enc(x, x, PLACES, head_axis=heads)
        if heads == -2:
            q, k = q.transpose(1, 2), k.transpose(1, 2)
        got = torch.nn.functional.scaled_dot_product_attention(q, k, X)
        torch.testing.assert_close(got, due, atol=3e-6, rtol=1e-5)
    assert enc(X.bfloat16(), X.bfloat16(), PLACES)[0].dtype == torch.bfloat16


def test_tables_that_are_parametrized_pruned_or_shared() -> None:
    spec, at = posenc.Learned(rows=16, dim=6), torch.arange(8, 13)
    enc = Encoding(spec)
    before = enc(at)
    torch.nn.utils.parametrize.register_parametrization(enc.learned, "table", torch.nn.ReLU())
    torch.testing.assert_close(enc(at), before.relu())
    pruned = Encoding(spec)
    torch.nn.utils.prune.l1_unstructured(pruned.learned, "table", 0.5)
    assert (pruned.learned.table == 0).float().mean() == 0.5
    assert torch.equal(pruned(at), pruned.learned.table[at])
    two = Encoding(posenc.Stack(spec, spec))
    learned = two.learned.get_submodule("0"), two.learned.get_submodule("1")
    learned[1].table = learned[0].table
    torch.testing.assert_close(two(at), 2 * learned[0].table[at])


def test_a_bias_over_many_tables() -> None:
    spec, at = posenc.T5Bias(heads=3, bidirectional=True), torch.arange(8, 13)
    encs = [Encoding(spec) for _ in range(2)]
    tables = torch.stack([enc.learned.table for enc in encs])
    got = vmap(lambda table: functional_call(encs[0], {"learned.table": table}, (at, at)))(tables)
    for one, enc in zip(got, encs, strict=True):
        torch.testing.assert_close(one, enc(at, at))
