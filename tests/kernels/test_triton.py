"""The GPU's program, run by Triton's interpreter: the same answers as the plain bodies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import mpmath
import pytest
import torch

import posenc
from posenc.functional._turns import turns_per_position
from posenc.kernels import rotate_at

pytestmark = [
    pytest.mark.triton,
]

PLACES = torch.tensor([8, 9, 70_001, 2**31 - 1, -(2**31) + 1])
YARN = posenc.Yarn(factor=4.0, trained_length=4096)
SPECS = {
    "half": posenc.Rope(dim=10, layout="half", base=5e5),
    "interleaved": posenc.Rope(dim=10, layout="interleaved", base=5e5),
    "odd width": posenc.Rope(dim=96, layout="half"),
    "front": posenc.Rope(dim=6, head_dim=10, layout="half"),
    "back": posenc.Rope(dim=6, head_dim=16, at="back", layout="interleaved", scaling=YARN),
    "back half": posenc.Rope(dim=64, head_dim=96, at="back", layout="half"),
    "sections": posenc.Rope(
        dim=12, layout="half", axes=posenc.Sections(sizes=(2, 3, 1), order="chunked")
    ),
    "axial": posenc.Rope(dim=12, layout="interleaved", axes=posenc.Axial(dims=(4, 8))),
}


@pytest.fixture(autouse=True)
def launches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The interpreter serves the CPU; what it ran, so that no test is answered by a plain body."""
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    from posenc.kernels import _gpu, _triton

    assert _triton.INTERPRETED, "loops were made before the interpreter was asked for"
    made: list[Any] = []
    launch = _gpu.launch

    def counted(*arguments: Any, **options: Any) -> None:
        made.append(arguments)
        launch(*arguments, **options)

    monkeypatch.setattr(_gpu, "launch", counted)
    monkeypatch.setattr(_gpu, "DEVICES", {"cpu", "cuda"})
    return made


def tokens(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def told(spec: Any) -> dict[str, Any]:
    """What a rotary spec says, as ``rotate_at`` takes it."""
    constants = spec.constants()
    width = spec.head_dim or spec.dim
    return {
        "steps": torch.from_numpy(constants["rates"]),
        "axis": torch.from_numpy(constants["axis"]) if "axis" in constants else None,
        "layout": spec.layout,
        "start": width - spec.dim if spec.at == "back" else 0,
        "factor": spec.attention_factor() if spec.head_dim else 1.0,
    }


def close(got: torch.Tensor, due: torch.Tensor) -> None:
    """Angles are right to 5e-7, and what is stored is the nearest number of its dtype."""
    assert got.shape == due.shape
    rounding = torch.finfo(got.dtype).eps / 2
    error = (got.double() - due.double()).abs()
    assert (error <= 2e-6 + 1.001 * rounding * due.double().abs()).all(), error.max()


def positions(spec: Any, at: torch.Tensor = PLACES) -> torch.Tensor:
    count = spec.axes.count
    return at if count == 1 else torch.stack([at.roll(i) for i in range(count)], dim=-1)


@pytest.mark.parametrize("head_axis", [-3, -2, None])
@pytest.mark.parametrize("name", list(SPECS))
def test_every_kind_of_rotation(name: str, head_axis: int | None, launches: list[Any]) -> None:
    spec = SPECS[name]
    heads = {-3: ((4, 5), (2, 5)), -2: ((5, 4), (5, 2)), None: ((5,), (5,))}[head_axis]
    q, k = (tokens(2, *h, spec.head_dim or spec.dim, seed=i) for i, h in enumerate(heads))
    at = positions(spec)
    got = rotate_at(q, k, at, **told(spec), head_axis=head_axis)
    assert len(launches) == 1  # q and k at once
    scheme = posenc.bind(spec)
    for x, turned, hook in zip((q, k), got, (scheme.query, scheme.key), strict=True):
        close(turned, hook(x.double(), at, head_axis=head_axis))
        width, start = 2 * len(spec.frequencies()), told(spec)["start"]
        assert torch.equal(turned[..., :start], x[..., :start])
        assert torch.equal(turned[..., start + width :], x[..., start + width :])


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_every_dtype_is_rounded_once(dtype: torch.dtype, layout: Any) -> None:
    spec = posenc.Rope(dim=8, head_dim=10, layout=layout)
    q, k = tokens(1, 3, 5, 10, dtype=dtype), tokens(1, 1, 5, 10, dtype=dtype, seed=1)
    got = rotate_at(q, k, PLACES, **told(spec))
    scheme = posenc.bind(spec)
    for x, turned in zip((q, k), got, strict=True):
        assert turned.dtype == dtype
        close(turned, scheme.query(x.double(), PLACES))


def test_angles_are_within_the_bound() -> None:
    """As x = (1, 0) turns into (cos, sin), against Python's own integers."""
    freqs = torch.tensor([3.0, 1.0, 0.7, -0.01, 1e-4, 0.0], dtype=torch.float64)
    steps = torch.from_numpy(turns_per_position(freqs.numpy()))
    ends = [-(2**31) + 1, -(2**24) - 1, -1, 0, 8, 70_001, 2**24 + 1, 2**31 - 1]
    drawn = torch.randint(-(2**31), 2**31, (1016,), generator=torch.Generator().manual_seed(2))
    at = torch.cat([torch.tensor(ends), drawn])
    x = torch.tensor([1.0, 0.0]).repeat_interleave(6).expand(1024, 12)
    turned, _ = rotate_at(x, None, at, steps, layout="half", head_axis=None)
    with mpmath.workprec(256):
        turn = int(2 * mpmath.pi * 2**128)
    rows = []
    for p in at.tolist():
        parts = [w.as_integer_ratio() for w in freqs.tolist()]
        angles = [((p * a << 128) // b) % turn / 2**128 for a, b in parts]
        rows.append([f(angle) for f in (math.cos, math.sin) for angle in angles])
    error = (turned.double() - torch.tensor(rows, dtype=torch.float64)).abs().max()
    assert error < 2e-7  # the promise is 5e-7


@pytest.mark.parametrize("kind", [torch.int16, torch.int32, torch.int64])
@pytest.mark.parametrize("shape", [(5,), (1, 5), (2, 5)])
def test_positions_of_any_width_and_of_each_row(shape: Any, kind: torch.dtype) -> None:
    spec = SPECS["half"]
    at = torch.randint(-30_000, 30_000, shape, generator=torch.Generator().manual_seed(1))
    q = tokens(2, 3, 5, 10)
    turned, none = rotate_at(q, None, at.to(kind), **told(spec))
    assert none is None
    close(turned, posenc.bind(spec).query(q.double(), at))


def test_several_axes_of_batch() -> None:
    spec = SPECS["sections"]
    at = positions(spec).expand(2, 1, 5, 3)
    q, k = tokens(2, 3, 4, 5, 12), tokens(2, 3, 1, 5, 12)
    got = rotate_at(q, k, at, **told(spec))
    close(got[0], posenc.bind(spec).query(q.double(), at))
    close(got[1], posenc.bind(spec).key(k.double(), at))


def strided() -> dict[str, torch.Tensor]:
    return {
        "transposed": tokens(2, 5, 3, 10).transpose(1, 2),
        "one of three": tokens(2, 5, 3, 3, 10)[:, :, 1].transpose(1, 2),
        "every other channel": tokens(2, 3, 5, 20)[..., ::2],
        "one head for all": tokens(2, 1, 5, 10).expand(2, 3, 5, 10),
    }


@pytest.mark.parametrize("name", list(strided()))
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_input_of_any_strides(name: str, layout: str) -> None:
    q, k, spec = strided()[name], tokens(2, 1, 5, 10), SPECS[layout]
    got = rotate_at(q, k, PLACES, **told(spec))
    close(got[0], posenc.bind(spec).query(q.double(), PLACES))
    close(got[1], posenc.bind(spec).query(k.double(), PLACES))


def test_steps_and_axes_of_any_strides() -> None:
    spec, q = SPECS["sections"], tokens(1, 2, 5, 12)
    given = told(spec)
    for name in ("steps", "axis"):
        given[name] = given[name].repeat_interleave(2)[::2]
    turned, _ = rotate_at(q, None, positions(spec), **given)
    close(turned, posenc.bind(spec).query(q.double(), positions(spec)))


def test_the_order_in_memory_is_kept() -> None:
    for q in (tokens(2, 3, 5, 10), tokens(2, 5, 3, 10).transpose(1, 2)):
        turned, _ = rotate_at(q, None, PLACES, **told(SPECS["half"]))
        assert turned.stride() == q.stride()


def test_in_place_writes_what_turns_and_nothing_else() -> None:
    spec = SPECS["back"]
    whole = tokens(2, 5, 4, 16, dtype=torch.bfloat16)
    before = whole.clone()
    q, k = whole[:, :, :3].transpose(1, 2), whole[:, :, 3:].transpose(1, 2)
    version = q._version
    turned_q, turned_k = rotate_at(q, k, PLACES, **told(spec), in_place=True)
    assert turned_q is q
    assert turned_k is k
    assert q._version > version
    close(whole, posenc.bind(spec).query(before.double(), PLACES, head_axis=-2))
    assert torch.equal(whole[..., :10], before[..., :10])


def test_in_place_in_inference_mode() -> None:
    with torch.inference_mode():
        x = tokens(1, 2, 5, 10)
        due = posenc.bind(SPECS["half"]).query(x.double(), PLACES)
        assert rotate_at(x, None, PLACES, **told(SPECS["half"]), in_place=True)[0] is x
        close(x, due)


def test_in_place_with_more_axes_or_with_a_gradient() -> None:
    spec = SPECS["half"]
    x = tokens(2, 2, 1, 5, 10)
    due = posenc.bind(spec).query(x.double(), PLACES)
    many = x.clone()
    assert rotate_at(many.transpose(0, 1), None, PLACES, **told(spec), in_place=True)[0] is not None
    close(many, due)
    leaf = x.clone().requires_grad_()
    turned = rotate_at(leaf * 1, None, PLACES, **told(spec), in_place=True)[0]
    close(turned.detach(), due)
    (gradient,) = torch.autograd.grad(turned.square().sum(), leaf)
    torch.testing.assert_close(gradient, 2 * x, atol=1e-5, rtol=1e-5)
    with pytest.raises(RuntimeError, match="leaf Variable"):
        rotate_at(leaf, None, PLACES, **told(spec), in_place=True)


def test_reverse_turns_back() -> None:
    spec = SPECS["half"]
    q = tokens(1, 2, 5, 10)
    there, _ = rotate_at(q, None, PLACES, **told(spec))
    back, _ = rotate_at(there, None, PLACES, **told(spec), reverse=True)
    torch.testing.assert_close(back, q, atol=2e-6, rtol=0)
    same, _ = rotate_at(there, None, -PLACES, **told(spec))
    torch.testing.assert_close(back, same, atol=1e-6, rtol=0)


@pytest.mark.parametrize("cut", [(1, 1, 1), (2, 3, 4), (8, 2, 4)])
def test_how_the_work_is_cut_changes_nothing(cut: Any) -> None:
    from posenc.kernels import _gpu

    steps, at = told(SPECS["half"])["steps"], PLACES[None, :, None]
    q, k = tokens(2, 5, 5, 10), tokens(2, 5, 2, 10, seed=1)
    answers = []
    for plan in (None, _gpu.Plan(*cut)):
        # One head more than is turned, and one token: nobody may write there.
        room = [torch.full((2, 6, x.shape[2] + 1, 10), math.nan) for x in (q, k)]
        out = [r[:, :5, :-1] for r in room]
        _gpu.launch([q, k], out, at, steps, None, False, 0, 1.0, False, plan)
        answers.append(room)
        assert all(r[:, 5:].isnan().all() and r[:, :, -1:].isnan().all() for r in room)
    for one, other in zip(*answers, strict=True):
        assert torch.equal(one.nan_to_num(), other.nan_to_num())


@pytest.mark.parametrize("shape", [(2, 3, 0, 10), (0, 3, 5, 10), (2, 0, 5, 10)])
def test_nothing_is_turned_into_nothing(shape: Any) -> None:
    x = torch.empty(shape)
    turned, _ = rotate_at(x, x, PLACES[: shape[2]], **told(SPECS["half"]))
    assert turned.shape == shape


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_what_is_no_number_stays_none(dtype: torch.dtype) -> None:
    x = tokens(1, 1, 5, 10, dtype=dtype)
    x[0, 0, 1, 2], x[0, 0, 2, 3] = math.nan, math.inf
    turned, _ = rotate_at(x, None, torch.tensor([8, 9, 10, 11, 12]), **told(SPECS["half"]))
    bad = ~turned.isfinite()
    due = torch.zeros_like(bad)
    due[0, 0, 1, [2, 7]] = due[0, 0, 2, [3, 8]] = True
    assert torch.equal(bad, due)


def test_large_offsets_are_counted_in_64_bits() -> None:
    """The last row lies 2^31 numbers away; memory that nobody touches costs nothing."""
    far = 2**30 + 8
    x = torch.empty(2 * far + 10, dtype=torch.float16).as_strided((1, 1, 3, 10), (1, 1, far, 1))
    x.copy_(tokens(1, 1, 3, 10))
    turned, _ = rotate_at(x, None, PLACES[1:4], **told(SPECS["half"]))
    close(turned, posenc.bind(SPECS["half"]).query(x.double(), PLACES[1:4]))
